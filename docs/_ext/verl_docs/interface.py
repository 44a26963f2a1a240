"""What pages say beside their text: the strings of our code and templates, and their catalog.

`_` in our code and `say` in our templates; `make i18n-update` finds both. What Sphinx and its theme
say is theirs; `locales/sphinx.pot` names what is translated in their place.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.locale import get_translation
from sphinx.util.i18n import CatalogInfo

from snippet_checker.verl.values import Kind

CATALOG = "verl_docs"

_ = get_translation(CATALOG)


def name_of(kind: Kind) -> str:
    """A kind of value in the reader's language; `Kind` itself has it in English."""
    names = {
        Kind.SWITCH: _("true or false"),
        Kind.WHOLE: _("a whole number"),
        Kind.NUMBER: _("a number"),
        Kind.TEXT: _("text"),
        Kind.LIST: _("a list"),
        Kind.MAPPING: _("a mapping"),
    }
    return names[kind]


def catalog_in(folder: Path, language: str) -> Path:
    """The catalog of a language in one of the project's `locale_dirs`."""
    return folder / language / "LC_MESSAGES" / f"{CATALOG}.po"


def add_to_templates(app: Sphinx) -> None:
    templates = getattr(app.builder, "templates", None)
    if isinstance(templates, BuiltinTemplateLoader):
        templates.environment.globals["say"] = _


def setup(app: Sphinx) -> None:
    language = app.config.language
    for name in app.config.locale_dirs:
        folder = Path(app.srcdir, name)
        found = CatalogInfo(str(catalog_in(folder, language).parent), CATALOG, "utf-8")
        # Sphinx compiles the catalogs of pages, and only later.
        if catalog_in(folder, language).exists() and found.is_outdated():
            found.write_mo(language, app.config.gettext_allow_fuzzy_translations)
        app.add_message_catalog(CATALOG, folder)
    app.connect("builder-inited", add_to_templates)
