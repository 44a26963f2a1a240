"""The settings that the code of a project with a copy of verl reads, and verl's does not.

The code is read with `ast`, and nothing of it is run.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from snippet_checker.projects import own_copy
from snippet_checker.projects.files import ProjectFiles
from snippet_checker.text import python_reads, python_tree
from snippet_checker.verl import key_index
from snippet_checker.verl.release import Release

_MOST_KEYS = 100  # that are looked for in the code, for one document
_MOST_CHARACTERS = 4_000_000  # of the code that has one of them


class OwnReads:
    """What the code around a document reads, looked for when first needed."""

    def __init__(self, path: str, files: ProjectFiles) -> None:
        """`path` is that of a file in the project."""
        self._path, self._files = path, files
        self._known: dict[tuple[str, str | None], bool] = {}
        self._parsed: set[str] = set()
        self._room = _MOST_CHARACTERS

    def has(self, key: str, release: Release, refused_by: str | None = None) -> bool:
        """Whether a project with a copy of verl reads a key, or gave it to verl's class.

        The class is `refused_by`, if one refuses the key. What an earlier release had is verl's.
        """
        if key_index.last_before(key, release.name) is not None:
            return False
        asked = key, refused_by
        if asked not in self._known:
            has_room = len(self._known) < _MOST_KEYS
            if refused_by is not None:
                self._known[asked] = has_room and self._has_field(refused_by, _first(key, release))
            else:
                self._known[asked] = has_room and self._is_read(key)
        return self._known[asked]

    def names(self, key: str, release: Release) -> bool:
        """Whether such a project takes a key out of a mapping that it calls as the key does.

        That is for documents: what Hydra refuses in a command, no code sees.
        """
        above, _, leaf = key.rpartition(".")
        owner = above.rpartition(".")[2]
        return (
            owner != ""
            and own_copy.is_fork(self._path, self._files)
            and not release.expand(f"{owner}.{leaf}")  # which verl's code reads in its own place
            and self.has(key, release)
            and any((owner, leaf) in _found_in(text).reads for text in self._reading(leaf))
        )

    def hands_on(self, key: str, release: Release) -> bool:
        """Whether such a project reads the mapping around a key, which verl does not know."""
        above = key.rpartition(".")[0]
        is_new = "." in above and above not in release.all_keys
        return is_new and own_copy.is_fork(self._path, self._files) and self.has(above, release)

    def beside(self, key: str) -> bool:
        """Whether a program beside the document, and not in a copy of verl, reads a key.

        It takes it out of a mapping that it calls as the key does.
        """
        above, _, leaf = key.rpartition(".")
        owner = above.rpartition(".")[2]
        folder = posixpath.dirname(self._files.absolute(self._path))
        return owner != "" and any(
            (owner, leaf) in _found_in(text).reads
            for path, text in self._files.programs_below(folder)
            if leaf in text and "/verl/" not in path.removeprefix(folder)
        )

    def _reading(self, leaf: str) -> Iterator[str]:
        """The programs that have a name, as long as they may be parsed."""
        return (text for text in self._programs if leaf in text and self._has_room_for(text))

    def _is_read(self, key: str) -> bool:
        above, _, leaf = key.rpartition(".")
        parent = above.rpartition(".")[2]
        return any(
            python_reads.may_hold(owner, parent)
            for text in self._reading(leaf)
            for owner in _found_in(text).readers(leaf)
        )

    def _has_field(self, name: str, field: str) -> bool:
        """Whether a class of the project has a field."""
        return any((name, field) in _found_in(text).fields for text in self._reading(field))

    def _has_room_for(self, text: str) -> bool:
        """Whether a program may still be parsed for this document."""
        if text not in self._parsed:
            if self._room < len(text):
                return False
            self._room -= len(text)
            self._parsed.add(text)
        return True

    @cached_property
    def _programs(self) -> list[str]:
        """The programs of a project that holds a copy of verl; none of any other."""
        if own_copy.beside(self._path, self._files) is None:
            return []
        return list(own_copy.programs(self._path, self._files))


def _first(key: str, release: Release) -> str:
    """The first name in a key that the release does not know: what lies below goes with it."""
    parts = key.split(".")
    known = (n for n in range(1, len(parts)) if ".".join(parts[:n]) not in release.all_keys)
    return parts[next(known, len(parts)) - 1]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a program reads, as the names of owner and thing; and the fields of its classes."""

    reads: frozenset[tuple[str, str]]
    fields: frozenset[tuple[str, str]]

    def readers(self, name: str) -> Iterator[str]:
        """What the program calls the things that it takes something of this name out of."""
        return (owner for owner, read in self.reads if read == name)


@lru_cache(maxsize=256)
def _found_in(text: str) -> _Found:
    module = python_tree.parsed(text)
    nodes = list(ast.walk(module)) if module is not None else []
    chains = filter(None, map(python_reads.chain, nodes))
    return _Found(
        frozenset((names[-2], names[-1]) for names in chains),
        frozenset(
            (node.name, one.target.id)
            for node in nodes
            if isinstance(node, ast.ClassDef)
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ),
    )
