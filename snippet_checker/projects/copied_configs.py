"""Configs of a project's own that a script or a mount puts into verl's folder."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from functools import lru_cache

_COPY = re.compile(
    r"(?m)^[ \t]*(?:sudo[ \t]+)?(?:cp|mv|ln|rsync|install)[ \t]+(\S(?:\\\n|[^\n;&|#])*)"
)
_MOUNT = re.compile(  # `./config/mine.yaml:/opt/verl/verl/trainer/config/mine.yaml:ro`
    r"(?<![\w./:-])([\w./${}-]{1,200}\.yaml):(/[\w./-]{0,200}/config/[\w.-]{1,200}\.yaml)(?![\w/])"
)
_TARGET = re.compile(r"(?:^|/)config(?:/|/[\w.-]+\.yaml)?$")
_ALL_OF_IT = re.compile(r"/[*.]*$")
_QUOTES = "\"'"
_CONFIG = ".yaml"


def source_of(name: str, script: str) -> str | None:
    """What a script copies to be the config `name` of verl's: a file's path, or a folder's."""
    for *sources, target in _copies(script):
        for source in sources:
            is_renamed = target.endswith(_CONFIG)
            copied = posixpath.basename(target if is_renamed else source)
            if not copied.endswith(_CONFIG):
                return _ALL_OF_IT.sub("", source)  # a folder, which may hold anything
            if fnmatch.fnmatchcase(name + _CONFIG, copied):
                return source.replace(copied, name + _CONFIG) if "*" in copied else source
    return None


@lru_cache(maxsize=4)
def _copies(script: str) -> tuple[tuple[str, ...], ...]:
    """The paths in each command that copies into a folder of configs, the target last."""
    lines = (match[1].replace("\\\n", " ").split() for match in _COPY.finditer(script))
    paths = (tuple(w.strip(_QUOTES) for w in words if not w.startswith("-")) for words in lines)
    copied = (found for found in paths if len(found) > 1 and _TARGET.search(found[-1]))
    return (*copied, *(mount.groups() for mount in _MOUNT.finditer(script)))
