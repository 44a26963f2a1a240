"""The table of what another trainer calls things that verl has, from what suggestions know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docutils import nodes

from snippet_checker.suggest import meanings
from verl_docs.facts import FactsDirective
from verl_docs.interface import _
from verl_docs.keys import key_link
from verl_docs.tables import joined, literal, phrase, row, table
from verl_docs.translatable import translatable


class TrainersDirective(FactsDirective):
    """A row for the names of each key, in the order of the data; the arguments say whose names.

    A line of the content is a note: the ends of the names that it belongs to, a colon, and
    what differs.
    """

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        named: dict[str, tuple[str, ...]] = {}
        for whose in self.arguments[0].split():
            said = meanings.of_trainer(whose)
            if not said:
                raise self.error(f"no trainer '{whose}' is known")
            named |= {meaning.name: meaning.right for meaning in said}
        told = {name: right for name, right in named.items() if not _ends_with_another(name, named)}
        notes = dict(self._notes([*told]))
        groups: dict[tuple[tuple[str, ...], str], list[str]] = defaultdict(list)
        for name, right in told.items():
            groups[right, notes.get(name, "")].append(name)
        rows = [self._row(names, *group) for group, names in groups.items()]
        headings = [_("Name there"), _("Key in verl"), _("What differs")]
        return [table(headings, [30, 40, 30], rows, "other-trainer")]

    def _notes(self, told: Sequence[str]) -> Iterator[tuple[str, str]]:
        for line in filter(str.strip, self.content):
            ends, colon, note = line.partition(": ")
            if not colon:
                raise self.error(f"'{line}' lacks a colon after the names")
            for end in map(str.strip, ends.split(",")):
                names = [name for name in told if f".{name}".endswith(f".{end}")]
                if not names:
                    raise self.error(f"'{end}' is no name of {self.arguments[0]}")
                yield from ((name, note) for name in names)

    def _row(self, names: Iterable[str], right: tuple[str, ...], note: str) -> nodes.row:
        said = [translatable(self, note)] if note else []
        return row([joined(map(literal, names), ", "), self._keys(right), said])

    def _keys(self, right: tuple[str, ...]) -> list[nodes.Node]:
        """The first key with each of these ends, in the first program that has any of them."""
        first, *others = self.facts.programs
        if found := self._ends(first, right):
            return joined(map(key_link, found), ", ")
        for program in others:
            if found := self._ends(program, right):
                keys = joined(map(key_link, found), ", ")
                return phrase(_("{} of {}"), keys, [literal(program)])
        return [literal(f"+{self._appended(right[0])}")]

    def _appended(self, end: str) -> str:
        """A key that no configuration lists, in the mapping that takes it.

        verl hands such keys on, as `reward.reward_kwargs.overlong_buffer_cfg.len`.
        """
        mappings = sorted(self.facts.names_of(self.facts.first), key=len)
        parts = end.split(".")
        for depth in range(len(parts) - 1, 0, -1):
            told = f".{'.'.join(parts[:depth])}"
            if found := [name for name in mappings if f".{name}".endswith(told)]:
                return ".".join([found[0], *parts[depth:]])
        raise self.error(f"verl {self.facts.name} has no '{end}'")

    def _ends(self, program: str, right: Iterable[str]) -> list[str]:
        keys = self.facts.keys_of(program)
        found = (next((k for k in keys if f".{k}".endswith(f".{end}")), None) for end in right)
        return [*dict.fromkeys(key for key in found if key is not None)]


def _ends_with_another(name: str, named: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a shorter name says the same: `beta` beside `actor.beta`."""
    parts = name.split(".")
    shorter = (".".join(parts[n:]) for n in range(1, len(parts)))
    return any(named.get(other) == named[name] for other in shorter)
