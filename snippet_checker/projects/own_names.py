"""The flags of a project's programs: Hydra has none for settings."""

from __future__ import annotations

import re
from functools import cached_property

from snippet_checker.projects import own_copy
from snippet_checker.projects.files import ProjectFiles, programs_of

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_MOST_NAMES = 50  # that are looked for in the code, for one document


class OwnNames:
    """The flags in the code around a document, looked for when first needed."""

    def __init__(self, path: str, files: ProjectFiles) -> None:
        """`path` is that of a file in the project."""
        self._path, self._files = path, files
        self._asked: dict[str, bool] = {}

    def is_flag(self, name: str, text: str) -> bool:
        """Whether a text shows a name as a flag, or a program of the project declares it as one.

        What stands in a copy of verl says nothing.
        """
        if _IDENTIFIER.fullmatch(name) is None:
            return False
        flag = "--" + "[_-]".join(map(re.escape, name.split("_")))
        if re.search(rf"(?<![\w-]){flag}(?![\w-])", text):
            return True
        if name not in self._asked:
            declared = re.compile(rf"[\"']{flag}[\"']")
            has_room = len(self._asked) < _MOST_NAMES
            self._asked[name] = has_room and any(map(declared.search, self._programs))
        return self._asked[name]

    @cached_property
    def _programs(self) -> list[str]:
        if own_copy.is_fork(self._path, self._files):
            return []
        return [text for text in programs_of(self._path, self._files) if "--" in text]
