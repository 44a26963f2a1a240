"""What these pages need beyond Sphinx; what they show about verl comes from the schema."""

from __future__ import annotations

from sphinx.application import Sphinx

from verl_docs import (
    badges,
    calculators,
    cards,
    coverage,
    descriptions,
    diagrams,
    domain,
    facts,
    finder,
    interface,
    languages,
    markdown_pages,
    markup,
    measured,
    messages,
    printed,
    rebuild,
    repository,
    search,
    sitemap,
    styles,
    tables,
    templated,
    terms,
    translated,
    untranslated,
    verified,
)


def setup(app: Sphinx) -> dict[str, object]:
    parts = (
        interface,
        facts,
        domain,
        badges,
        calculators,
        cards,
        coverage,
        descriptions,
        diagrams,
        finder,
        languages,
        markdown_pages,
        markup,
        measured,
        messages,
        printed,
        rebuild,
        repository,
        search,
        sitemap,
        styles,
        tables,
        templated,
        terms,
        translated,
        untranslated,
        verified,
    )
    for part in parts:
        part.setup(app)
    return {
        "version": "1",
        "env_version": rebuild.ground(app),  # another one, and all pages are read again
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
