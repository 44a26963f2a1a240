"""The list of all pages in all languages that search engines read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

from sphinx.application import Sphinx

from verl_docs.languages import DEFAULT, NOT_FOUND, Site, site_of

FILE = "sitemap.xml"


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write it with the default language, whose project serves it on Read the Docs."""
    site = site_of(app.config)
    if exception or app.builder.name != "html" or app.config.language != DEFAULT or not site.root:
        return
    pages = sorted(app.env.found_docs - {NOT_FOUND})
    sitemap(site, pages).write(Path(app.outdir, FILE), "utf-8", xml_declaration=True)


def sitemap(site: Site, pages: Iterable[str]) -> ET.ElementTree[ET.Element]:
    """Every page, with the addresses of the same page in the other languages."""
    root = ET.Element(
        "urlset",
        {
            "xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9",
            "xmlns:xhtml": "http://www.w3.org/1999/xhtml",
        },
    )
    for page in pages:
        alternates = site.alternates(page)
        for address in dict.fromkeys(alternates.values()):
            entry = ET.SubElement(root, "url")
            ET.SubElement(entry, "loc").text = address
            for tag, other in alternates.items():
                ET.SubElement(entry, "xhtml:link", rel="alternate", hreflang=tag, href=other)
    return ET.ElementTree(root)


def setup(app: Sphinx) -> None:
    app.connect("build-finished", write)
