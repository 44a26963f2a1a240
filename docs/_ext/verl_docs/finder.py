"""The field that finds keys: what it needs to know, and the names that drifted as tables.

The search itself is `_static/key-likeness.js`, which follows
`snippet_checker.suggest`, and `_static/key-finder.js`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from msgspec import to_builtins
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.util.docutils import SphinxDirective

from snippet_checker import snippets
from snippet_checker.runner import read_file
from snippet_checker.suggest import foreign, meanings, unrelated, words
from snippet_checker.suggest.key_paths import SHARED_ROOT, key_paths
from snippet_checker.suggest.weights import WEIGHTS
from snippet_checker.verl import drift, history, key_index
from snippet_checker.verl.history import KeyHistory
from snippet_checker.verl.lifecycle import Note
from snippet_checker.verl.release import Release, load, releases
from verl_docs import messages, page_data
from verl_docs.changes import below, known_key, moved_subtrees, set_now, subtrees
from verl_docs.facts import Facts, FactsDirective, Key, default_of
from verl_docs.interface import _
from verl_docs.rebuild import digest, sees_all_pages
from verl_docs.tables import literal, row, table
from verl_docs.templated import templated

if TYPE_CHECKING:
    from verl_docs.domain import VerlDomain

DATA = "verl-keys.js"
# What the form loads when it is first used: it is much, and most readers of a page do not ask.
ASKED = [DATA, "key-words.js", "key-likeness.js", *messages.SCRIPTS, "key-finder.js"]


class FinderDirective(SphinxDirective):
    """The field that finds keys by any name that they have, had, or are often given."""

    def run(self) -> list[nodes.Node]:
        sees_all_pages(self.env)  # in the checksum of the data
        return [templated.of("key-finder.html", ["key-finder-form.js"], asked=ASKED)]


class NamesDirective(FactsDirective):
    """One of the tables of names that no longer hold: `invented`, `moved` or `dropped`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        tables = {"invented": self._invented, "moved": self._moved, "dropped": self._dropped}
        if self.arguments[0] not in tables:
            raise self.error(f"'{self.arguments[0]}' is none of {', '.join(tables)}")
        return [tables[self.arguments[0]]()]

    def _invented(self) -> nodes.table:
        rows = [
            row([[literal(name.wrong)], [known_key(name.right, self.facts)]])
            for name in sorted(drift.names(), key=lambda name: name.wrong)
        ]
        return table([_("Written"), _("Meant")], [50, 50], rows, "drifting-names")

    def _moved(self) -> nodes.table:
        moved = [entry for entry in gone(self.facts.name) if entry.successor is not None]
        last = {entry.key: entry.last for entry in moved}
        rows = []
        for old, new, count in moved_subtrees(moved, self.facts.release.all_keys):
            until = last.get(old) or max(
                (last[k] for k in last if k.startswith(f"{old}.")), key=releases().index
            )
            rows.append(
                row(
                    [
                        [literal(old), *below(count)],
                        [known_key(new, self.facts)],
                        [nodes.Text(until)],
                    ]
                )
            )
        return table(
            [_("Until then"), _("Now"), _("Last release")], [42, 42, 16], rows, "drifting-names"
        )

    def _dropped(self) -> nodes.table:
        dropped = {entry.key: entry for entry in gone(self.facts.name) if entry.successor is None}
        rows = [
            row(
                [
                    [literal(key), *below(count)],
                    set_now(dropped[key].instead, self.facts),
                    [nodes.Text(dropped[key].last)],
                ]
            )
            for key, count in subtrees(dropped)
        ]
        headings = [_("Key"), _("What is set now"), _("Last release")]
        return table(headings, [42, 42, 16], rows, "drifting-names")


@cache
def gone(release: str) -> tuple[KeyHistory, ...]:
    """Every key that an earlier release had and this one has not, with what became of it."""
    earlier = releases()[: releases().index(release)]
    ever: frozenset[str] = frozenset().union(*(load(name).all_keys for name in earlier))
    found = (history.of_key(key) for key in sorted(ever - load(release).all_keys))
    return tuple(entry for entry in found if entry is not None)


def data(domain: VerlDomain) -> dict[str, Any]:
    """Everything that the script in the page asks for, in any language."""
    facts, source = Facts.of(domain.env.config), Path(domain.env.srcdir)
    page_of = domain.pages()
    pages = sorted({*page_of.values()})
    numbers = {page: number for number, page in enumerate(pages)}
    leaves = {name: key for p in reversed(facts.programs) for name, key in facts.keys_of(p).items()}
    first = facts.keys_of(facts.first)
    return {
        "release": facts.name,
        "pages": pages,
        "keys": {
            n: [numbers[p], default_of(leaves[n])]
            for n, p in leaf_pages(facts.release, page_of, leaves)
        },
        "mappings": {n: numbers[p] for n, p in page_of.items() if n not in leaves},
        "programs": facts.programs,
        "started": started(facts),
        "own": own_names(facts),
        "elsewhere": {n: found for n in page_of if 0 not in (found := programs_with(facts, n))},
        "deprecated": replacements(facts.release, {n: key.deprecated for n, key in leaves.items()}),
        "ineffective": replacements(
            facts.release, {n: key.ineffective for n, key in leaves.items()}
        ),
        "used": used(source),
        "live": [n for n, key in first.items() if not key.choices and not key.needs_plus],
        "gone": {e.key: [e.last, e.successor, e.instead] for e in gone(facts.name)},
        "moves": [[move.old, move.new] for move in drift.moves()],
        "wrong": [[name.wrong, name.right] for name in drift.hints()],
        "open": open_mappings(facts.release),
        "appended": sorted(facts.release.all_keys - facts.release.keys),
        "nothing": [lost.keys for lost in drift.gone_keys()],
        "legacy": sorted({r for r in (n.partition(".")[0] for n in leaves) if drift.is_legacy(r)}),
        "meanings": other_names(),
        **vocabulary(facts.release),
    }


