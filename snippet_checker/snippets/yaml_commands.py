"""Launch commands and overrides that stand in YAML: a job's entry point, a workflow's steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands, launch
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.snippets.yaml_places import Places
from snippet_checker.text.words import opaque
from snippet_checker.verl.release import is_verls_program
from snippet_checker.work import Work

_TEMPLATE = r"\$?\{\{(?:(?!\{\{).)*?\}\}"  # a workflow's expression, a chart's value
_IN_SCRIPT = re.compile(_TEMPLATE)
_IN_ARGUMENT = re.compile(rf"{_TEMPLATE}|\$\(\w+\)|\$\{{\w+(?::?[-?+=][^}}]{{0,500}})?\}}|\$\w+")
_ONE_VALUE = re.compile(r"\S*|[\[{(\"'].*", re.DOTALL)
_SUMMARY = "override_dirname"  # Hydra's name for a folder: all overrides as one text
_COMMAND_AND_ARGUMENTS = ("command", "args")  # a container's, which Kubernetes puts together


def read(block: Block, root: yaml.Node, places: Places, work: Work) -> Iterator[Snippet]:
    """The snippets of every scalar and every list of scalars that a document holds."""
    for scalars in _lists(root, set()):
        arguments = []
        for scalar in scalars:
            if _is_script(scalar.value):
                script = opaque(places.word(scalar), _IN_SCRIPT)
                yield from commands.read_word(block, script, work)
            else:
                arguments.append(scalar)
        if any(_tells(scalar.value) for scalar in arguments):
            words = [opaque(places.word(scalar), _IN_ARGUMENT) for scalar in arguments]
            yield from commands.read_arguments(block, words, work)


def _lists(node: yaml.Node, seen: set[yaml.Node]) -> Iterator[list[yaml.ScalarNode]]:
    """Each list of scalars below `node`, and each scalar that is no part of one by itself."""
    if node in seen:
        return  # an alias
    seen.add(node)
    if isinstance(node, yaml.ScalarNode):
        yield [node]
    elif isinstance(node, yaml.SequenceNode):
        yield from _elements(node.value, seen)
    elif isinstance(node, yaml.MappingNode):
        values = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
        container = [values.get(name) for name in _COMMAND_AND_ARGUMENTS]
        if all(isinstance(part, yaml.SequenceNode) for part in container):
            seen.update(part for part in container if part is not None)
            yield from _elements([e for part in container if part for e in part.value], seen)
        for key, value in node.value:
            if key.value != _SUMMARY:
                yield from _lists(value, seen)


def _elements(nodes: list[yaml.Node], seen: set[yaml.Node]) -> Iterator[list[yaml.ScalarNode]]:
    yield [node for node in nodes if isinstance(node, yaml.ScalarNode)]
    for node in nodes:
        if not isinstance(node, yaml.ScalarNode):
            yield from _lists(node, seen)


def _is_script(text: str) -> bool:
    """Whether a shell is to split the text: it starts a program, or holds several overrides."""
    words = text.split()
    overrides = [word for word in words if launch.OVERRIDE.match(word)]
    only_overrides = len(overrides) > 1 and len(overrides) == len(words)
    return only_overrides or launch.starts_program(text)


def _tells(text: str) -> bool:
    """Whether one argument of a list says that it is verl's: a program, or an override."""
    override = launch.OVERRIDE.match(text)
    if override is not None:
        return _ONE_VALUE.fullmatch(text, override.end()) is not None
    return is_verls_program(text.removeprefix("-m"))
