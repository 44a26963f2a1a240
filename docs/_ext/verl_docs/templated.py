"""A place in a page that an HTML template fills, and the scripts that nodes of a page need.

It is left out of everything but pages: beside it stands text that says the same.
"""

from __future__ import annotations

import zlib
from functools import partial
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from verl_docs.printed import Interactive


class templated(Interactive):  # noqa: N801 - docutils names nodes like this
    """`template` is a file of `_templates`, `scripts` are files of `_static`, `values` go in."""

    @classmethod
    def of(cls, template: str, scripts: list[str], **values: Any) -> templated:
        return cls("", template=template, scripts=scripts, values=values)


def visit(self: Any, node: templated) -> None:
    values = {**node["values"], "current": partial(current, Path(self.builder.outdir, "_static"))}
    self.body.append(self.builder.templates.render(node["template"], values))
    raise nodes.SkipNode


def current(folder: Path, name: str) -> str:
    """A file of `_static`, with what tells one state of it from another: browsers keep it."""
    file = folder / name
    return f"{name}?v={zlib.crc32(file.read_bytes()):08x}" if file.is_file() else name


def add_scripts(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Add the files of `_static` that nodes of this page name in `scripts`, each once."""
    scripts: dict[str, None] = {}
    for element in doctree.findall(nodes.Element) if doctree is not None else ():
        scripts |= dict.fromkeys(element.get("scripts", ()))
    for script in scripts:
        app.add_js_file(script, priority=600)


def setup(app: Sphinx) -> None:
    app.add_node(templated, html=(visit, None))
    app.connect("html-page-context", add_scripts)
