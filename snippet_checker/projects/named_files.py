"""What the scripts and configs set that a file of a project names.

No shell reads these scripts: what looks like a setting in their text counts, whatever it is for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property

from snippet_checker.projects.configs import ProjectConfigs
from snippet_checker.projects.files import ProjectFiles, named_from

_STARTED_SCRIPT = re.compile(
    r"\b(?:bash|sh|sbatch|exec)[ \t]+[\"']?(?:\$\{?\w{1,60}\}?/)?([\w./-]+\.sh)\b"
)
_HANDS_ON = re.compile(r"\$\{?[@*]")
_MOST_HANDED = 3  # scripts, one after the other
_SCRIPT = re.compile(r"(?<![\w./-])[\w./-]+\.sh\b")
_CONFIG = re.compile(r"(?<![\w./-])[\w./-]+\.yaml\b")
_VARIABLE = re.compile(r"\$\{?(\w+)(?::?-([^}]*))?\}?")
_SETS = re.compile(r"(?<![\w.-])([A-Za-z_][\w.]*)=[\"']?([^\s\"']+)")
_OF_VERL = re.compile(r"-m[ \t]+verl\.|\bverl/\w")
_ASSIGNED = re.compile(
    r"^[^\S\n]*(?:export[^\S\n]+)?([A-Za-z_]\w*)=[^\s,]*[^\S\n]*(?:#.*)?$", re.MULTILINE
)
_APPENDED = re.compile(r"\+([^\s+=]+)=")


class NamedFiles:
    """The files that the one at `path` names, from any of the `folders` around it."""

    def __init__(
        self, path: str, folders: Sequence[str], files: ProjectFiles, configs: ProjectConfigs
    ) -> None:
        self._path, self._folders, self._files, self._all_configs = path, folders, files, configs

    def have(self, key: str) -> bool:
        """Whether a config has a key, or a script sets it that starts nothing of verl's package."""
        return self._all_configs.has_in_one_of(self._configs, key) or any(
            key in dict(_SETS.findall(script))
            for script in self._scripts
            if _OF_VERL.search(script) is None
        )

    def give(self, key: str, value: str) -> bool:
        """Whether a script gives a key, perhaps shortened, a value, or a config a full key."""
        return any(_gives(script, key, value) for script in self._scripts) or (
            self._all_configs.gives_in_one_of(self._configs, key, value)
        )

    def set_variable(self, name: str) -> bool:
        """Whether a script, or a command in the file itself, sets a shell variable."""
        return any(name in _ASSIGNED.findall(text) for text in (self._text, *self._scripts))

    def append(self, key: str, text: str) -> bool:
        """Whether a script that a text of the file starts puts a key in with a plus.

        A setting behind the name of such a script changes what the script has put in.
        """
        return key in self._appended(text)

    def hand_on_to_others(self, text: str) -> bool:
        """Whether the scripts that a text starts hand their words on, to nothing of verl's package.

        Who starts the last of them gets the words.
        """
        scripts = list(self._handing(text))
        return bool(scripts) and not any(map(_OF_VERL.search, scripts))

    def _handing(self, text: str) -> Iterator[str]:
        """The scripts that a text starts, and that those start, if they hand on their words."""
        texts = [text]
        for _ in range(_MOST_HANDED):
            names = [name for one in texts for name in _STARTED_SCRIPT.findall(one)]
            texts = [one for one in self._texts(names) if _HANDS_ON.search(one) is not None]
            yield from texts

    @cached_property
    def _appended(self) -> Callable[[str], frozenset[str]]:
        """The keys that the scripts of a text put in: read once, whatever keys are asked for."""
        return cache(self._appended_by_scripts)

    def _appended_by_scripts(self, text: str) -> frozenset[str]:
        scripts = self._texts(_STARTED_SCRIPT.findall(text))
        return frozenset(key for script in scripts for key in _APPENDED.findall(script))

    @cached_property
    def _text(self) -> str:
        return self._files.text(self._path) or ""

    @cached_property
    def _scripts(self) -> tuple[str, ...]:
        return tuple(self._texts(_SCRIPT.findall(self._text)))

    @cached_property
    def _configs(self) -> tuple[str, ...]:
        return tuple(named_from(self._folders, _CONFIG.findall(self._text)))

    def _texts(self, names: Iterable[str]) -> Iterator[str]:
        return (self._files.text(path) or "" for path in named_from(self._folders, names))


def _gives(script: str, key: str, value: str) -> bool:
    """Whether a script sets a key, perhaps shortened, to a value, or to a variable with it."""
    sets = _SETS.findall(script)
    words = [word for name, word in sets if name == key or name.endswith(f".{key}")]
    variables = {found[1] for found in map(_VARIABLE.fullmatch, words) if found is not None}
    words += [word for name, word in sets if name in variables]
    return any(value in (word, _default(word)) for word in words)


def _default(word: str) -> str | None:
    found = _VARIABLE.fullmatch(word)
    return found[2] if found is not None else None
