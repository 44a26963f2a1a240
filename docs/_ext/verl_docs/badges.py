"""A line below each block of configuration that says what it was checked against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform

from snippet_checker import check, documents
from snippet_checker.model import Context
from snippet_checker.rules import Case
from snippet_checker.schema.release import Primary, Release
from verl_docs import facts
from verl_docs.keys import ref_link
from verl_docs.printed import docname_of


class Badge(NamedTuple):
    """What a block was checked against; a block that is wrong on purpose is not `valid`."""

    release: str
    program: str | None
    valid: bool


class BadgeTransform(SphinxPostTransform):
    """Puts the line below the blocks, outside of what a copy button copies."""

    default_priority = 5  # before links are resolved

    def run(self, **kwargs: object) -> None:
        known: dict[str, dict[str, list[Badge]]] = {}
        for block in [*self.document.findall(nodes.literal_block)]:
            page = docname_of(block, self.env)
            if page not in known:
                known[page] = _by_text(Path(str(self.env.doc2path(page))))
            badges = known[page].get(_plain(block.astext())) or [*_of_script(block)]
            if badges:
                # The same text may stand there twice, for two releases.
                badge = badges.pop(0) if len(badges) > 1 else badges[0]
                block.replace_self(self._with_line(block, badge, page))

    def _with_line(self, block: nodes.literal_block, badge: Badge, page: str) -> nodes.container:
        line = nodes.paragraph(classes=["badge" if badge.valid else "badge badge-wrong"])
        what = _("Checked against") if badge.valid else _("Wrong on purpose, for")
        shown = f"{what} verl {badge.release}"
        line += ref_link("checker", page, shown)
        if badge.program is not None:
            line += [nodes.Text(" · "), nodes.literal("", badge.program)]
        return nodes.container("", block.deepcopy(), line, classes=["checked-code"])


def _by_text(path: Path) -> dict[str, list[Badge]]:
    known = defaultdict(list)
    for text, badge in _badges(path):
        known[text].append(badge)
    return known


@cache
def _badges(path: Path) -> tuple[tuple[str, Badge], ...]:
    """Text and badge of each block of a document that holds settings, in their order."""
    if not path.exists():
        return ()
    options = check.Options(facts.VERL)
    checked = check.each_block(documents.read_file(path), options)
    return tuple((_plain(c.block.text), badge) for c in checked for badge in _badge(c))


def _of_script(block: nodes.literal_block) -> Iterator[Badge]:
    """The badge of an included script, which is checked as the page shows it."""
    if block.get("language") != "bash" or "source" not in block:
        return
    text = documents.read_text("included.sh", block.astext())
    for checked in check.each_block(text, check.Options(facts.VERL)):
        yield from _badge(checked)


def _badge(checked: check.CheckedBlock) -> Iterator[Badge]:
    cases = [case for case in checked.cases if case.snippet.context is not Context.MENTION]
    judged = [c for c in cases if any(verdict.gap is None for verdict in c.judgement.verdicts)]
    if judged and not checked.findings:
        case = judged[0]
        yield Badge(case.judgement.release.name, _program(case), not checked.ignored)


def _program(case: Case) -> str | None:
    """The program that a snippet starts, or the first that starts from its config."""
    judgement = case.judgement
    if judgement.primary is None:
        return None
    started = judgement.release.entry_module(case.snippet.entry or "")
    return started or _first_program(judgement.release, judgement.primary)


def _first_program(release: Release, primary: Primary) -> str | None:
    named = [
        entry.module
        for entry in release.facts.entries
        if (entry.config_dir, entry.config_name) == (primary.config_dir, primary.config_name)
    ]
    return next((program for program in facts.PROGRAMS if program in named), None)


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def setup(app: Sphinx) -> None:
    app.add_post_transform(BadgeTransform)