def own_names(facts: Facts) -> dict[int, list[str]]:
    """Of each program that has not all keys of the first one, those that both have."""
    first = facts.names_of(facts.first)
    return {
        n: sorted(facts.names_of(program) & first)
        for n, program in enumerate(facts.programs)
        if not first <= facts.names_of(program)
    }


def started(facts: Facts) -> dict[str, int | None]:
    """Every program that a release starts with Hydra: whose keys it has; None if it is gone."""
    found: dict[str, int | None] = {m: None for name in releases() for m in load(name).modules}
    by_config = {
        (e.config_dir, e.config_name): facts.programs.index(e.module)
        for e in facts.release.facts.entries
        if e.module in facts.programs
    }
    for entry in facts.release.facts.entries:
        found[entry.module] = by_config.get((entry.config_dir, entry.config_name))
    return found


def other_names() -> list[tuple[tuple[str, ...], list[str]]]:
    """What other trainers call things, with the keys that they mean."""
    found: dict[tuple[str, ...], list[str]] = {}
    for meaning in meanings.all_meanings():
        found.setdefault(meaning.right, []).append(meaning.name)
    return list(found.items())


def vocabulary(release: Release) -> dict[str, Any]:
    """What the words of names mean, and how much each tells."""
    known = key_paths(release)
    return {
        **{t: drift.vocabulary(t) for t in ("spellings", "phrases", "words", "parts")},
        "weights": to_builtins(WEIGHTS),
        "sharedRoot": SHARED_ROOT,
        "empty": sorted(words.EMPTY),
        "holds": sorted(words.HOLDS),
        "roles": sorted(words.ROLES),
        "aside": sorted(words.ASIDE),
        "opposites": [sorted(said) for said in words.OPPOSITES],
        "rarity": known.rarity,
        "usualRarity": known.usual_rarity,
        "known": sorted(foreign.known_words()),
        "ofSections": sorted(foreign.words_of_sections()),
        "sections": sorted(key_index.sections()),
        "ofSection": unrelated.OF_SECTION,
        "tellNothing": sorted(unrelated.TELL_NOTHING),
        "each": unrelated.EACH,
    }


def programs_with(facts: Facts, name: str) -> list[int]:
    """The places among the programs of those that have a key or a mapping."""
    return [n for n, program in enumerate(facts.programs) if name in facts.names_of(program)]


def replacements(release: Release, notes: dict[str, Note | None]) -> dict[str, str | None]:
    """What to set instead of each key that has a note, if anything."""
    return {name: note.replacement(name, release) for name, note in notes.items() if note}


def scripts(source: Path) -> list[Path]:
    """The launch scripts of a site."""
    return sorted(source.rglob("*.sh"))


def used(source: Path) -> dict[str, int]:
    """How many launch scripts set a key."""
    read = (read_file(script) for script in scripts(source))
    found = (one for blocks in read for block in blocks for one in snippets.read(block))
    return dict(Counter(setting.key for snippet in found for setting in snippet.settings))


@cache
def open_mappings(release: Release) -> tuple[str, ...]:
    """What takes keys that nobody knows beforehand: they are named with a plus."""
    listed = [name.right for name in drift.hints()]
    meant = [right for meaning in meanings.all_meanings() for right in meaning.right]
    inside = {right.rpartition(".")[0] for right in [*listed, *meant]}
    unlisted = {right for right in inside if "." in right and not release.expand(right)}
    read = {right for right in unlisted if release.code_reads_name(f"{right}.enable")}
    taking = {name for name in release.all_keys | unlisted if release.accepts_appended(f"{name}.x")}
    return tuple(sorted(taking | read))


def leaf_pages(
    release: Release, page_of: dict[str, str], leaves: dict[str, Key]
) -> Iterator[tuple[str, str]]:
    """The keys in the order in which a reader is likely to mean them, each with its page."""
    order = [name for names in release.by_leaf.values() for name in names]
    familiar = {name: number for number, name in enumerate(order)}
    for name in sorted(leaves, key=lambda name: familiar.get(name, len(order))):
        if name in page_of:
            yield name, page_of[name]


def write_data(app: Sphinx, builder: Builder) -> None:
    """Write the data of the field that finds keys, where it has changed.

    To make it takes longer than all else in a build where nothing has changed.
    """
    if not page_data.is_wanted(builder):
        return
    file = page_data.path_of(app, DATA)
    domain = cast("VerlDomain", app.env.get_domain("verl"))
    end = f"// Made of {_made_of(domain)}.\n"
    if file.exists() and file.read_text("utf-8").endswith(end):
        return
    page_data.write(app, DATA, "window.verlKeys", data(domain), end)


def _made_of(domain: VerlDomain) -> str:
    """What tells one state of all that the data comes from from another."""
    version = sorted(domain.env.version.items())  # of the code
    text = repr((version, domain.facts, domain.pages()))
    return digest(scripts(Path(domain.env.srcdir)), text)


def setup(app: Sphinx) -> None:
    app.connect("write-started", write_data)
