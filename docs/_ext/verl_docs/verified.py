"""What says on a recipe's page that verl itself accepted the command."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from verl_docs.facts import DOCS
from verl_docs.interface import _
from verl_docs.keys import ref_link
from verl_docs.tables import literal

RECORD = DOCS / "recipes/verified.json"


class VerifiedDirective(SphinxDirective):
    """A line that holds for the script of the argument, beside the page, as it stands now.

    `make verify-recipes` writes the record; a script that was changed since breaks the build.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        relative, script = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(script)
        self.env.note_dependency(str(RECORD))
        again = "run `make verify-recipes`"
        if not Path(script).is_file():
            message = f"there is no script docs/{relative}; write it, then {again}"
            raise self.error(message)
        try:
            found = record()
        except (OSError, ValueError) as error:
            message = f"docs/recipes/{RECORD.name} cannot be read ({error}); {again}"
            raise self.error(message) from None
        digest = hashlib.sha256(Path(script).read_bytes()).hexdigest()
        known = found["scripts"].get(f"docs/{relative}")
        if known is None or known["sha256"] != digest:
            message = f"verl has not accepted this text of {relative}: {again}"
            raise self.error(message)
        line = nodes.paragraph(classes=["badge", "badge-verified"], translatable=False)
        said = _("Accepted by Hydra and by the start-up code of verl %s, run on a CPU")
        docname = self.env.current_document.docname
        line += ref_link("recipes-verified", docname, said % found["verl"])
        line += [nodes.Text(" · "), literal("make verify-recipes")]
        return [line]


@cache
def record() -> dict[str, Any]:
    """What `make verify-recipes` found: the release, packages, and scripts by path."""
    found: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return found
