"""Data that the scripts of pages read, in files of `_static`."""

from __future__ import annotations

import json
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder


def is_wanted(builder: Builder) -> bool:
    """Whether a build makes pages for browsers: an e-book runs no scripts."""
    return isinstance(builder, StandaloneHTMLBuilder) and not builder.embedded


def path_of(app: Sphinx, name: str) -> Path:
    """Where a file of `_static` is in the built site."""
    return Path(app.outdir, "_static", name)


def write(app: Sphinx, name: str, variable: str, data: object, end: str = "") -> None:
    """Write a script that sets a variable (`const known`, `window.known`) to data.

    It has to be there before the pages are, whose links to it carry its checksum.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    file = path_of(app, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{variable} = {text};\n{end}", "utf-8")
