"""The release history: what a release added, removed, renamed and re-defaulted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from docutils import nodes

from snippet_checker.hydra.setting import Value, mappings_around
from snippet_checker.verl import history
from snippet_checker.verl.history import Difference, KeyHistory
from snippet_checker.verl.release import load, releases
from verl_docs.facts import Facts, FactsDirective, shown
from verl_docs.interface import _
from verl_docs.keys import key_link
from verl_docs.tables import literal, row, section, table


class Moved(NamedTuple):
    """The beginning of keys until a release and since, and how many keys stand below it."""

    old: str
    new: str
    keys: int


class ChangesDirective(FactsDirective):
    """What is new in the release that the argument names, seen from the one before it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        new = self.arguments[0]
        if new not in releases()[1:]:
            raise self.error(f"'{new}' is no release with one before it")
        old = releases()[releases().index(new) - 1]
        difference = history.difference(old, new)
        parts = {
            "programs": (_("Programs"), self._programs(old, new)),
            "moved": (_("Renamed and moved"), self._moved(difference, new)),
            "removed": (_("Removed"), self._removed(difference)),
            "defaults": (_("New defaults"), self._redefaulted(difference)),
            "added": (_("Added"), self._added(difference, new)),
        }
        sections = [
            section(nodes.Text(title), body, names=[name])
            for name, (title, body) in parts.items()
            if body is not None
        ]
        for made in sections:
            self.state.document.note_implicit_target(made)
        nothing = _("Nothing that concerns a configuration.")
        return [*sections] or [nodes.paragraph("", nothing, translatable=False)]

    def _programs(self, old: str, new: str) -> nodes.table | None:
        before, after = ({*load(name).modules} for name in (old, new))
        rows = [
            row([[literal(module)], [nodes.Text(_("new") if module in after else _("gone"))]])
            for module in sorted(before ^ after)
        ]
        return _table({_("Program"): 70, _("Change"): 30}, rows)

    def _moved(self, difference: Difference, release: str) -> nodes.table | None:
        moved = [h for h in difference.removed if h.successor is not None]
        rows = [
            row([[literal(old), *below(count)], [known_key(new, self.facts)]])
            for old, new, count in moved_subtrees(moved, load(release).all_keys)
        ]
        return _table({_("Until then"): 50, _("Now"): 50}, rows)

    def _removed(self, difference: Difference) -> nodes.table | None:
        gone = {h.key: h.instead for h in difference.removed if h.successor is None}
        rows = [
            row([[literal(key), *below(count)], set_now(gone[key], self.facts)])
            for key, count in subtrees(gone)
        ]
        return _table({_("Key"): 50, _("What is set now"): 50}, rows)

    def _redefaulted(self, difference: Difference) -> nodes.table | None:
        rows = [
            row([[known_key(key, self.facts)], [default(before)], [default(after)]])
            for key, (before, after) in difference.changed.items()
        ]
        return _table({_("Key"): 60, _("Until then"): 20, _("Now"): 20}, rows)

    def _added(self, difference: Difference, new: str) -> nodes.table | None:
        rows = []
        for key, count in subtrees(difference.added):
            known = history.of_key(key)
            entry = next((e for e in known.entries if e.release == new), None) if known else None
            values = [default(entry.default)] if entry and not count else []
            rows.append(row([[known_key(key, self.facts), *below(count)], values]))
        return _table({_("Key"): 70, _("Default"): 30}, rows)


def _table(widths: Mapping[str, int], rows: Sequence[nodes.row]) -> nodes.table | None:
    """A table by its headings, if there is anything to say."""
    return table([*widths], [*widths.values()], rows, "release-changes") if rows else None


def subtrees(keys: Iterable[str]) -> Iterator[tuple[str, int]]:
    """The keys without those that stand below another one, each with how many those are."""
    names = set(keys)
    counts: dict[str, int] = {}
    for key in sorted(names):
        top = next((part for part in mappings_around(key) if part in names), key)
        counts[top] = counts.get(top, -1) + 1
    yield from counts.items()


def moved_subtrees(moved: Iterable[KeyHistory], alive: Container[str]) -> Iterator[Moved]:
    """Old and new beginnings of keys that moved together, and how many keys those are.

    Keys of a mapping that is still `alive` stand for themselves.
    """
    together: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for entry in moved:
        assert entry.successor is not None
        together[shortened(entry.key, entry.successor)].append((entry.key, entry.successor))
    for (old, new), pairs in sorted(together.items()):
        if len(pairs) == 1 or old in alive:
            yield from (Moved(*pair, 0) for pair in pairs)
        else:
            yield Moved(old, new, len(pairs))


def shortened(old: str, new: str) -> tuple[str, str]:
    """Both keys without the parts that they end with alike."""
    ours, theirs = old.split("."), new.split(".")
    while len(ours) > 1 and len(theirs) > 1 and ours[-1] == theirs[-1]:
        del ours[-1], theirs[-1]
    return ".".join(ours), ".".join(theirs)


def below(count: int) -> list[nodes.Node]:
    if not count:
        return []
    said = _("and one key below it") if count == 1 else _("and %d keys below it") % count
    return [nodes.Text(" "), nodes.inline("", said, classes=["count"])]


def set_now(key: str | None, facts: Facts) -> list[nodes.Node]:
    """The other setting that is set where a dropped key was, if it is known."""
    return [known_key(key, facts)] if key is not None else []


def known_key(key: str, facts: Facts) -> nodes.Node:
    """A link to the key if the site's release still has it."""
    return key_link(key) if facts.is_listed(key) else literal(key)


def default(value: object) -> nodes.Node:
    if value == "???":
        return nodes.Text(_("none, must be set"))
    if value is Value.ABSENT:
        return nodes.Text(_("no default"))
    return literal(shown(value))
