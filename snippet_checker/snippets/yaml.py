"""YAML -> settings: every leaf is a setting whose key is the path of mappings to it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import yaml

from snippet_checker.documents.block import Block
from snippet_checker.findings import Change
from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.snippets import characters, literals, unreadable, yaml_commands
from snippet_checker.snippets.snippet import Command, Fault, FaultKind, Fragment, Snippet
from snippet_checker.snippets.yaml_places import YamlPlaces
from snippet_checker.suggest.key_paths import SHARED_ROOT
from snippet_checker.text.places import Span
from snippet_checker.text.printable import clipped
from snippet_checker.work import TooMuchWork, Work, unchecked


class _Python(yaml.SafeLoader):
    """PyYAML's own, which takes only escapes for characters as libyaml does."""

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: Any) -> list[str]:
        mark = self.get_mark()
        try:
            chunks: list[str] = super().scan_flow_scalar_non_spaces(double, start_mark)
        except (ValueError, OverflowError):  # of `chr`: there is no character U+110000
            chunks = ["\ud800"]
        if _SURROGATE.search("".join(chunks)):
            problem = "found an escape that stands for no character"
            raise yaml.scanner.ScannerError(None, None, problem, mark)
        return chunks


_Slow: Any = _Python
_Fast: Any = getattr(yaml, "CSafeLoader", _Slow)  # PyYAML may be without libyaml


class _Loader(_Fast):  # type: ignore[misc]
    """PyYAML's with the scalars of OmegaConf: dates are text, and `1e-5` is a number."""


class _ExcerptLoader(_Slow):  # type: ignore[misc]
    """A loader for a part of a file, whose aliases may stand for what is not shown."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> Any:
        if self.check_event(yaml.AliasEvent) and self.peek_event().anchor not in self.anchors:
            event = self.get_event()
            return yaml.ScalarNode("!elsewhere", "", event.start_mark, event.end_mark)
        return super().compose_node(parent, index)


for _kind in (_Loader, _ExcerptLoader):
    _kind.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
        for first, resolvers in _Slow.yaml_implicit_resolvers.items()
    }
    _kind.add_implicit_resolver(
        "tag:yaml.org,2002:float",
        re.compile(r"\A[-+]?\d(?:_?\d)*(?:\.[\d_]*)?[eE][-+]?\d+$"),
        list("-+0123456789"),
    )
_ELISION = re.compile(r"^[ \t]*(?:\.\.\.|…)+[ \t]*$", re.MULTILINE)
_DEEPEST = 100  # collections in one another
_INDENTS = re.compile(rf"(?m)^ {{{_DEEPEST}}} *")
_PLACEHOLDER = re.compile(r"<\w+>")
_OVERRIDDEN = f"{SHARED_ROOT}."
"""How a key begins in a mapping that holds overrides, which count from the root of the config."""
_ROOTS = frozenset(
    {SHARED_ROOT, "algorithm", "critic", "data", "reward", "reward_model", "trainer"}
)
"""Those of verl's trainers; what has another root beside is for the program that hands them on."""
_NAME = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
_OF_WANDB = ("_wandb", "wandb_version")
_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character
_RAISED_BY_CONSTRUCTORS = (ValueError, OverflowError, LookupError, AttributeError, TypeError)
"""What PyYAML's raise besides its own errors: for `!!int ''`, `!!bool x`, `0x_`, `1:10:…:10.5`."""


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """One snippet for each document of the block that is a mapping, and those of its commands."""
    yield from _read(block, work, with_commands=True)


def read_config(block: Block, work: Work) -> Iterator[Snippet]:
    """Read a file that is known to be a config: no value of it is a command."""
    yield from _read(block, work, with_commands=False)


def _read(block: Block, work: Work, *, with_commands: bool) -> Iterator[Snippet]:
    text = _without_elisions(block.text)
    places = YamlPlaces(block, text)
    if _is_deep(text):
        yield from unreadable.read_nested(block, work)
        return
    try:
        loader = _loader(block, text)
        yield from _documents(block, places, loader, work, with_commands=with_commands)
    except yaml.YAMLError as error:
        if block.whole_file or not _is_cut_out(text):
            yield _unreadable(block, places, error)


def nodes(text: str) -> list[yaml.Node]:
    """The documents of a text; none where it cannot be read, or is nested too deeply."""
    text = _without_elisions(text)
    if _is_deep(text):
        return []
    loader, found = _Loader(text), []
    try:
        while (node := _next(loader)) is not None:
            found.append(node)
    except yaml.YAMLError:
        return []
    finally:
        loader.dispose()
    return found


