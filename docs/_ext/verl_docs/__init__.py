"""What these pages need beyond Sphinx; what they show about verl comes from the schema."""

from __future__ import annotations

import zlib
from pathlib import Path

from sphinx.application import Sphinx

import snippet_checker
from verl_docs import (
    badges,
    calculators,
    coverage,
    descriptions,
    diagrams,
    domain,
    facts,
    finder,
    languages,
    markup,
    printed,
    repository,
    search,
    sitemap,
    templated,
    terms,
    untranslated,
)


def setup(app: Sphinx) -> dict[str, object]:
    parts = (
        domain,
        badges,
        calculators,
        coverage,
        diagrams,
        finder,
        languages,
        markup,
        printed,
        repository,
        search,
        sitemap,
        templated,
        terms,
        untranslated,
    )
    for part in parts:
        part.setup(app)
    return {
        "version": "1",
        "env_version": _fingerprint(),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _fingerprint() -> int:
    """A number that changes with the code and the data that pages are made of.

    Sphinx then reads every page again; it cannot know that a page depends on them.
    """
    folders = (
        Path(__file__).parent,
        Path(snippet_checker.__file__).parent / "schema",
        descriptions.FOLDER,
    )
    files = [f for folder in folders for f in folder.rglob("*") if f.suffix != ".pyc"]
    found = zlib.crc32(facts.VERL.encode())
    for file in sorted(file for file in files if file.is_file()):
        found = zlib.crc32(file.read_bytes(), found)
    return found
