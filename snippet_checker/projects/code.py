"""What the Python code of a project says of settings, besides what verl's own code does."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from snippet_checker.projects.code_facts import (
    ClassField,
    CodeFacts,
    Read,
    contains_all,
    contains_quoted,
    facts_of,
)
from snippet_checker.projects.files import ProjectFiles, programs_of
from snippet_checker.projects.programs import imports_verl, module_folder
from snippet_checker.projects.verl_copy import VerlCopy
from snippet_checker.text import python_reads
from snippet_checker.verl import history, key_index
from snippet_checker.verl.facts import ClosedSet
from snippet_checker.verl.release import Release, is_verls_program

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_REGISTERS = "regist"
_SHARED = "actor_rollout_ref"
_MOST_FLAGS, _MOST_WORDS, _MOST_KEYS = 50, 20, 100  # that are looked for, for one document
_FEW = 3  # words that two lists may share by chance
_MOST_CHARACTERS = 4_000_000  # of the code that is read with `ast` for keys

Answer = TypeVar("Answer")


class _BoundedCache(Generic[Answer]):
    """The answers to questions about one document; None to all beyond the first `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[Hashable, Answer | None] = {}

    def get(self, question: Hashable, find: Callable[[], Answer]) -> Answer | None:
        if question not in self._known:
            self._known[question] = find() if len(self._known) < self._most else None
        return self._known[question]


class ProjectCode:
    """The code around a document, first that of the project's copy of verl.

    It is looked for when it is first needed. A release that had something earlier makes it verl's
    own, whatever the code around says.
    """

    def __init__(self, folders: Sequence[str], files: ProjectFiles, copy: VerlCopy) -> None:
        """`folders` are those around the document."""
        self._folders, self._files, self._copy = folders, files, copy
        self._flags = _BoundedCache[bool](_MOST_FLAGS)
        self._words = _BoundedCache[bool](_MOST_WORDS)
        self._read = _BoundedCache[bool](_MOST_KEYS)
        self._read_beside = _BoundedCache[bool](_MOST_KEYS)
        self._declared = _BoundedCache[bool](_MOST_KEYS)
        self._defaults = _BoundedCache[list[Any]](_MOST_KEYS)
        self._parsed: set[str] = set()
        self._room = _MOST_CHARACTERS

    @cached_property
    def _programs(self) -> tuple[str, ...]:
        return tuple(programs_of(self._folders, self._files, self._copy.packages, self._left))

    @property
    def _left(self) -> Sequence[str]:
        """The folders of code that no longer runs."""
        return self._copy.packages if self._copy.is_outdated else ()

    def _facts(self, is_relevant: Callable[[str], bool]) -> Iterator[CodeFacts]:
        """The facts of the programs whose texts may tell something, as long as there is room."""
        for text in filter(is_relevant, self._programs):
            if text not in self._parsed:
                if self._room < len(text):
                    continue
                self._room -= len(text)
                self._parsed.add(text)
            yield facts_of(text)

    # Of a project with a copy of verl

    def reads(self, key: str, release: Release, refused_by: str | None = None) -> bool:
        """Whether a project with a copy of verl reads a key, or gave it to verl's class.

        The class is `refused_by`, if one refuses the key.
        """
        if self._copy.folder is None or key_index.last_before(key, release.name) is not None:
            return False
        if refused_by is None:
            return bool(self._read.get((key, None), lambda: self._takes_out(key)))
        is_there = self._copy.is_whole and not self._copy.is_outdated
        if is_there and not self._has_class(refused_by):
            return bool(self._read.get((key, None), lambda: self._takes_out(key)))
        field = _first_new_name(key, release)
        return bool(
            self._read.get((key, refused_by, field), lambda: self._has_field(refused_by, field))
        )

    def _has_class(self, name: str) -> bool:
        """Whether the copy's code has a class of a name, which an older verl may not have."""
        return bool(self._read.get((name, "class"), lambda: self._defines(name)))

    def _defines(self, name: str) -> bool:
        packages = (self._files.programs_below(one) for one in self._copy.packages)
        texts = (text for package in packages for _, text in package)
        return any(f"class {name}(" in text or f"class {name}:" in text for text in texts)

    def _takes_out(self, key: str) -> bool:
        """Whether a program takes a key out of what may be its mapping."""
        above, _, leaf = key.rpartition(".")
        parent = above.rpartition(".")[2]
        return any(
            name == leaf and python_reads.may_hold(owner, parent)
            for facts in self._facts(contains_all(leaf))
            for owner, name in facts.reads
        )

    def _has_field(self, owner: str, name: str) -> bool:
        """Whether a class, or one beside it that it builds on or that builds on it, has a field."""
        return any(
            field.name == name
            and (
                field.owner in _with_bases(owner, facts) or owner in _with_bases(field.owner, facts)
            )
            for facts in self._facts(contains_all(name))
            for field in facts.fields
        )

    def reads_by_name(self, key: str, release: Release) -> bool:
        """Whether a project with all of verl takes a key out of a mapping that it calls the same.

        In a command, Hydra refuses it without a plus.
        """
        above, _, leaf = key.rpartition(".")
        owner = above.rpartition(".")[2]
        return (
            owner != ""
            and self._copy.is_whole
            and not release.expand(f"{owner}.{leaf}")  # which verl's code reads in its own place
            and self.reads(key, release)
            and any((owner, leaf) in facts.reads for facts in self._facts(contains_all(leaf)))
        )

    def reads_new_mapping(self, key: str, release: Release) -> bool:
        """Whether a project with all of verl reads the mapping around a key, new to verl itself."""
        above = key.rpartition(".")[0]
        is_new = "." in above and above not in release.all_keys
        return is_new and self._copy.is_whole and self.reads(above, release)

    def iterates(self, name: str) -> bool:
        """Whether a program goes through the entries of a mapping, which it may change then."""
        return bool(self._read.get((name, "items"), lambda: self._takes_entries(name)))

    def _takes_entries(self, name: str) -> bool:
        return any(
            (name, "items") in facts.reads for facts in self._facts(contains_all(name, "items"))
        )

    # Of the programs beside the document

    def reads_beside(self, key: str) -> bool:
        """Whether a program beside the document, and not in a copy of verl, reads a key.

        It takes it out of a mapping that it calls as the key does.
        """
        return bool(self._read_beside.get(key, lambda: self._takes_out_beside(key)))

    def _takes_out_beside(self, key: str) -> bool:
        above, _, leaf = key.rpartition(".")
        texts = self._outside_verl(self._folders[0])
        return self._takes_pair(above.rpartition(".")[2], leaf, texts)

    def _outside_verl(self, folder: str) -> Iterator[str]:
        """The programs below a folder, but for those in a folder of verl's name there."""
        for path, text in self._files.programs_below(folder):
            if "/verl/" not in path.removeprefix(folder):
                yield text

    def reads_without_verl(self, key: str) -> bool:
        """Whether code of the project that imports nothing of verl's reads a key, as verl may.

        A trainer that builds on verl's asks for keys as verl's does, to warn of them.
        """
        return bool(self._read_beside.get((key, "own"), lambda: self._takes_out_of_own(key)))

    def _takes_out_of_own(self, key: str) -> bool:
        above, _, leaf = key.rpartition(".")
        texts = (one for one in self._outside_verl(self._folders[-1]) if not imports_verl(one))
        return self._takes_pair(above.rpartition(".")[2], leaf, texts)

    # Of any other project

    def reads_new_key(self, key: str, release: Release) -> bool:
        """Whether a project takes a key out of a config whose last name verl knows nowhere."""
        is_new = key.rpartition(".")[2] not in release.by_leaf
        return (
            is_new
            and not self._copy.is_whole
            and bool(self._read.get((key, None), lambda: self._takes_out(key)))
        )

    def reads_key_of_new_mapping(self, key: str, release: Release) -> bool:
        """Whether a project takes a key, whatever its name, out of a mapping that verl has not.

        It calls that as the key does: `agent`, or `agent_config`.
        """
        above, _, leaf = key.rpartition(".")
        is_new = "." in above and above not in release.all_keys
        if not is_new or self._copy.is_whole:
            return False
        parent = above.rpartition(".")[2]
        pairs = {(owner, leaf) for owner in (parent, f"{parent}_config", f"{parent}_cfg")}
        return bool(self._read.get((key, "pair"), lambda: self._takes_one_of(pairs, leaf)))

    def _takes_one_of(self, pairs: set[Read], leaf: str) -> bool:
        return any(not pairs.isdisjoint(facts.reads) for facts in self._facts(contains_all(leaf)))

    def reads_former_key(self, key: str, release: Release) -> bool:
        """Whether code around a config reads a key of two names that verl had, or the two before.

        Code around it lies below the folder above the config's: that of its program.
        """
        owner, name, *_ = *key.split("."), ""
        is_of_copy = self._copy.is_whole and f"{self._copy.folder}/".startswith(f"{self._above}/")
        if is_of_copy or not name or f"{owner}.{name}" in release.all_keys:
            return False
        texts = (text for _, text in self._files.programs_below(self._above))
        pair = owner, name
        return bool(self._read_beside.get(pair, lambda: self._takes_pair(owner, name, texts)))

    @property
    def _above(self) -> str:
        """The folder above that of the document."""
        return self._folders[min(1, len(self._folders) - 1)]

    @staticmethod
    def _takes_pair(owner: str, name: str, texts: Iterable[str]) -> bool:
        """Whether one of some programs takes a name out of what it calls `owner`."""
        found = (text for text in texts if name in text)
        return owner != "" and any((owner, name) in facts_of(text).reads for text in found)

    def declares(self, key: str) -> bool:
        """Whether classes that are no copy of verl's declare a key.

        One class has a field of its last name, and a field that is named like its mapping takes
        that class.
        """
        if self._copy.is_whole:
            return False
        return bool(self._declared.get(key, lambda: self._has_fields(key)))

    def _has_fields(self, key: str) -> bool:
        above, _, leaf = key.rpartition(".")
        owners = {one.owner for one in self._fields(leaf)} if above else set()
        return bool(owners) and any(
            not owners.isdisjoint(re.findall(r"\w+", one.annotation))
            for one in self._fields(above.rpartition(".")[2])
        )

    def has_field(self, name: str) -> bool:
        """Whether such a class has a field of a name."""
        if self._copy.is_whole or _IDENTIFIER.fullmatch(name) is None:
            return False
        return bool(self._declared.get((name,), lambda: any(True for _ in self._fields(name))))

    def class_has_field(self, owner: str, name: str) -> bool:
        """Whether a class of that name, of whatever code of the project, has a field."""
        found = self._declared.get(
            (owner, name), lambda: any(one.owner == owner for one in self._fields(name))
        )
        return bool(found)

    @cached_property
    def has_own_trainer(self) -> bool:
        """Whether a class of the project declares the config that verl's trainers share.

        And nothing of the project imports verl: it is another trainer, with settings of its own.
        """
        if not self.has_field(_SHARED):
            return False
        return not any(map(imports_verl, self._programs))

    def has_parameter(self, name: str) -> bool:
        """Whether a function of the project, which holds no copy of verl, takes a name.

        verl's own names are none of these.
        """
        if self._copy.is_whole or _IDENTIFIER.fullmatch(name) is None:
            return False
        found = self._declared.get((name, "parameter"), lambda: self._takes(name))
        return bool(found)

    def _takes(self, name: str) -> bool:
        return any(name in facts.parameters for facts in self._facts(contains_all(name)))

    def names_key(self, key: str) -> bool:
        """Whether code of the project, its copy of verl included, tells of a whole key."""
        return bool(self._read.get((key, "name"), lambda: self._has_text(key)))

    def _has_text(self, key: str) -> bool:
        packages = (self._files.programs_below(one) for one in self._copy.packages)
        texts = (*(text for package in packages for _, text in package), *self._programs)
        named = re.compile(rf"(?<![\w.]){re.escape(key)}(?![\w.=]|['\"]?\s*:)").search
        return any(key in text and named(text) is not None for text in texts)

    def takes_out(self, key: str) -> bool:
        """Whether a program of a project without a copy of verl takes a key out of what holds it.

        It calls both as they are called.
        """
        owner, _, leaf = key.rpartition(".")
        pair = owner.rpartition(".")[2], leaf
        if self._copy.is_whole or not owner:
            return False
        return any(pair in facts.reads for facts in self._facts(contains_all(leaf)))

    def gives_default(self, name: str, value: Any) -> bool:
        """Whether such a class has a field of a name with a default."""
        if self._copy.is_whole:
            return False
        given = self._defaults.get(name, lambda: [one.default for one in self._fields(name)])
        return any(one == value and type(one) is type(value) for one in given or ())

    def _fields(self, name: str) -> Iterator[ClassField]:
        """The fields of a name."""
        # To look behind the name, and not before it, leaves the search a text to begin with.
        written = re.escape(name)
        declares = re.compile(rf"{written}(?<!\w{written})\s*:").search
        has_both = contains_all(name, "class ")  # which is quick
        for facts in self._facts(lambda text: has_both(text) and declares(text) is not None):
            yield from (one for one in facts.fields if one.name == name)

    def has_flag(self, name: str, text: str) -> bool:
        """Whether a text shows a name as a flag, or a program that is none of verl's declares it.

        Hydra has no flags for settings.
        """
        if _IDENTIFIER.fullmatch(name) is None:
            return False
        flag = "--" + "[_-]".join(map(re.escape, name.split("_")))
        if re.search(rf"(?<![\w-]){flag}(?![\w-])", text):
            return True
        if self._copy.is_whole:
            return False
        declared = re.compile(rf"[\"']{flag}[\"']")
        return bool(self._flags.get(name, lambda: any(map(declared.search, self._programs))))

    # Of both

    def accepts_word(
        self, word: str, sets: Sequence[ClosedSet], release: Release, started: str | None = None
    ) -> bool:
        """Whether the code takes a word that none of verl's sets for a key holds.

        The program that is `started` may take it, too. What the release takes for another key
        nearby is verl's own.
        """
        if not self._words.get(word, lambda: True):
            return False
        places = frozenset().union(*map(_folders_of, sets))
        keys = {key for one in sets for key in one.keys}
        looked_at = places.union([module_folder(started)] if started is not None else ())
        is_taken = (
            any(
                word in facts.words
                for facts in self._copy.facts_in(looked_at, contains_quoted(word))
            )
            or (any(one.open for one in sets) and self._registers(word))
            or any(self._extends(one, word) for one in sets)
            or (
                (self._copy.folder is not None or not is_verls_program(started or ""))
                and any(self._compares(key, word) for key in keys)
            )
        )
        return is_taken and not any(
            not keys.isdisjoint(one.keys) or not places.isdisjoint(_folders_of(one))
            for one in history.sets_with(word, release)
        )

    def _registers(self, word: str) -> bool:
        """Whether a program registers a word with verl."""
        quotes = contains_quoted(word)
        return any(
            word in facts_of(text).registered
            for text in self._programs
            if quotes(text) and "verl" in text and _REGISTERS in text.lower()
        )

    def _extends(self, taken: ClosedSet, word: str) -> bool:
        """Whether a program has a set of its own: the word beside most of those that verl takes."""
        quotes, most = contains_quoted(word), max(_FEW, len(taken.values) // 2 + 1)
        return any(
            word in words and len(words.intersection(taken.values)) >= most
            for text in self._programs
            if quotes(text)
            for words in (facts_of(text).words,)
        )

    def _compares(self, key: str, word: str) -> bool:
        """Whether a program reads a key, and compares it with a word that it takes."""
        above, _, leaf = key.rpartition(".")
        parent, quotes = above.rpartition(".")[2], contains_quoted(word)
        return any(
            facts_of(text).compares(parent, leaf, word)
            for text in self._programs
            if leaf in text and quotes(text)
        )


def _first_new_name(key: str, release: Release) -> str:
    """The first name in a key that the release does not know: what lies below goes with it."""
    parts = key.split(".")
    known = (n for n in range(1, len(parts)) if ".".join(parts[:n]) not in release.all_keys)
    return parts[next(known, len(parts)) - 1]


def _with_bases(owner: str, facts: CodeFacts) -> set[str]:
    """A class, and those of its module that it builds on."""
    found, waiting = {owner}, [owner]
    while waiting:
        name = waiting.pop()
        new = {base for one, base in facts.bases if one == name} - found
        found |= new
        waiting += new
    return found


def _folders_of(closed_set: ClosedSet) -> frozenset[str]:
    """The folders of the files of verl that have a set."""
    return frozenset(map(posixpath.dirname, closed_set.source.partition(":")[0].split(", ")))
