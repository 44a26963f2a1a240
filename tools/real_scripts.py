"""Launch scripts that anybody wrote: what Hydra refuses of what bash makes of them, and what we do.

Each script runs in a sandbox where python3 and the like only note their arguments. Real Hydra
judges these, and the checker reads the script.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import noted_calls

from snippet_checker.findings import Stage
from snippet_checker.pipeline import Options, check_text
from snippet_checker.verl.release import Primary, Release, load
from tests.hydra import hydra_tree

_NOTED = ("python", "python3", "torchrun", "ray", "srun", "accelerate", "deepspeed", "uv", "docker")
_IDLE = ("curl", "git", "kill", "pip", "pip3", "pkill", "rm", "sleep", "sudo", "wget")
_STAND_INS = {
    **dict.fromkeys(_NOTED, ""),
    **dict.fromkeys(_IDLE, "#!/bin/sh\n"),
    "nohup": '#!/bin/sh\nexec "$@"\n',
    "nvidia-smi": "#!/bin/sh\nseq -f 'GPU %g' 0 7\n",
}
_USUAL_ARGUMENTS = ("8", "/checkpoints")  # scripts that stop without any ask for these two
_OPTION = re.compile(r"(?P<flag>--config-name|-cn|--config-path|-cp)(?:=(?P<value>.*))?")


@dataclass
class Agreement:
    """How far the checker says of scripts what Hydra says of their commands, key by key."""

    scripts: int = 0
    overrides: int = 0
    refused: int = 0  # keys that Hydra refuses, by script
    missed: list[str] = field(default_factory=list)  # of these, what the checker does not report
    false_alarms: list[str] = field(default_factory=list)  # what it reports, and Hydra takes
    left_out: Counter[str] = field(default_factory=Counter)  # commands by why nobody can judge them


@dataclass(frozen=True, slots=True)
class _Command:
    primary: Primary
    overrides: tuple[str, ...]


def compare(folder: Path, release_name: str) -> Agreement:
    """Compare on every distinct script below a folder; raises NotRun without a sandbox."""
    release, result = load(release_name), Agreement()
    by_config: dict[Primary, list[tuple[Path, _Command]]] = defaultdict(list)
    for script in _distinct_scripts(folder):
        for call in _run(script).calls:
            command = _command(call, release, result.left_out)
            if command is not None:
                by_config[command.primary].append((script, command))
    refused: dict[Path, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for primary, started in by_config.items():
        for script, overrides in _judged(release, primary, started):
            for key, word, is_taken in overrides:
                refused[script][key].update([] if is_taken else [key, word])
            result.overrides += len(overrides)
    for script, keys in refused.items():
        _add(result, script, keys, release_name)
    return result


def _add(result: Agreement, script: Path, keys: dict[str, set[str]], release: str) -> None:
    """Compare on one script, given the words that Hydra refuses of each key; none: it takes it."""
    text = script.read_text("utf-8", "replace")
    findings = check_text("script.sh", text, Options(release)).findings
    reported = {_bare(f.key): f for f in findings if f.stage is Stage.HYDRA and f.key}
    refused = {key: words for key, words in keys.items() if words}
    silent = sorted(key for key, words in refused.items() if words.isdisjoint(reported))
    taken = sorted(reported.keys() & keys.keys() - refused.keys())
    result.scripts += 1
    result.refused += len(refused)
    result.missed += [f"{script}: {key}" for key in silent]
    result.false_alarms += [
        f"{script}:{reported[key].span.line}: {reported[key].message}" for key in taken
    ]


def _distinct_scripts(folder: Path) -> Iterator[Path]:
    seen = set()
    for script in sorted(folder.rglob("*.sh")):
        content = script.read_bytes()
        digest = hashlib.sha256(content).digest()
        if b"verl" in content and digest not in seen:
            seen.add(digest)
            yield script


def _run(script: Path) -> noted_calls.Run:
    done = noted_calls.run_sandboxed(script, _STAND_INS)
    if done.calls or not done.status:
        return done
    return noted_calls.run_sandboxed(script, _STAND_INS, _USUAL_ARGUMENTS)


def _command(call: Sequence[str], release: Release, left_out: Counter[str]) -> _Command | None:
    """The command of a call, if it starts a program of the release with a config of its own."""
    modules = [n for n, word in enumerate(call) if word.startswith("verl.") and call[n - 1] == "-m"]
    if not modules:
        return None
    module, *words = call[modules[0] :]
    primary = release.entry(module) if release.entry_module(module) else None
    if primary is None:
        left_out["the release has no such program"] += 1
        return None
    options, overrides = _options(words)
    folder = posixpath.join(posixpath.dirname(module.replace(".", "/")), options.get("path", "."))
    primary = Primary(
        posixpath.normpath(folder) if "path" in options else primary.config_dir,
        options.get("name", primary.config_name).removesuffix(".yaml"),
    )
    if primary not in release.primaries or any(word.startswith("-") for word in overrides):
        left_out["another config or option"] += 1
        return None
    return _Command(primary, tuple(word for word in overrides if not word.startswith("hydra.")))


def _options(words: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    options, overrides, rest = {}, [], iter(words)
    for word in rest:
        option = _OPTION.fullmatch(word)
        if option is None:
            overrides.append(word)
        else:
            kind = "name" if option["flag"] in ("--config-name", "-cn") else "path"
            options[kind] = option["value"] if option["value"] is not None else next(rest, "")
    return options, overrides


def _judged(
    release: Release, primary: Primary, started: Iterable[tuple[Path, _Command]]
) -> Iterator[tuple[Path, list[tuple[str, str, bool]]]]:
    """Hydra's verdict on each override of each command, with its key and what stands for it."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = hydra_tree.write(release, primary, Path(temporary))
        with hydra_tree.hydra_in(folder):
            hydra = hydra_tree.Judge(primary.config_name)
            accepts = cache(hydra.accepts)
            for script, command in started:
                yield script, list(_verdicts(command.overrides, hydra, accepts))


def _verdicts(
    overrides: tuple[str, ...], hydra: hydra_tree.Judge, accepts: Callable[[tuple[str, ...]], bool]
) -> Iterator[tuple[str, str, bool]]:
    """Whether Hydra takes each override, beside the choices of config groups that it takes."""
    everything = accepts(overrides)
    chosen = () if everything else tuple(filter(hydra.chooses_group, overrides))
    groups = tuple(choice for choice in chosen if accepts((choice,)))
    key = ""
    for override in overrides:
        if "=" in override:
            key = _bare(override.partition("=")[0])
        elif not override[:1].strip():
            key = override[:1]  # a blank that a backslash keeps, and what follows it
        # Other words without a key are the rest of an argument that the shell split.
        is_taken = everything or accepts(groups if override in groups else (*groups, override))
        yield key or override, override, is_taken


def _bare(key: str) -> str:
    return key.lstrip("+~").partition("@")[0]
