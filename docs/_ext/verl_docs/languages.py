"""The languages of the guide, and the addresses of a page in each of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config


class Language(NamedTuple):
    name: str  # what its readers call it
    tag: str  # for lang and hreflang attributes
    rtd: str  # what Read the Docs calls it, in READTHEDOCS_LANGUAGE and in addresses
    title: str
    search_hint: str


LANGUAGES = {
    "en": Language("English", "en", "en", "verl tuning guide", "Search the guide"),
    "zh_CN": Language("简体中文", "zh-CN", "zh-cn", "verl 调优指南", "搜索本指南"),
    "ja": Language("日本語", "ja", "ja", "verl チューニングガイド", "このガイドを検索"),
}
DEFAULT = "en"  # of readers whose own language is none of these
START, NOT_FOUND = "index", "404"


@dataclass(frozen=True, slots=True)
class Site:
    """Where the languages stand beside each other.

    They are folders below a page that leads to one of them, or versions of projects of Read the
    Docs. `root` is the address above all of them, as far as it is known.
    """

    root: str | None
    version: str | None = None  # of Read the Docs

    def folder(self, code: str) -> str:
        """A language's part of an address."""
        return f"{code}/" if self.version is None else f"{LANGUAGES[code].rtd}/{self.version}/"

    def beside(self, code: str) -> str:
        """The root of a language, seen from the root of any of them."""
        folder = self.folder(code)
        return "../" * folder.count("/") + folder

    def path(self, code: str) -> str:
        """A language's folder on its host."""
        return urlsplit(self.root or "/").path + self.folder(code)

    def alternates(self, pagename: str) -> dict[str, str]:
        """The addresses of a page by `hreflang`; none where they are not known."""
        if self.root is None:
            return {}
        page = f"{pagename}.html"
        found = {
            known.tag: self.root + self.folder(code) + page for code, known in LANGUAGES.items()
        }
        leads_on = pagename == START and self.version is None
        default = self.root if leads_on else found[LANGUAGES[DEFAULT].tag]
        return {**found, "x-default": default}


def readthedocs_language() -> str:
    """The language of the project of Read the Docs that is being built, else the default."""
    wanted = os.environ.get("READTHEDOCS_LANGUAGE")
    return next((code for code, known in LANGUAGES.items() if known.rtd == wanted), DEFAULT)


def site_of(config: Config) -> Site:
    """The site that a build is a part of.

    The preview of a pull request has no translations beside it that anybody should find.
    """
    on_readthedocs = os.environ.get("READTHEDOCS") == "True"
    version = os.environ["READTHEDOCS_VERSION"] if on_readthedocs else None
    folder = "/" + Site(None, version).folder(config.language)
    is_preview = os.environ.get("READTHEDOCS_VERSION_TYPE") == "external"
    if is_preview or not config.html_baseurl.endswith(folder):
        return Site(None, version)
    return Site(config.html_baseurl.removesuffix(folder) + "/", version)


def add_links(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Give the templates this page's address in every language."""
    site = site_of(app.config)
    is_found = pagename != NOT_FOUND
    page = (pagename if is_found else START) + context["link_suffix"]
    context["site_page"] = page
    context["site_languages"] = [
        {
            "name": other.name,
            "tag": other.tag,
            "current": code == app.config.language,
            "href": (context["content_root"] + site.beside(code) if is_found else site.path(code))
            + page,
        }
        for code, other in LANGUAGES.items()
    ]
    context["site_language_name"] = LANGUAGES[app.config.language].name
    context["alternates"] = site.alternates(pagename) if is_found and doctree is not None else {}
    if not is_found:
        context["pageurl"] = None  # it is shown at any address


def make_links_absolute(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """The page "not found" is shown at any address: its links cannot be relative to it."""
    if docname == NOT_FOUND:
        root = site_of(app.config).path(app.config.language)
        for reference in doctree.findall(nodes.reference):
            if reference.get("internal"):
                reference["refuri"] = root + reference["refuri"]


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", add_links)
    app.connect("doctree-resolved", make_links_absolute)
