"""What says on a recipe's page that verl itself accepted the command."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
from docutils import nodes
from msgspec import Struct
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from verl_docs.interface import _
from verl_docs.keys import ref_link
from verl_docs.tables import literal


class VerifiedDirective(SphinxDirective):
    """A line that holds for the script of the argument, beside the page, as it stands now.

    `make verify-recipes` writes the record; a script that was changed since breaks the build.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        relative, script = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(script)
        source = self.env.srcdir
        record = source / self.config.verl_record
        self.env.note_dependency(str(record))
        again = "run `make verify-recipes`"
        if not Path(script).is_file():
            raise self.error(f"there is no script {source.name}/{relative}; write it, then {again}")
        try:
            found = read(record)
        except (OSError, ValueError) as error:
            message = f"{source.name}/{self.config.verl_record} cannot be read ({error}); {again}"
            raise self.error(message) from None
        digest = hashlib.sha256(Path(script).read_bytes()).hexdigest()
        known = found.scripts.get(f"{source.name}/{relative}")
        if known is None or known.sha256 != digest:
            raise self.error(f"verl has not accepted this text of {relative}: {again}")
        line = nodes.paragraph(classes=["badge", "badge-verified"], translatable=False)
        said = _("Accepted by Hydra and by the start-up code of verl %s, run on a CPU")
        docname = self.env.current_document.docname
        line += ref_link("recipes-verified", docname, said % found.verl)
        line += [nodes.Text(" · "), literal("make verify-recipes")]
        return [line]


class Script(Struct, frozen=True):
    """A script that verl accepted."""

    sha256: str


class Record(Struct, frozen=True):
    """What `make verify-recipes` found: the release, and scripts by path."""

    verl: str
    scripts: dict[str, Script]


def read(record: Path) -> Record:
    """What a file records; raises OSError and ValueError."""
    return msgspec.json.decode(record.read_bytes(), type=Record)


def setup(app: Sphinx) -> None:
    app.add_config_value("verl_record", "recipes/verified.json", "env", types=(str,))
