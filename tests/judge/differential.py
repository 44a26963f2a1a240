"""The same generated commands to real Hydra and to us."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given

from snippet_checker.documents import read_text
from snippet_checker.findings import Stage
from snippet_checker.judge.judgement import judge
from snippet_checker.judge.verdict import Accepted, DeadAppend
from snippet_checker.snippets import read
from snippet_checker.verl.release import Primary, Release, load
from tests.generating import examples
from tests.hydra import hydra_tree
from tests.judge import generated


def accepted_here(release: Release, module: str, name: str, overrides: Sequence[str]) -> bool:
    quoted = " ".join("'" + override.replace("'", "'\\''") + "'" for override in overrides)
    script = f"python3 -m {module} --config-name={name} {quoted}\n"
    (block,) = read_text("case.sh", script)
    (snippet,) = read(block)
    verdicts = judge(snippet, release).verdicts
    refused = [fault for fault in snippet.faults if fault.stage is not Stage.SILENT]
    return not refused and all(isinstance(verdict, Accepted | DeadAppend) for verdict in verdicts)


@dataclass(frozen=True)
class Comparison:
    """How many overrides were compared, and the commands on which Hydra and we differ."""

    overrides: int
    disagreements: tuple[str, ...]


def programs(release: Release) -> list[Primary]:
    """The primary configs beside which the release has a program to start."""
    started = {e.config_dir for e in release.facts.entries if e.module.startswith("verl.")}
    return [primary for primary in release.primaries if primary.config_dir in started]


def compare(name: str, primary: Primary, folder: Path, number: int, count: int) -> Comparison:
    """Compare `count` commands for one program, generated from the seed `number`."""
    release = load(name)
    modules = (e.module for e in release.facts.entries if e.config_dir == primary.config_dir)
    module = next(module for module in modules if module.startswith("verl."))
    source = generated.program(release, primary)
    wrong: list[str] = []
    compared = 0

    @examples(count, number)
    @given(generated.commands(source))
    def agree(overrides: list[str]) -> None:
        nonlocal compared
        compared += len(overrides)
        theirs = hydra.accepts(overrides)
        if accepted_here(release, module, primary.config_name, overrides) is not theirs:
            wrong.append(f"Hydra {'accepts' if theirs else 'refuses'} {overrides}")

    with hydra_tree.hydra_in(hydra_tree.write(release, primary, folder)):
        hydra = hydra_tree.Judge(primary.config_name)
        agree()
    return Comparison(compared, tuple(wrong))
