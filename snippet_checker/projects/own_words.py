"""The words that a project's own code takes for a key: what its copy of verl added to verl's, and
what its code registers with verl.

The code is read with `ast`, and nothing of it is run.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from snippet_checker.projects import own_copy
from snippet_checker.projects.files import ProjectFiles
from snippet_checker.projects.programs import module_folder
from snippet_checker.text import python_reads, python_tree
from snippet_checker.verl import history
from snippet_checker.verl.facts import ClosedSet
from snippet_checker.verl.release import Release, is_verls_program

_MOST_WORDS = 20  # that are looked for in the code, for one document
_REGISTRY = "regist"


class OwnWords:
    """The words of the code around a document, looked for when first needed."""

    def __init__(self, path: str, files: ProjectFiles) -> None:
        """`path` is that of a file in the project."""
        self._path, self._files = path, files
        self._asked: set[str] = set()
        self._taken: dict[str, frozenset[str]] = {}

    def has(
        self, word: str, sets: Sequence[ClosedSet], release: Release, started: str | None = None
    ) -> bool:
        """Whether the project's code takes a word that none of verl's sets for a key holds.

        The program that is `started` may take it, too. What the release takes for another key
        nearby, or an earlier one took, is verl's own.
        """
        self._asked.add(word)
        if len(self._asked) > _MOST_WORDS:
            return False
        places = frozenset().union(*map(_folders_of, sets))
        looked_at = places.union([module_folder(started)] if started is not None else ())
        is_taken = any(word in self._words(path, word) for path in self._beside_verls(looked_at))
        if not is_taken:
            is_taken = any(one.open for one in sets) and word in self._registered(word)
        if not is_taken and (self._copy is not None or not is_verls_program(started or "")):
            is_taken = any(self._compares(word, key) for one in sets for key in one.keys)
        keys = {key for one in sets for key in one.keys}
        return is_taken and not any(
            not keys.isdisjoint(one.keys) or not places.isdisjoint(_folders_of(one))
            for one in history.sets_with(word, release)
        )

    def _compares(self, word: str, key: str) -> bool:
        """Whether the project's code reads a key, and compares it with a word that it takes."""
        above, _, leaf = key.rpartition(".")
        parent = above.rpartition(".")[2]
        for text in self._programs:
            if leaf in text and _quotes(text, word):
                module = python_tree.parsed(text)
                if module is not None and word in _compared(module, parent, leaf):
                    return True
        return False

    def _beside_verls(self, places: Collection[str]) -> Iterator[str]:
        """The files of the project's copy in the folders where verl has the sets."""
        copy = self._copy
        if copy is None:
            return
        for folder in sorted(places):
            here = posixpath.join(copy, folder)
            yield from (posixpath.join(here, name) for name in self._files.programs_in(here))

    @cached_property
    def _copy(self) -> str | None:
        return own_copy.beside(self._path, self._files)

    def _words(self, path: str, word: str) -> frozenset[str]:
        """The words that the code of a file takes; none where it has not got this one."""
        text = self._files.text(path)
        if text is None or not _quotes(text, word):
            return frozenset()
        if path not in self._taken:
            module = python_tree.parsed(text)
            self._taken[path] = frozenset(_taken(module) if module is not None else ())
        return self._taken[path]

    def _registered(self, word: str) -> Iterator[str]:
        """The words that the project's code registers, as far as this one stands there."""
        for text in self._registering:
            module = python_tree.parsed(text) if _quotes(text, word) else None
            for node in ast.walk(module) if module is not None else ():
                yield from _registered_by(node)

    @cached_property
    def _registering(self) -> list[str]:
        """The project's programs that may register something with verl."""
        return [text for text in self._programs if _REGISTRY in text.lower() and "verl" in text]

    @cached_property
    def _programs(self) -> list[str]:
        return list(own_copy.programs(self._path, self._files))


def _folders_of(closed_set: ClosedSet) -> frozenset[str]:
    """The folders of the files of verl that have a set."""
    return frozenset(map(posixpath.dirname, closed_set.source.partition(":")[0].split(", ")))


def _quotes(text: str, word: str) -> bool:
    return f'"{word}"' in text or f"'{word}'" in text


def _taken(module: ast.Module) -> Iterator[str]:
    """The words that a module of verl's registers, compares with, or lists; not what it refuses."""
    refused = _refusing(module)
    for node in ast.walk(module):
        yield from _registered_by(node)
        if isinstance(node, ast.ClassDef) and any(map(_is_enum, node.bases)):
            yield from _texts(*(one.value for one in node.body if isinstance(one, ast.Assign)))
        elif isinstance(node, ast.Compare) and id(node) not in refused:
            yield from _texts(node.left, *node.comparators)
        elif isinstance(node, ast.MatchValue):
            yield from _texts(node.value)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            yield from _texts(*_items(node.value))


def _refusing(module: ast.Module) -> set[int]:
    """The conditions below which nothing but an error comes."""
    return {
        id(node.test)
        for node in ast.walk(module)
        if isinstance(node, ast.If)
        and isinstance(node.body[0], ast.Raise)
        and not _is_list_of_all(node.test)
    }


def _is_list_of_all(test: ast.expr) -> bool:
    """Whether a condition names all words that are taken: `mode not in ("a", "b")`."""
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn | ast.NotEq)


def _compared(module: ast.Module, parent: str, leaf: str) -> Iterator[str]:
    """The words that code compares a key of a config with, or a name that it gave the key."""
    nodes = list(ast.walk(module))
    refused = _refusing(module)
    names = {
        ast.unparse(target)
        for node in nodes
        if isinstance(node, ast.Assign) and _reads(node.value, parent, leaf)
        for target in node.targets
    }
    for node in nodes:
        if isinstance(node, ast.Compare) and id(node) not in refused:
            sides = [node.left, *node.comparators]
            if any(_reads(side, parent, leaf) or ast.unparse(side) in names for side in sides):
                yield from _texts(*sides)


def _reads(node: ast.expr, parent: str, leaf: str) -> bool:
    """Whether an expression takes a key out of a mapping of its own name: `cfg.trainer.mode`."""
    names = python_reads.chain(node)
    return names[-1:] == [leaf] and names[-2] in (parent, f"{parent}_config", f"{parent}_cfg")


def _registered_by(node: ast.AST) -> Iterator[str]:
    """The words that a statement or call registers: `@register("x")`, `REGISTRY["x"] = …`."""
    if isinstance(node, ast.Call) and _names_registry(node.func):
        yield from _texts(*node.args, *(word.value for word in node.keywords))
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and _names_registry(target.value):
                yield from _texts(target.slice)
            elif _names_registry(target):
                yield from _texts(*_items(node.value))


def _names_registry(node: ast.expr) -> bool:
    """Whether a name, or the one before its last dot, is that of a registry."""
    owner = node.value if isinstance(node, ast.Attribute) else node
    return any(_REGISTRY in _name(one).lower() for one in (node, owner))


def _is_enum(base: ast.expr) -> bool:
    return _name(base).endswith("Enum")


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _items(node: ast.expr) -> Sequence[ast.expr]:
    """What a list holds, or the keys of a mapping."""
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    return node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else ()


def _texts(*nodes: ast.expr) -> Iterator[str]:
    """The texts among some expressions, and those in lists among them."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        else:
            yield from _texts(*_items(node))
