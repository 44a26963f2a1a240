"""The names that belong to a project which is no copy of verl: its programs' own settings."""

from __future__ import annotations

import re
from functools import cached_property

from snippet_checker.projects import own_copy
from snippet_checker.projects.files import ProjectFiles, programs_of

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_MOST_NAMES = 50  # that are looked for in the code, for one document


class OwnNames:
    """The names in the code around a document, looked for when first needed."""

    def __init__(self, path: str, files: ProjectFiles) -> None:
        """`path` is that of a file in the project."""
        self._path, self._files = path, files
        self._asked: dict[str, bool] = {}

    def has(self, name: str) -> bool:
        """Whether the code of a project without a copy of verl has a name that verl has not."""
        if name not in self._asked:
            is_name = len(self._asked) < _MOST_NAMES and _IDENTIFIER.fullmatch(name) is not None
            word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
            self._asked[name] = is_name and any(
                name in text and word.search(text) for text in self._programs
            )
        return self._asked[name]

    @cached_property
    def _programs(self) -> list[str]:
        if own_copy.is_fork(self._path, self._files):
            return []
        return list(programs_of(self._path, self._files))
