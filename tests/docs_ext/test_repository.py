"""Links to the repository: from the address that a build is told, by the rules of its host."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import jinja2
import pytest
from bs4 import BeautifulSoup
from sphinx.errors import ConfigError

from tests.docs_ext.conftest import ROOT
from verl_docs.repository import Repository, from_environment, links, web_address

GUIDE = "https://github.com/group/guide"
READTHEDOCS = {
    "READTHEDOCS": "True",
    "READTHEDOCS_VERSION_TYPE": "branch",
    "READTHEDOCS_GIT_CLONE_URL": f"{GUIDE}.git",
    "READTHEDOCS_GIT_IDENTIFIER": "main",
    "READTHEDOCS_GIT_COMMIT_HASH": "1f94e04",
}


@pytest.mark.parametrize(
    ("clone", "address"),
    [
        ("https://github.com/group/guide", GUIDE),
        ("https://github.com/group/guide.git", GUIDE),
        ("https://github.com/group/guide/", GUIDE),
        ("https://someone:secret@github.com/group/guide.git", GUIDE),
        ("git@github.com:group/guide.git", GUIDE),
        ("github.com:group/guide.git", GUIDE),
        ("ssh://git@github.com/group/guide.git", GUIDE),
        ("ssh://git@github.com:22/group/guide.git", GUIDE),
        ("git+ssh://git@github.com/group/guide.git", GUIDE),
        ("git://github.com/group/guide.git", GUIDE),
        ("https://GitHub.com/group/guide", GUIDE),
        ("git@gitlab.example.org:a/b/guide.git", "https://gitlab.example.org/a/b/guide"),
        ("http://example.org:8080/guide.git", "http://example.org:8080/guide"),
        ("", None),
        ("/srv/git/guide.git", None),
        ("file:///srv/git/guide.git", None),
        ("../guide", None),
        ("C:\\guide", None),
        ("https://example.org", None),
        ("https://example.org:port/guide", None),
        ("javascript:alert(1)", None),
    ],
)
def test_the_page_of_a_repository_follows_from_its_clone_address(
    clone: str, address: str | None
) -> None:
    assert web_address(clone) == address


@pytest.mark.parametrize(
    ("environment", "repository"),
    [
        ({}, None),
        ({"SITE_BRANCH": "main"}, None),
        ({"SITE_REPOSITORY": "", "SITE_BRANCH": ""}, None),
        ({"SITE_REPOSITORY": GUIDE}, Repository(GUIDE)),
        ({"SITE_REPOSITORY": GUIDE, "SITE_BRANCH": "main"}, Repository(GUIDE, "main")),
        (READTHEDOCS, Repository(GUIDE, "main", "1f94e04")),
        # Nobody can edit a tag, and the identifier of a pull request is its number.
        (
            {**READTHEDOCS, "READTHEDOCS_VERSION_TYPE": "tag"},
            Repository(GUIDE, None, "1f94e04"),
        ),
        (
            {**READTHEDOCS, "READTHEDOCS_VERSION_TYPE": "external"},
            Repository(GUIDE, None, "1f94e04"),
        ),
        # The address that a build takes the code from need not be the one for readers.
        (
            {**READTHEDOCS, "SITE_REPOSITORY": "https://example.org/guide"},
            Repository("https://example.org/guide", "main", "1f94e04"),
        ),
        ({**READTHEDOCS, "READTHEDOCS_GIT_CLONE_URL": "/srv/git/guide"}, None),
    ],
)
def test_the_environment_tells_the_repository(
    environment: dict[str, str], repository: Repository | None
) -> None:
    assert from_environment(environment) == repository


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^SITE_REPOSITORY=guide is no address .* write one"):
        from_environment({"SITE_REPOSITORY": "guide"})


FORGE = "https://codeberg.org/group/guide"


@pytest.mark.parametrize(
    ("repository", "edit", "view", "report"),
    [
        (
            Repository(GUIDE, "a/b", "1f94"),
            f"{GUIDE}/edit/a/b/docs/x%231.md",
            f"{GUIDE}/blob/1f94/docs/x%231.md",
            f"{GUIDE}/issues/new?title=x%20%28en%29%3A%20&body=b",
        ),
        (
            Repository("https://gitlab.example.org/a/b/guide", "main", "1f94"),
            "https://gitlab.example.org/a/b/guide/-/edit/main/docs/x%231.md",
            "https://gitlab.example.org/a/b/guide/-/blob/1f94/docs/x%231.md",
            "https://gitlab.example.org/a/b/guide/-/issues/new"
            "?issue%5Btitle%5D=x%20%28en%29%3A%20&issue%5Bdescription%5D=b",
        ),
        (
            Repository("https://bitbucket.org/group/guide", "main", "1f94"),
            "https://bitbucket.org/group/guide/src/main/docs/x%231.md?mode=edit&at=main",
            "https://bitbucket.org/group/guide/src/1f94/docs/x%231.md",
            None,
        ),
        (
            Repository(FORGE, "main", "1f94"),
            f"{FORGE}/_edit/main/docs/x%231.md",
            f"{FORGE}/src/commit/1f94/docs/x%231.md",
            f"{FORGE}/issues/new?title=x%20%28en%29%3A%20&body=b",
        ),
        (Repository(GUIDE), None, None, f"{GUIDE}/issues/new?title=x%20%28en%29%3A%20&body=b"),
        (Repository("https://example.org/guide", "main", "1f94"), None, None, None),
    ],
)
def test_each_host_has_addresses_of_its_own(
    repository: Repository, edit: str | None, view: str | None, report: str | None
) -> None:
    assert repository.edit("docs/x#1.md") == edit
    assert repository.view("docs/x#1.md") == view
    assert repository.report("x (en): ", "b") == report


def shown(template: str, repository: dict[str, str | None] | None) -> dict[str, str]:
    """The links of a template by their texts."""
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(ROOT / "docs/_templates"))
    page = templates.get_template(template).render(repository=repository, say=str)
    return {
        str(link.get("aria-label") or link.text): str(link["href"])
        for link in BeautifulSoup(page, "html.parser").select("a")
    }


def test_an_english_page_can_be_edited() -> None:
    found = links(Repository(GUIDE, "main", "1f94"), "guide/memory", "guide/memory.md", "en")
    report = "title=guide%2Fmemory%20%28en%29%3A%20&body=Page%3A%20guide%2Fmemory%0ABuilt%20from"
    assert shown("page-links.html", found) == {
        "Edit this page": f"{GUIDE}/edit/main/docs/guide/memory.md",
        "Report a problem": f"{GUIDE}/issues/new?{report}%3A%201f94%0A%0A",
    }
    assert shown("repository-link.html", found) == {"Repository": GUIDE}


def test_a_translated_page_leads_to_its_english_source_and_to_its_catalog() -> None:
    page = "https://guide.invalid/ja/v1/guide/memory.html"
    found = links(Repository(GUIDE, "main"), "guide/memory", "guide/memory.md", "ja", page)
    shown_links = shown("page-links.html", found)
    report = parse_qs(urlsplit(shown_links.pop("Report a problem")).query)
    assert report["body"] == [f"Page: {page}\nBuilt from: main\n\n"]
    assert shown_links == {
        "Edit the English page": f"{GUIDE}/edit/main/docs/guide/memory.md",
        "Improve this translation": f"{GUIDE}/edit/main/locales/ja/LC_MESSAGES/guide/memory.po",
    }


def test_what_cannot_be_edited_is_shown() -> None:
    found = links(Repository(GUIDE, None, "1f94"), "guide/memory", "guide/memory.md", "ja")
    assert list(shown("page-links.html", found)) == ["Source of this page", "Report a problem"]


def test_a_page_without_a_source_can_be_reported() -> None:
    found = links(Repository(GUIDE, "main"), "search", None, "en")
    assert list(shown("page-links.html", found)) == ["Report a problem"]


@pytest.mark.parametrize("template", ["page-links.html", "repository-link.html"])
def test_without_a_repository_there_is_no_link(template: str) -> None:
    assert shown(template, None) == {}


def test_the_footer_always_names_the_licence() -> None:
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(ROOT / "docs/_templates"))
    page = templates.get_template("site-footer.html").render(repository=None, say=str, pathto=str)
    (link,) = BeautifulSoup(page, "html.parser").select("a[rel]")
    assert (link.text, link["rel"]) == ("Licence: Apache-2.0", ["license"])
