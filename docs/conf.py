"""Sphinx configuration: one English source, three languages.

The language of a build comes from ``-D language=…``. That option does not reach the variables of
this file, so everything that differs between languages is set in `apply_language`, which runs
when the language is known.
"""

from __future__ import annotations

import gc
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).with_name("_ext")))

from verl_docs import latex
from verl_docs.languages import LANGUAGES, readthedocs_language, site_of
from verl_docs.repository import from_environment

# The trees of the pages stay as long as they are needed: to search them for garbage as often as
# Python does takes a sixth of the time of a site, and two fifths of that of an e-book.
gc.set_threshold(50_000, 20, 20)

PYPROJECT = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))

# -- Project -----------------------------------------------------------------------------------

project = LANGUAGES["en"].title
version = PYPROJECT["tool"]["snippet-checker"]["verl"]  # of verl, which the guide describes
author = epub_copyright = "The authors of the verl tuning guide"
extensions = [
    "myst_parser",
    "notfound.extension",
    "snippet_checker.sphinx_ext",
    "sphinx_copybutton",
    "sphinx_markdown_builder",
    "verl_docs",
]
exclude_patterns = ["_*"]
templates_path = ["_templates"]
nitpicky = True

repository = from_environment(os.environ)
verl_release = version
verl_glossary = "../locales/glossary.toml"

myst_enable_extensions = ["colon_fence", "deflist"]

# -- Languages ---------------------------------------------------------------------------------

language = readthedocs_language()
locale_dirs = ["../locales"]
gettext_compact = False  # one catalog a page
gettext_uuid = False
# A catalog already belongs to one page. Line numbers would change whenever a line is added above.
gettext_location = False

# -- HTML --------------------------------------------------------------------------------------

html_theme = "pydata_sphinx_theme"
html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js", "search-preview.js"]
html_sidebars = {"**": ["site-nav.html"], "404": []}
html_context = {
    "default_mode": "light",  # without JavaScript; with it, layout.html asks the reader's system
    "verl_release": version,
}
html_show_sourcelink = False
html_use_index = False
html_copy_source = False
html_theme_options = {
    "navbar_start": ["navigation-link", "navbar-logo"],
    "navbar_center": [],  # the side bar shows the whole tree
    "navbar_persistent": ["search-button-field", "language-switch"],
    "navbar_end": ["repository-link", "theme-switcher"],
    "primary_sidebar_end": [],
    "secondary_sidebar_items": ["page-toc", "page-links"],
    "footer_start": ["site-footer"],
    "footer_end": [],
    "show_toc_level": 2,
    "templates_skip_empty_check": ["navigation-link.html", "site-nav.html"],
}

# Copy commands without their prompts and without their output.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
copybutton_here_doc_delimiter = "EOF"


# -- PDF and e-book ----------------------------------------------------------------------------

latex_engine = "xelatex"
latex_docclass = {"manual": "report"}  # Sphinx takes another one for Japanese
latex_use_xindy = False
# A name without the title, which differs between languages: .readthedocs.yaml asks for it.
epub_basename = "verl-tuning-guide"
epub_show_urls = "no"
epub_css_files = ["book.css"]
epub_exclude_files = ["404.xhtml"] + [
    f"_static/{file.name}"
    for file in Path(__file__).with_name("_static").iterdir()
    if file.name not in epub_css_files
]

# -- What depends on the language --------------------------------------------------------------


def apply_language(app: Sphinx, config: Config) -> None:
    if config.language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise SystemExit(f"there is no language '{config.language}' here; choose one of {known}")
    current = LANGUAGES[config.language]
    config.project = config.html_title = current.title
    config.html_theme_options = {
        **config.html_theme_options,
        "search_bar_text": current.search_hint,
        "logo": {
            "text": current.title,
            "image_light": "_static/logo.svg",
            "image_dark": "_static/logo.svg",
        },
    }
    config.epub_language = current.tag
    config.latex_elements = latex.elements(config.language)
    only_what_follows = True  # the start page leads to the others, which come after it anyway
    config.latex_documents = [
        ("index", f"{epub_basename}.tex", current.title, author, "manual", only_what_follows)
    ]
    config.notfound_urls_prefix = site_of(config).path(config.language)
    if config.language == "ja":
        app.add_js_file("copybutton-ja.js", priority=800)  # after copybutton.js


def describe_for_other_sites(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Give the templates what search engines and other sites show for a link to the page."""
    root = app.config.html_baseurl or context["content_root"]
    context["card"] = {
        "description": description(doctree) if isinstance(doctree, nodes.document) else None,
        "image": f"{root}_static/card-{LANGUAGES[app.config.language].tag}.png",
    }


def description(doctree: nodes.document) -> str | None:
    """What a page says about itself: in its front matter, or else in its first paragraph."""
    for meta in doctree.findall(nodes.meta):
        if meta.get("name") == "description":
            return str(meta["content"])
    first = next(doctree.findall(nodes.paragraph), None)
    return first.astext() if first is not None else None


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", apply_language)
    app.connect("html-page-context", describe_for_other_sites)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
