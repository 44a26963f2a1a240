"""The releases of vLLM and SGLang that a project asks for, where it names what it needs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from snippet_checker.projects.files import ProjectFiles
from snippet_checker.projects.requirement_files import FILES, IMAGES, lines_without_remarks
from snippet_checker.verl.bounds import Bounds, bounds_of

_SIGN = r"(?:==|~=|<=|>=|!=|<|>)"
_VERSION = rf"{_SIGN}[ \t]{{0,4}}v?\d[\w.+*]{{0,24}}"
_ASKED = re.compile(
    r"(?<![\w./-])(vllm|sglang)(?:\[[\w, -]{0,80}\])?[ \t]{0,4}"
    rf"({_VERSION}(?:[ \t]{{0,4}},[ \t]{{0,4}}{_VERSION}){{0,4}})"
)


def asked(engine: str, folders: Sequence[str], files: ProjectFiles) -> list[Bounds]:
    """What the nearest of some folders that says anything of an engine asks for."""
    for folder in folders:
        texts = (files.text(posixpath.join(folder, name)) for name in (*FILES, *IMAGES))
        found = [one for text in texts if text is not None for one in _asked(engine, text)]
        if found:
            return found
    return []


def _asked(engine: str, text: str) -> Iterator[Bounds]:
    for line in lines_without_remarks(text):
        for name, versions in _ASKED.findall(line):
            found = bounds_of(versions) if name == engine else ()
            if found:
                yield found
