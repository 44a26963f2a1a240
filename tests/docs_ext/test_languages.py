"""The addresses of a page in each language, as far as the environment tells them."""

from __future__ import annotations

import pytest
from sphinx.config import Config

from verl_docs.languages import LANGUAGES, readthedocs_language, site_of

READTHEDOCS = {
    "READTHEDOCS": "True",
    "READTHEDOCS_VERSION": "v1",
    "READTHEDOCS_VERSION_TYPE": "tag",
}
PREVIEW = {**READTHEDOCS, "READTHEDOCS_VERSION": "7", "READTHEDOCS_VERSION_TYPE": "external"}
HOST = "https://guide.invalid/"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*READTHEDOCS, "READTHEDOCS_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)


def config(**values: str) -> Config:
    made = Config({}, values)
    made.add("html_baseurl", "", "html", str)
    return made


@pytest.mark.parametrize(
    ("environment", "base", "chinese", "start", "path"),
    [
        # Nobody told an address: none is written.
        ({}, "", None, None, "/ja/"),
        ({}, f"{HOST}docs/", None, None, "/ja/"),
        ({}, f"{HOST}ja/", "zh_CN/a.html", "", "/ja/"),
        ({}, f"{HOST}x/y/ja/", "x/y/zh_CN/a.html", "x/y/", "/x/y/ja/"),
        (READTHEDOCS, f"{HOST}ja/v1/", "zh-cn/v1/a.html", "en/v1/index.html", "/ja/v1/"),
        (
            READTHEDOCS,
            f"{HOST}projects/guide/ja/v1/",
            "projects/guide/zh-cn/v1/a.html",
            "projects/guide/en/v1/index.html",
            "/projects/guide/ja/v1/",
        ),
        # A project without translations or versions in its addresses has no other language.
        (READTHEDOCS, HOST, None, None, "/ja/v1/"),
        (PREVIEW, f"{HOST}ja/7/", None, None, "/ja/7/"),
    ],
)
def test_addresses(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    base: str,
    chinese: str | None,
    start: str | None,
    path: str,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    site = site_of(config(language="ja", html_baseurl=base))
    assert site.alternates("a").get("zh-CN") == (None if chinese is None else HOST + chinese)
    assert site.alternates("index").get("x-default") == (None if start is None else HOST + start)
    assert site.path("ja") == path


def test_languages_stand_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    assert site_of(config()).beside("zh_CN") == "../zh_CN/"
    for name, value in READTHEDOCS.items():
        monkeypatch.setenv(name, value)
    assert site_of(config()).beside("zh_CN") == "../../zh-cn/v1/"


@pytest.mark.parametrize("code", LANGUAGES)
def test_read_the_docs_names_the_language(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setenv("READTHEDOCS_LANGUAGE", LANGUAGES[code].rtd)
    assert readthedocs_language() == code
