"""The `verl` domain: roles that take facts from the schema, and the keys that they link to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any, ClassVar

from docutils import nodes
from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode

from snippet_checker.hydra.setting import mappings_around
from snippet_checker.verl.release import Release
from verl_docs.calculators import CalculatorDirective
from verl_docs.calculators.fits import FitsDirective
from verl_docs.changes import ChangesDirective
from verl_docs.coverage import CoverageDirective
from verl_docs.diagrams import DiagramDirective
from verl_docs.estimated import EstimatesDirective
from verl_docs.facts import Facts, Key, default_of, kinds_of
from verl_docs.finder import FinderDirective, NamesDirective
from verl_docs.interface import _
from verl_docs.keys import KeysDirective, anchor
from verl_docs.measured import MeasuredDirective, RowsDirective, TimesRole
from verl_docs.rules import RulesDirective
from verl_docs.settings import SettingsDirective
from verl_docs.step_estimates import StepsDirective
from verl_docs.tables import literal
from verl_docs.terms import GlossaryDirective
from verl_docs.trainers import TrainersDirective
from verl_docs.verified import VerifiedDirective


class KeyRole(XRefRole):
    """A key that links to the reference; `~` before it shows its last part only."""

    def process_link(
        self,
        env: BuildEnvironment,
        refnode: Element,
        has_explicit_title: bool,
        title: str,
        target: str,
    ) -> tuple[str, str]:
        if target.startswith("~"):
            target = target[1:]
            title = title if has_explicit_title else target.rpartition(".")[2]
        return title, target


class FactRole(SphinxRole):
    """A role that prints a fact about what it names, or fails the build."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [self.fact()], []
        except LookupError as error:
            message = self.inliner.reporter.error(error.args[0], line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]

    def fact(self) -> nodes.Node:
        """The node to show; raises LookupError with a message for the writer."""
        raise NotImplementedError

    @property
    def facts(self) -> Facts:
        return Facts.of(self.config)

    def key(self) -> Key:
        key = self.facts.find(self.text)
        if key is None:
            raise LookupError(f"verl {self.facts.name} has no key '{self.text}'")
        return key


class DefaultRole(FactRole):
    """The default of a key."""

    def fact(self) -> nodes.Node:
        default = default_of(self.key())
        if default is None:
            raise LookupError(f"'{self.text}' has no default that is known before a run")
        return literal(default)


class SinceRole(FactRole):
    """The first release that has a key."""

    def fact(self) -> nodes.Node:
        return nodes.Text(self.key().first)


class SourceRole(FactRole):
    """A file of verl, linked at the release tag."""

    def fact(self) -> nodes.Node:
        if self.text not in self.facts.release.facts.files:
            raise LookupError(f"the wheel of verl {self.facts.name} has no file '{self.text}'")
        name = self.text.rpartition("/")[2]
        return nodes.reference("", "", literal(name), refuri=self.facts.source_url(self.text))


class VerlDomain(Domain):
    """Where each key is described."""

    name = "verl"
    label = "verl"
    object_types: ClassVar[dict[str, ObjType]] = {"key": ObjType(_("configuration key"), "key")}
    roles = {  # noqa: RUF012
        "key": KeyRole(warn_dangling=True),
        "default": DefaultRole(),
        "since": SinceRole(),
        "source": SourceRole(),
        "times": TimesRole(),
    }
    directives = {  # noqa: RUF012
        "calculator": CalculatorDirective,
        "changes": ChangesDirective,
        "coverage": CoverageDirective,
        "diagram": DiagramDirective,
        "finder": FinderDirective,
        "fits": FitsDirective,
        "glossary": GlossaryDirective,
        "keys": KeysDirective,
        "estimates": EstimatesDirective,
        "step-estimates": StepsDirective,
        "measured": MeasuredDirective,
        "measured-rows": RowsDirective,
        "names": NamesDirective,
        "rules": RulesDirective,
        "settings": SettingsDirective,
        "trainers": TrainersDirective,
        "verified": VerifiedDirective,
    }
    initial_data: ClassVar[dict[str, Any]] = {"keys": {}}

    @property
    def facts(self) -> Facts:
        return Facts.of(self.env.config)

    @property
    def keys(self) -> dict[str, dict[str, int]]:
        """For each key and mapping the pages that describe it, each with its program's rank."""
        found: dict[str, dict[str, int]] = self.data["keys"]
        return found

    def note_key(self, name: str, program: str) -> bool:
        """Register the page being read as one for `name`; False if it already is."""
        pages = self.keys.setdefault(name, {})
        page = self.env.current_document.docname
        rank = self.facts.programs.index(program)
        is_new = page not in pages
        pages[page] = min(rank, pages.get(page, rank))
        return is_new

    def page_of(self, name: str) -> str | None:
        """The page to link to: of several, one about the most familiar program."""
        pages = self.keys.get(name, {})
        return min(pages, key=lambda page: (pages[page], page), default=None)

    def pages(self) -> dict[str, str]:
        """The page of each key and mapping, by name; no matter in which order pages were read."""
        found = ((name, self.page_of(name)) for name in sorted(self.keys))
        return {name: page for name, page in found if page is not None}

    def clear_doc(self, docname: str) -> None:
        for pages in self.keys.values():
            pages.pop(docname, None)

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        read = set(docnames)
        for name, pages in otherdata["keys"].items():
            own = {page: rank for page, rank in pages.items() if page in read}
            self.keys.setdefault(name, {}).update(own)

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        pages, release = self.pages(), self.facts.release
        mappings = {mapping for name in pages for mapping in mappings_around(name)}
        for name, page in pages.items():
            yield name, name, "key", page, anchor(name), priority(release, name, mappings)

    def get_type_name(self, type: ObjType, primary: bool = False) -> str:
        """What search results call a key: it goes without saying whose."""
        return str(type.lname)

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> nodes.reference | None:
        page = self.page_of(target)
        if page is None:
            return None
        key = self.facts.find(target)
        title = summary(key) if key is not None else None
        return make_refnode(builder, fromdocname, page, anchor(target), contnode, title)


def priority(release: Release, name: str, mappings: Set[str]) -> int:
    """Of keys that end alike the search shows the most familiar one first, and mappings last."""
    if name in mappings:
        return 2
    alike = release.by_leaf.get(name.rpartition(".")[2], ())
    return 0 if alike[:1] == (name,) else 1


def summary(key: Key) -> str:
    """A key's kind, default and range of releases, in a line."""
    default = default_of(key)
    said = _("default {}").format(default) if default is not None else ""
    parts = [
        kinds_of(key),
        _("none, must be set") if default == "???" else said,
        _("since %s") % key.first,
    ]
    return " · ".join(part for part in parts if part)


def setup(app: Sphinx) -> None:
    app.add_domain(VerlDomain)