def _is_cut_out(text: str) -> bool:
    """Whether a text begins in a mapping that it does not show: its first line is the deeper one.

    Such a document shows what to add to a file, in more than one place.
    """
    lines = [line for line in text.split("\n") if line.strip() and line.lstrip()[0] != "#"]
    depths = [len(line) - len(line.lstrip(" ")) for line in lines]
    return bool(depths) and min(depths) < depths[0]


def _without_elisions(text: str) -> str:
    """The text without lines of three dots, for keys left out: YAML's end of a document."""
    return _ELISION.sub(lambda match: " " * len(match[0]), text)


def _documents(
    block: Block, places: YamlPlaces, loader: Any, work: Work, *, with_commands: bool
) -> Iterator[Snippet]:
    try:
        while (node := _next(loader)) is not None:
            written: dict[int, float] = {}
            if (size := _expanded(node, written)) == math.inf:
                yield _faulty(block, places.span(node), "a mapping or a list that holds itself")
                continue
            try:
                work.aliased.reserve(int(size) - len(written))
            except TooMuchWork as error:
                kind = FaultKind.UNCHECKED_PART
                yield _faulty(block, places.span(node), unchecked(error), kind)
                continue
            commands = tuple(yaml_commands.read(block, node, places, work) if with_commands else ())
            yield from commands
            describes_job = any(isinstance(one, Command) for one in commands)
            if isinstance(node, yaml.MappingNode) and not describes_job:
                reader = _MappingReader(loader, places, shows_others=not block.whole_file)
                settings = tuple(reader.read(_without_wrappers(node), ""))
                if reader.hands_on:
                    settings = tuple(s for s in settings if s.key.partition(".")[0] in _ROOTS)
                yield Fragment(
                    block,
                    places.span(node),
                    settings=settings,
                    faults=tuple(reader.faults),
                    is_config=True,
                )
    finally:
        loader.dispose()


def _next(loader: Any) -> yaml.Node | None:
    """The next document; raises YAMLError."""
    try:
        node: yaml.Node | None = loader.get_node() if loader.check_node() else None
    except ValueError as error:  # `%YAML 1111…`, whose digits go to `int`
        raise yaml.YAMLError from error
    return node


def _is_deep(text: str) -> bool:
    """Whether collections lie in too many others: libyaml's composer ends the program there."""
    openings = sum(text.count(sign) for sign in ("[", "{", "- ", "-\n", "? ", "-\t", "?\n", "?\t"))
    if openings <= _DEEPEST and len(max(_INDENTS.findall(text), default="")) <= _DEEPEST:
        return False
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_Fast):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                return True
    except yaml.YAMLError:
        pass  # whoever reads it says so
    return False


def _loader(block: Block, text: str) -> Any:
    is_excerpt = not block.whole_file and "*" in text  # the slow loader only where it matters
    return _ExcerptLoader(text) if is_excerpt else _Loader(text)


class _MappingReader:
    """Collects the leaves of one document, and what makes OmegaConf refuse it.

    A piece of a page `shows_others`: below a comment of its own it may set a key to another value.
    """

    def __init__(self, loader: Any, places: YamlPlaces, *, shows_others: bool) -> None:
        self._shows_others = shows_others
        self._loader = loader
        self._places = places
        self.faults: list[Fault] = []
        self.hands_on = False  # whether a mapping inside holds overrides for a program

    def read(self, node: yaml.MappingNode, prefix: str) -> Iterator[Setting]:
        seen: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        has_overrides = any(name.startswith(_OVERRIDDEN) for name in _names(node))
        self.hands_on |= has_overrides and bool(prefix)
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                continue
            if key_node.tag == "tag:yaml.org,2002:merge":
                yield from self._merged(value_node, prefix)
                continue
            if not prefix and key_node.value.startswith(("x-", ".")):
                continue  # what such a mapping holds counts where it is merged in
            name = self._meant(key_node)
            root, dot, _ = name.partition(".")
            is_whole = has_overrides and bool(dot) and root in _ROOTS
            key = ("" if is_whole else prefix) + _PLACEHOLDER.sub("*", name)
            if key in seen and not self._is_other_choice(*seen[key], key_node, value_node):
                self.faults.append(self._duplicate(key, key_node))
            seen[key] = key_node, value_node
            if isinstance(value_node, yaml.MappingNode) and value_node.value:
                yield from self.read(value_node, key + ".")
            else:
                span = self._places.span(key_node)
                yield Setting(
                    key, Operator.SET, self._value(value_node), span, self._places.span(value_node)
                )

    def _meant(self, node: yaml.ScalarNode) -> str:
        """A key in ASCII's characters, where others look like them or nobody sees them."""
        written: str = node.value
        foreign = characters.first(written)
        meant = characters.plain(written).strip()
        if foreign is None or not _NAME.fullmatch(meant):
            return written
        message = f"the key '{clipped(written)}' is none of verl's: {characters.said(foreign)}"
        # A blank may have been meant to indent the key.
        is_sure = characters.FOREIGN_BLANKS.search(written) is None
        change = Change(meant, is_safe=True) if is_sure else None
        span, kind = self._places.span(node), FaultKind.YAML_SYNTAX
        self.faults.append(Fault(span, message, change=change, kind=kind))
        return meant

    def _merged(self, node: yaml.Node, prefix: str) -> Iterator[Setting]:
        """The settings of the mappings that `<<` takes in, each where its anchor stands."""
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for merged in nodes:
            if isinstance(merged, yaml.MappingNode):
                yield from self.read(merged, prefix)

    def _is_other_choice(
        self, first: yaml.Node, value: yaml.Node, second: yaml.Node, other: yaml.Node
    ) -> bool:
        """Whether a page shows two choices for a key, each below a comment of its own.

        The same mapping in two parts sets something else in each.
        """
        if not self._shows_others or not self._places.are_apart(first, second):
            return False
        names, others = _names(value), _names(other)
        return (not names and not others) or not names.isdisjoint(others)

    def _duplicate(self, key: str, node: yaml.Node) -> Fault:
        message = f"the key '{key}' stands twice in one mapping; Hydra refuses such a file"
        return Fault(self._places.span(node), message, key, kind=FaultKind.DUPLICATE_KEY)

    def _value(self, node: yaml.Node) -> Any:
        try:
            return literals.plain(self._loader.construct_object(node, deep=True))
        except yaml.YAMLError:
            pass  # a tag that somebody else's program knows
        except TooMuchWork as error:
            self._add(FaultKind.UNCHECKED_PART, unchecked(error), node)
        except _RAISED_BY_CONSTRUCTORS:
            self._add(FaultKind.YAML_SYNTAX, _unreadable_value(node), node)
        return Value.UNKNOWN

    def _add(self, kind: FaultKind, message: str, node: yaml.Node) -> None:
        self.faults.append(Fault(self._places.span(node), message, kind=kind))


