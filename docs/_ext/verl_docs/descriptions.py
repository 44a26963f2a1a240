"""What a site says about single keys: `guide/keys/<page>.toml`, one line a key.

A key that no file describes has the description of its twin, as in the checker.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from snippet_checker.verl.descriptions import describing
from verl_docs.facts import Facts
from verl_docs.rebuild import digest

SHOWN = "descriptions"  # in the metadata of a page: the state of the files that it was read with
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Description:
    """A key's description in MyST markup, and the page that discusses it, which is also a label."""

    text: str
    page: str
    file: Path


def shows_descriptions(env: BuildEnvironment) -> None:
    """Have the page that is being read read again when the files of descriptions change.

    They are no dependencies of it: any of them may be the first to describe a key.
    """
    env.metadata[env.current_document.docname][SHOWN] = digest(_files(folder(env)))


def outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    now = digest(_files(folder(env)))
    return [name for name, page in env.metadata.items() if page.get(SHOWN, now) != now]


def folder(env: BuildEnvironment) -> Path:
    """Where the descriptions of a project are."""
    return Path(env.srcdir, env.config.verl_descriptions)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


def described_keys(env: BuildEnvironment) -> Mapping[str, Description]:
    """By full key. A fault is a warning that names its place, once a process; the rest holds."""
    return _read(folder(env), digest(_files(folder(env))), Facts.of(env.config))


@cache
def _read(folder: Path, digest: str, facts: Facts) -> Mapping[str, Description]:
    found: dict[str, Description] = {}
    for file in _files(folder):
        for key, text in _table(file).items():
            fault = _fault(key, text, found, facts)
            if fault is not None:
                _warn(fault, file, _line_of(key, file))
            else:
                found[key] = Description(str(text), file.stem, file)
    return found | dict(_inherited(found, facts))


def _inherited(found: Mapping[str, Description], facts: Facts) -> Iterator[tuple[str, Description]]:
    """The keys that have the description of their twin."""
    for key in {name for program in facts.programs for name in facts.keys_of(program)}:
        if key not in found and (twin := describing(key, found)) is not None:
            yield key, found[twin]


def _fault(key: str, text: object, found: Mapping[str, Description], facts: Facts) -> str | None:
    if key in found:
        return f"{found[key].file.name} describes '{key}', too; keep one"
    if not isinstance(text, str):
        return f"put quotation marks around the key '{key}.…'"
    if facts.find(key) is None:
        return f"verl {facts.name} has no key '{key}'; rename or remove it"
    return None


def _table(file: Path) -> dict[str, object]:
    advice = 'write each key in a line, as "full.key" = "what it does"'
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        _warn(f"{error}; save the file as UTF-8", file, line)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else file.read_text("utf-8").count("\n")
        _warn(f"{error}; {advice}", file, line)
    return {}


def _warn(message: str, file: Path, line: int) -> None:
    logger.warning(message, location=f"{file}:{line}", type="verl", subtype="descriptions")


def _line_of(key: str, file: Path) -> int:
    begins = (f'"{key}"', f"'{key}'", f"{key}.", f"[{key}")
    lines = [line.lstrip() for line in file.read_text("utf-8").splitlines()]
    return next((n for n, line in enumerate(lines, start=1) if line.startswith(begins)), 1)


def setup(app: Sphinx) -> None:
    app.add_config_value("verl_descriptions", "guide/keys", "env", types=(str,))
    app.connect("env-get-outdated", outdated)
