"""The configuration reference: tables of the keys below given mappings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, reduce
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.addnodes import pending_xref

from snippet_checker.hydra.setting import mappings_around
from verl_docs.descriptions import Description, described_keys, shows_descriptions
from verl_docs.facts import FactsDirective, Key, default_of, kinds_of
from verl_docs.interface import _
from verl_docs.tables import joined, literal, phrase, row, section, table
from verl_docs.templated import templated
from verl_docs.translatable import translatable

if TYPE_CHECKING:
    from verl_docs.domain import VerlDomain

WORTH_FILTERING = 20  # keys


def anchor(name: str) -> str:
    """The id of a key's row, or of a mapping's section; it may be shared as part of an address."""
    return f"key-{name}"


class Cells(FactsDirective):
    """What tables of keys have in common."""

    @cached_property
    def descriptions(self) -> Mapping[str, Description]:
        return described_keys(self.env)

    def default_cell(self, key: Key) -> list[nodes.Node]:
        if key.default == "???":
            return [nodes.Text(_("none, must be set"))]
        default = default_of(key)
        shown: list[nodes.Node] = [literal(default)] if default is not None else []
        if key.follows is None:
            return shown
        if not shown:
            return phrase(_("from {}"), [key_link(key.follows)])
        return phrase(_("{} from {}"), shown, [key_link(key.follows)])

    def values_cell(self, key: Key) -> list[nodes.Node]:
        if key.words:
            return joined((literal(word) for word in key.words), ", ")
        kinds = kinds_of(key)
        return [nodes.Text(kinds)] if kinds else []

    def description_cell(self, key: Key) -> list[nodes.Node]:
        described = self.descriptions.get(key.name)
        return [translatable(self, described.text)] if described is not None else []


class KeysDirective(Cells):
    """Every key of a program below the mappings that the content names, a line each.

    `mapping.*` means the mapping's own keys and not those further below; no content means all
    keys. A program that builds on the first one shows only what it adds, and what it changes.
    """

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        shows_descriptions(self.env)
        program, facts = self.arguments[0], self.facts
        if program not in facts.programs:
            raise self.error(f"'{program}' is none of {', '.join(facts.programs)}")
        keys, changed = facts.added_keys(program), facts.changed_keys(program)
        named = [line.strip() for line in self.content if line.strip()]
        there = [*keys, *(key for key, _here in changed)]
        empty = [line for line in named if not any(stands_in(line, key) for key in there)]
        if empty:
            raise self.error(f"{program} has no key in '{empty[0]}'")
        shown = [key for key in keys if is_named(key, named)]
        grouped = groupby(sorted_by_parent(shown), lambda key: key.parent)
        sections = [self._section(parent, [*keys], program) for parent, keys in grouped]
        rows = [self._changed_row(*pair) for pair in changed if is_named(pair[0], named)]
        return [*_filter(len(shown)), *sections, *self._changes(program, rows)]

    def _section(self, parent: str, keys: list[Key], program: str) -> nodes.section:
        domain = cast("VerlDomain", self.env.get_domain("verl"))
        around = mappings_around(f"{parent}.") if parent else ()
        mappings = [m for m in around if domain.note_key(m, program)]
        ids = [f"keys-{program}-{parent}", *map(anchor, mappings)]
        rows = [self._row(key, domain.note_key(key.name, program)) for key in keys]
        headings = [_("Key"), _("Values"), _("Default"), _("Since"), _("Description")]
        listed = table(headings, [22, 16, 16, 7, 39], rows, "config-reference")
        title = literal(parent) if parent else nodes.Text(_("Top level"))
        made = section(title, listed, ids=ids)
        self._note(made, *rows)
        return made

    def _note(self, made: nodes.section, *rows: nodes.row) -> None:
        self.set_source_info(made)
        for target in filter(itemgetter("ids"), [made, *rows]):
            self.state.document.note_explicit_target(target)

    def _changes(self, program: str, rows: list[nodes.row]) -> list[nodes.Node]:
        if not rows:
            return []
        headings = [_("Key"), _("In %s") % self.facts.first, _("In this program")]
        listed = table(headings, [40, 30, 30], rows, "changed-keys")
        made = section(nodes.Text(_("Changed")), listed, ids=[f"changed-{program}"])
        self._note(made)
        return [made]

    def _changed_row(self, there: Key, here: Key) -> nodes.row:
        return row([[key_link(there.name)], self._treatment(there), self._treatment(here)])

    def _treatment(self, key: Key) -> list[nodes.Node]:
        """The default in a program, and whether the program treats the key in a special way."""
        parts = [self.default_cell(key), self._plus(key), self._fate(key)]
        return joined((nodes.inline("", "", *part) for part in parts if part), " ")

    def _row(self, key: Key, is_first: bool) -> nodes.row:
        link = nodes.reference("", "", literal(key.leaf), internal=True, refid=anchor(key.name))
        cells: list[list[nodes.Node]] = [
            [link],
            self.values_cell(key),
            self.default_cell(key),
            [nodes.Text(key.first)],
            [*self._notes(key)],
        ]
        classes = ["not-default"] if key.choices or key.needs_plus else []
        return row(cells, ids=[anchor(key.name)] if is_first else [], classes=classes)

    def _notes(self, key: Key) -> Iterator[nodes.Node]:
        yield from self.description_cell(key)
        notes = [self._plus(key), self._choices(key), self._fate(key), self._links(key)]
        shown: Iterator[list[nodes.Node]] = ([nodes.inline("", "", *n)] for n in notes if n)
        # Chinese and Japanese put no space between sentences.
        yield from reduce(lambda said, note: phrase(_("{} {}"), said, note), shown)

    def _plus(self, key: Key) -> list[nodes.Node]:
        return (
            phrase(_("Not in the YAML: append it with {}."), [literal("+")])
            if key.needs_plus
            else []
        )

    def _choices(self, key: Key) -> list[nodes.Node]:
        shown = joined(map(literal, key.choices), " " + _("or") + " ")
        return phrase(_("Only with {}."), shown) if shown else []

    def _fate(self, key: Key) -> list[nodes.Node]:
        note = key.deprecated or key.ineffective
        if note is None:
            return []
        what = _("Deprecated") if key.deprecated else _("Has no effect in this program")
        strong = nodes.strong("", what)
        successor = note.replacement(key.name, self.facts.release)
        if successor is None or successor.startswith("+"):
            return phrase(_("{}."), [strong])
        return phrase(_("{}: use {}."), [strong], [key_link(successor)])

    def _links(self, key: Key) -> list[nodes.Node]:
        described = self.descriptions.get(key.name)
        links: list[nodes.Node] = []
        if described is not None:
            links.append(ref_link(described.page, self.env.current_document.docname))
        name = key.file.rpartition("/")[2]
        links.append(nodes.reference("", name, refuri=self.facts.source_url(key.file)))
        return [nodes.inline("", "", *joined(links, " · "), classes=["config-links"])]


def is_named(key: Key, mappings: list[str]) -> bool:
    """Whether a key is to be shown; no mappings means all keys."""
    return not mappings or any(stands_in(mapping, key) for mapping in mappings)


def stands_in(mapping: str, key: Key) -> bool:
    """Whether a key stands below a mapping, or right in it for `mapping.*`."""
    if mapping.endswith("*"):
        return key.parent == mapping.removesuffix("*").removesuffix(".")
    return f"{key.name}.".startswith(f"{mapping}.")


def _filter(count: int) -> list[nodes.Node]:
    """The field that searches long tables."""
    if count < WORTH_FILTERING:
        return []
    return [templated.of("reference-filter.html", ["reference-filter.js"])]


def sorted_by_parent(keys: list[Key]) -> list[Key]:
    """Keys of one mapping together, mappings in the order in which they first appear."""
    order = {parent: n for n, parent in enumerate(dict.fromkeys(key.parent for key in keys))}
    return sorted(keys, key=lambda key: order[key.parent])


def key_link(name: str) -> pending_xref:
    """A link to a key in the reference."""
    return pending_xref(
        "",
        literal(name),
        refdomain="verl",
        reftype="key",
        reftarget=name,
        refexplicit=False,
        refwarn=True,
    )


def ref_link(label: str, docname: str, text: str | None = None) -> pending_xref:
    """A link to where a label stands, with a text or else with the title there."""
    return pending_xref(
        "",
        nodes.inline("", text or label),
        refdomain="std",
        reftype="ref",
        reftarget=label,
        refexplicit=text is not None,
        refwarn=True,
        refdoc=docname,
    )
