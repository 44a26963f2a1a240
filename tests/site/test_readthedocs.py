"""Read the Docs: its configuration file, and what the jobs in there make of a clean checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup

from tests.checkout import ROOT, copy_tracked

TAGS = {"en": "en", "zh-cn": "zh-CN", "ja": "ja"}
VERSION = "v1"
PDF_PROGRAMS = ("latexmk", "xelatex", "rsvg-convert")
MARKS = [pytest.mark.long, pytest.mark.xdist_group("readthedocs")]
JOBS = ["checkout", "system_dependencies", "create_environment", "install", "build"]


def config() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / ".readthedocs.yaml").read_text("utf-8"))
    return found


def test_the_file_follows_the_rules_of_version_2() -> None:
    known = {"version", "formats", "build", "sphinx", "python", "conda", "submodules", "search"}
    steps = {f"{when}{job}" for job in JOBS for when in ("", "pre_", "post_")}
    given, build = config(), config()["build"]
    assert given["version"] == 2
    assert set(given) <= known
    assert set(build) <= {"os", "tools", "apt_packages", "jobs"}
    assert re.fullmatch(r"ubuntu-\d\d\.04", build["os"])
    assert re.fullmatch(r"3\.\d+", build["tools"]["python"])
    assert set(build["jobs"]) <= steps
    # A format whose job is given has to be asked for, and one that is not would get a standard job.
    assert set(build["jobs"]["build"]) == {"html", *given["formats"]}
    assert set(given["formats"]) <= {"pdf", "epub", "htmlzip"}
    for package in build["apt_packages"]:
        assert re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9.+-]*", package)
    assert (ROOT / given["sphinx"]["configuration"]).is_file()


@dataclass(frozen=True)
class Project:
    """A project of Read the Docs after its build."""

    language: str
    output: Path

    @property
    def locale(self) -> str:
        return self.language.replace("-cn", "_CN")

    @property
    def base(self) -> str:
        return f"https://guide.invalid/{self.language}/{VERSION}/"

    def soup(self, page: str) -> BeautifulSoup:
        return BeautifulSoup((self.output / "html" / page).read_text("utf-8"), "html.parser")


def run(command: str, checkout: Path, project: Project) -> None:
    """A command as Read the Docs runs it: a shell of its own, in the root of the checkout."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(checkout),
        "HOME": str(checkout),
        "LANG": "C.UTF-8",
        "READTHEDOCS": "True",
        "READTHEDOCS_LANGUAGE": project.language,
        "READTHEDOCS_VERSION": VERSION,
        "READTHEDOCS_VERSION_TYPE": "branch",
        "READTHEDOCS_GIT_CLONE_URL": "git@github.com:group/guide.git",
        "READTHEDOCS_GIT_IDENTIFIER": "main",
        "READTHEDOCS_GIT_COMMIT_HASH": "1f94e04b7f596c309b7efab4e7630ed78e85a1f1",
        "READTHEDOCS_OUTPUT": str(project.output),
        "READTHEDOCS_CANONICAL_URL": project.base,
    }
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"


@pytest.fixture(
    scope="module",
    params=[pytest.param(tag, marks=MARKS) for tag in TAGS],
)
def project(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    """The English one is made of a clean checkout.

    The others are made of this one, whose pages the site of the other tests has read already: to
    read them once more takes most of the time.
    """
    checkout = tmp_path_factory.mktemp("checkout")
    made = Project(request.param, checkout / "_readthedocs" / request.param)
    if made.language == "en":
        copy_tracked(checkout)
    else:
        for name in ("docs", "locales", "snippet_checker", "tools", "pyproject.toml"):
            checkout.joinpath(name).symlink_to(ROOT / name)
        site: Path = request.getfixturevalue("site")
        shutil.copytree(site.parent / "doctrees" / made.locale, checkout / "build/doctrees")
    for kind, commands in config()["build"]["jobs"]["build"].items():
        if kind == "pdf" and not all(map(shutil.which, PDF_PROGRAMS)):
            continue
        for command in commands:
            run(command, checkout, made)
    yield made
    shutil.rmtree(checkout)


@pytest.mark.slow
def test_a_project_is_the_guide_in_its_language(project: Project) -> None:
    page = project.soup("guide/memory.html")
    assert page.html is not None
    assert page.html["lang"] == TAGS[project.language]
    canonical = page.select_one('link[rel="canonical"]')
    assert canonical is not None
    assert canonical["href"] == f"{project.base}guide/memory.html"


@pytest.mark.slow
def test_its_pages_lead_to_the_other_projects(project: Project) -> None:
    page = project.soup("guide/memory.html")
    links = {link["hreflang"]: link["href"] for link in page.select(".language-switch a")}
    alternates = {link["hreflang"]: link["href"] for link in page.select('link[rel="alternate"]')}
    host = "https://guide.invalid"
    here = f"../../../{{}}/{VERSION}/guide/memory.html"
    there = f"{host}/{{}}/{VERSION}/guide/memory.html"
    assert links == {tag: here.format(code) for code, tag in TAGS.items()}
    assert alternates == {
        **{tag: there.format(code) for code, tag in TAGS.items()},
        "x-default": there.format("en"),
    }


@pytest.mark.slow
def test_its_pages_lead_to_the_repository(project: Project) -> None:
    page = project.soup("guide/memory.html")
    repository = "https://github.com/group/guide"
    names = ["docs/guide/memory.md", f"locales/{project.locale}/LC_MESSAGES/guide/memory.po"]
    *edits, report = (str(link["href"]) for link in page.select(".page-links a"))
    wanted = names if project.locale != "en" else names[:1]
    assert edits == [f"{repository}/edit/main/{name}" for name in wanted]
    assert all((ROOT / name).is_file() for name in wanted)
    assert report.startswith(f"{repository}/issues/new?title=guide%2Fmemory")
    assert {repository, report} <= {link["href"] for link in page.select(".bd-footer a")}


@pytest.mark.slow
def test_the_page_not_found_has_what_it_needs_at_any_address(project: Project) -> None:
    page = project.soup("404.html")
    root = f"/{project.language}/{VERSION}/"
    links = {link["hreflang"]: link["href"] for link in page.select(".language-switch a")}
    assert links == {tag: f"/{code}/{VERSION}/index.html" for code, tag in TAGS.items()}
    needed = [str(link["href"]) for link in page.select("link[href*=_static], article a.internal")]
    assert needed
    for address in needed:
        path = re.sub("[?#].*", "", address)
        assert path.startswith(root), address
        assert (project.output / "html" / path.removeprefix(root)).is_file(), address


@pytest.mark.slow
def test_the_sitemap_of_the_english_project_is_that_of_the_host(project: Project) -> None:
    sitemap = project.output / "html/sitemap.xml"
    assert sitemap.exists() == (project.language == "en")
    if sitemap.exists():
        text = sitemap.read_text("utf-8")
        assert all(f"<loc>https://guide.invalid/{code}/{VERSION}/" in text for code in TAGS)


@pytest.mark.slow
def test_there_is_one_file_to_download_in_each_format(project: Project) -> None:
    (book,) = (project.output / "epub").iterdir()
    with zipfile.ZipFile(book) as content:
        names = content.namelist()
        assert f"<dc:language>{TAGS[project.language]}<" in content.read("content.opf").decode()
    assert "guide/memory.xhtml" in names
    assert not [name for name in names if name.endswith(".js") or "404" in name]
    if (project.output / "pdf").exists():
        (paper,) = (project.output / "pdf").iterdir()
        assert paper.read_bytes().startswith(b"%PDF")