def _names(node: yaml.Node) -> frozenset[str]:
    """The keys of a mapping."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return frozenset(key.value for key, _ in pairs if isinstance(key, yaml.ScalarNode))


def _unreadable_value(node: yaml.Node) -> str:
    what = "a value in here"
    if isinstance(node, yaml.ScalarNode):
        what = f"'{clipped(node.value)}', of the type '{node.tag.rpartition(':')[2]}',"
    return f"{what} is no valid YAML: a parser stops here"


def _without_wrappers(node: yaml.MappingNode) -> yaml.MappingNode:
    """The config in a record of Weights & Biases, where each root has its mapping in `value`."""
    if not any(key.value in _OF_WANDB for key, _ in node.value):
        return node
    pairs = [
        (key, inner)
        for key, value in node.value
        if key.value not in _OF_WANDB and isinstance(value, yaml.MappingNode)
        for name, inner in value.value
        if name.value == "value"
    ]
    return yaml.MappingNode(node.tag, pairs, node.start_mark, node.end_mark)


def _expanded(node: yaml.Node, known: dict[int, float]) -> float:
    """How many nodes there are with every alias written out; no end where one holds itself."""
    if id(node) not in known:
        known[id(node)] = math.inf
        inside = node.value if isinstance(node, yaml.CollectionNode) else ()
        children = chain.from_iterable(n if isinstance(n, tuple) else (n,) for n in inside)
        known[id(node)] = 1 + sum(_expanded(child, known) for child in children)
    return known[id(node)]


def _unreadable(block: Block, places: YamlPlaces, error: yaml.YAMLError) -> Fragment:
    if isinstance(error, yaml.reader.ReaderError):
        offset = max(block.text.find(chr(error.character)), 0)
        reason, span = "a control character stands here", block.span(offset, offset + 1)
    else:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        reason = getattr(error, "problem", None) or "not YAML"
        span = places.mark(mark) if mark is not None else block.span(0, 1)
        reason = _in_other_words(block, reason, mark) if mark is not None else reason
    return _faulty(block, span, f"this is not valid YAML, so nothing of it is checked: {reason}")


def _in_other_words(block: Block, reason: str, mark: yaml.Mark) -> str:
    """The parser's reason, and the character beside it that people take for one of YAML's."""
    lines = block.text.split("\n")[max(mark.line - 1, 0) : mark.line + 1]
    if lines[-1:] and lines[-1][mark.column :].startswith("\t"):
        return "a tab stands where blanks have to, at the start of the line"
    foreign = characters.first_in_yaml(lines)
    return reason if foreign is None else f"{reason}; {characters.said(foreign)}"


def _faulty(
    block: Block, span: Span, message: str, kind: FaultKind = FaultKind.YAML_SYNTAX
) -> Fragment:
    return Fragment(block, span, faults=(Fault(span, message, kind=kind),), is_config=True)
