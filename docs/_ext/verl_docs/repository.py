"""Links to the repository of the guide: to edit a page, to see its source, to report a problem.

Nothing is invented: without the address of the repository there is no link, on a host whose
addresses are not known there is one to the repository only, and without a branch none to edit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from sphinx.application import Sphinx
from sphinx.errors import ConfigError

from verl_docs.languages import DEFAULT, LANGUAGES

ADDRESS = "SITE_REPOSITORY"  # environment variables, as documented in read-the-docs.md
BRANCH = "SITE_BRANCH"
_SECURE = {"git": "https", "git+ssh": "https", "ssh": "https", "http": "http", "https": "https"}
# git@example.org:group/guide.git
_SHORT_SSH = re.compile(r"(?:[^@/:]+@)?(?P<host>[^@/:]+\.[^@/:]+):(?P<path>[^/].*)")


@dataclass(frozen=True, slots=True)
class Host:
    """What comes after the address of a repository on one kind of host.

    `{at}` stands for the commit that is viewed, or the branch that is edited, and `{path}` for a
    file. `report` is the page for a new
    issue, with the parameters that fill in its title and its text; None where it has none.
    """

    view: str
    edit: str
    report: tuple[str, str, str] | None


_GITHUB = Host("blob/{at}/{path}", "edit/{at}/{path}", ("issues/new", "title", "body"))
_GITLAB = Host(
    "-/blob/{at}/{path}",
    "-/edit/{at}/{path}",
    ("-/issues/new", "issue[title]", "issue[description]"),
)
_BITBUCKET = Host("src/{at}/{path}", "src/{at}/{path}?mode=edit&at={at}", None)
_FORGEJO = Host("src/commit/{at}/{path}", "_edit/{at}/{path}", ("issues/new", "title", "body"))


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on the web. Files can be edited on a `branch`, and seen at a `commit`."""

    address: str
    branch: str | None = None
    commit: str | None = None

    @property
    def host(self) -> Host | None:
        """Its kind of host, told by the host's name: github.com, gitlab.example.org."""
        name = urlsplit(self.address).hostname or ""
        labels = set(name.split("."))
        if "github" in labels:
            return _GITHUB
        if "gitlab" in labels:
            return _GITLAB
        if name == "bitbucket.org":  # the addresses of a server of one's own are others
            return _BITBUCKET
        if labels & {"codeberg", "forgejo", "gitea"}:
            return _FORGEJO
        return None

    def edit(self, path: str) -> str | None:
        """Where a file can be edited."""
        return self._file(self.host.edit, self.branch, path) if self.host else None

    def view(self, path: str) -> str | None:
        """Where a file can be read as it was when the page was made."""
        return self._file(self.host.view, self.commit, path) if self.host else None

    def _file(self, form: str, at: str | None, path: str) -> str | None:
        if at is None:
            return None
        return f"{self.address}/{form.format(at=quote(at), path=quote(path))}"

    def report(self, title: str, text: str) -> str | None:
        """The page for a new issue, with its title and its text begun."""
        if self.host is None or self.host.report is None:
            return None
        page, for_title, for_text = self.host.report
        filled_in = urlencode({for_title: title, for_text: text}, quote_via=quote)
        return f"{self.address}/{page}?{filled_in}"


def web_address(clone: str) -> str | None:
    """The page of a repository on the web, from the address that git takes; without credentials.

    None for a folder, and for anything else that is no address of a host.
    """
    if short := _SHORT_SSH.fullmatch(clone):
        scheme, host, path = "https", short["host"], short["path"]
    else:
        try:
            parts = urlsplit(clone)
            port = f":{parts.port}" if parts.port and parts.scheme.startswith("http") else ""
        except ValueError:
            return None
        scheme, host, path = _SECURE.get(parts.scheme, ""), parts.hostname or "", parts.path
        host += port if host else ""
    path = path.strip("/").removesuffix(".git")
    return f"{scheme}://{host}/{path}" if scheme and host and path else None


def from_environment(environment: Mapping[str, str]) -> Repository | None:
    """The repository that a build is told of, by Read the Docs or by who builds the site.

    Raises ConfigError where the latter gave something else.
    """
    told = environment.get(ADDRESS)
    address = web_address(told or environment.get("READTHEDOCS_GIT_CLONE_URL", ""))
    if address is None:
        if told:
            raise ConfigError(
                f"{ADDRESS}={told} is no address of a repository; "
                "write one like https://example.org/group/guide"
            )
        return None
    branch = environment.get(BRANCH) or None
    if environment.get("READTHEDOCS_VERSION_TYPE") == "branch":
        branch = branch or environment.get("READTHEDOCS_GIT_IDENTIFIER")
    return Repository(address, branch, environment.get("READTHEDOCS_GIT_COMMIT_HASH"))


def links(
    repository: Repository, page: str, source: str | None, language: str, url: str | None = None
) -> dict[str, str | None]:
    """What the templates show of a repository for a page.

    `source` is the file of the page below `docs`, `url` its address if that is known.
    """
    title = f"{page} ({LANGUAGES[language].tag}): "
    facts = {"Page": url or page, "Built from": repository.commit or repository.branch}
    text = "".join(f"{name}: {fact}\n" for name, fact in facts.items() if fact) + "\n"
    found = {"address": repository.address, "report": repository.report(title, text)}
    if source is not None:
        found["edit"] = repository.edit(f"docs/{source}")
        found["view"] = repository.view(f"docs/{source}")
        catalog = Path(source).with_suffix(".po").as_posix()
        if language != DEFAULT:
            found["translate"] = repository.edit(f"locales/{language}/LC_MESSAGES/{catalog}")
    return found


def add_links(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Give the templates the links of a page, or None."""
    repository: Repository | None = app.config.repository
    has_source = doctree is not None and pagename in app.env.found_docs
    source = str(app.env.doc2path(pagename, base=False)) if has_source else None
    url = context.get("pageurl")
    context["repository"] = repository and links(
        repository, pagename, source, app.config.language, url
    )


def setup(app: Sphinx) -> None:
    app.add_config_value("repository", None, "html", types=(Repository, type(None)))
    app.connect("html-page-context", add_links)
