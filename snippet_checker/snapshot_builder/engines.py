"""Which options an engine has in each of its releases, read in its wheels without importing them.

`python -m snippet_checker.snapshot_builder.engines WHEEL…` adds what the wheels say to
`snippet_checker/verl/engines`. What stands there of other releases stays as it is.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.parser import HeaderParser
from pathlib import Path

from packaging.version import Version

from snippet_checker import typed
from snippet_checker.verl.engine_options import ENGINES, Engine, EngineOptions, options, spans

_METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
_FLAG = re.compile(r"--[a-z][a-z0-9-]*")
_VLLM_PARSERS = (
    "vllm/engine/arg_utils.py",
    "vllm/entrypoints/openai/cli_args.py",
    "vllm/entrypoints/cli/serve.py",
    "vllm/entrypoints/launchers/cli_args.py",
    "vllm/entrypoints/common/cli_args.py",
)
"""Where the options of its server are added to a parser; not each release has each file."""
_MOST_LOST = 0.2
"""The share of an engine's options that no release dropped at once."""
_VLLM_FRONTENDS = ("BaseFrontendArgs", "FrontendArgs")
"""Each field of these classes is an option of the server, where they are dataclasses."""
_VLLM_CLASSES = (
    ("vllm/engine/arg_utils.py", "EngineArgs"),
    ("vllm/entrypoints/llm.py", "LLM"),
)
_SGLANG_CLASSES = (("sglang/srt/server_args.py", "ServerArgs"),)


class EngineError(Exception):
    """A wheel is of another project, or lacks what earlier ones of the engine held."""


def _vllm(texts: Mapping[str, str]) -> EngineOptions:
    trees = [ast.parse(texts[name]) for name in _VLLM_PARSERS if name in texts]
    flags = {flag for tree in trees for flag in _flags(tree)}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.name in _VLLM_FRONTENDS:
                flags.update(_fields(node))
    return EngineOptions(frozenset(flags), _keywords(_VLLM_CLASSES, texts))


def _sglang(texts: Mapping[str, str]) -> EngineOptions:
    return EngineOptions(frozenset(), _keywords(_SGLANG_CLASSES, texts))


_READERS: dict[str, Callable[[Mapping[str, str]], EngineOptions]] = {
    "sglang": _sglang,
    "vllm": _vllm,
}


def _flags(tree: ast.AST) -> Iterator[str]:
    """The long options that some code names: `max_num_seqs`.

    Some releases go through a list of them, so that the call that adds one has a variable.
    """
    for node in ast.walk(tree):
        said = node.value if isinstance(node, ast.Constant) else None
        if isinstance(said, str) and _FLAG.fullmatch(said):
            yield said.lstrip("-").replace("-", "_")


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            yield one.target.id


def _keywords(classes: Sequence[tuple[str, str]], texts: Mapping[str, str]) -> frozenset[str]:
    """What the classes take as keyword arguments: their fields, or those of an `__init__`."""
    found: set[str] = set()
    for path, name in classes:
        body = ast.parse(texts.get(path, "")).body
        node = next((n for n in body if isinstance(n, ast.ClassDef) and n.name == name), None)
        if node is None:
            raise EngineError(f"{path} has no class {name}")
        inits = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        if not inits:
            found.update(_fields(node))
        for init in inits:
            found.update(one.arg for one in (*init.args.args[1:], *init.args.kwonlyargs))
    return frozenset(found)


def read(path: Path) -> tuple[str, str, str, EngineOptions]:
    """The engine of a wheel, its release, the wheel's name with its SHA-256, and its options."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        metadata = next((name for name in names if _METADATA.fullmatch(name)), None)
        if metadata is None:
            raise EngineError(f"{path.name} is no wheel")
        said = HeaderParser().parsestr(archive.read(metadata).decode("utf-8"))
        engine = (said["Name"] or "").lower()
        if engine not in _READERS:
            raise EngineError(f"{path.name} is no wheel of {', '.join(_READERS)}")
        wanted = {*_VLLM_PARSERS, *(name for name, _ in (*_VLLM_CLASSES, *_SGLANG_CLASSES))}
        texts = {name: archive.read(name).decode("utf-8") for name in wanted.intersection(names)}
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    found = _READERS[engine](texts)
    if not found.keywords or (engine == "vllm" and not found.flags):
        raise EngineError(f"{path.name}: nothing is found where the options were")
    return engine, str(Version(said["Version"] or "")), f"{path.name}#sha256={sha256}", found


def add(wheels: Sequence[Path], folder: Path = ENGINES) -> None:
    """Write what the wheels say beside what is known of other releases."""
    found = [read(path) for path in wheels]
    for engine in sorted({name for name, *_ in found}):
        file = folder / f"{engine}.json"
        known = Engine.load(file) if file.is_file() else Engine({}, {}, {})
        wheels_of, by_release = dict(known.wheels), dict(options(known))
        for name, release, wheel, one in found:
            if name == engine:
                wheels_of[release], by_release[release] = wheel, one
        order = sorted(by_release, key=Version)
        for before, after in itertools.pairwise(order):
            _refuse_loss(engine, before, after, by_release)
        data = Engine(
            {release: wheels_of[release] for release in order},
            spans(order, [by_release[release].flags for release in order]),
            spans(order, [by_release[release].keywords for release in order]),
        )
        file.write_text(typed.text_of(data), "utf-8")


def _refuse_loss(engine: str, before: str, after: str, of: Mapping[str, EngineOptions]) -> None:
    """Raise EngineError where so much is gone that the options seem to stand somewhere else."""
    for one, other in (
        (of[before].flags, of[after].flags),
        (of[before].keywords, of[after].keywords),
    ):
        lost = one - other
        if len(lost) > _MOST_LOST * len(one):
            raise EngineError(f"{engine} {after} lacks much that {before} has: {sorted(lost)}")


def main(arguments: Sequence[str]) -> int:
    try:
        add([Path(argument) for argument in arguments])
    except (EngineError, OSError, zipfile.BadZipFile) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
