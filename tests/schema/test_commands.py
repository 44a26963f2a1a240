"""Whole commands against real Hydra: accepted here if and only if Hydra accepts them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from snippet_checker.documents import read_text
from snippet_checker.languages import read
from snippet_checker.schema.judge import judge
from snippet_checker.schema.release import Primary, Release, load, releases
from snippet_checker.schema.tree import Status
from tests.schema import hydra_tree

ACCEPTED = frozenset({Status.ACCEPTED})
VALUES = ["1", "true", "null", "abc", "[a,b]", "{x:1}", "1e-6", "'a b'", "???"]


def accepted_here(release: Release, module: str, name: str, overrides: list[str]) -> bool:
    quoted = " ".join('"' + override.replace("$", r"\$") + '"' for override in overrides)
    script = f"python3 -m {module} --config-name={name} {quoted}\n"
    (block,) = read_text("case.sh", script)
    (snippet,) = read(block)
    verdicts = judge(snippet, release).verdicts
    return not snippet.faults and all(verdict.status in ACCEPTED for verdict in verdicts)


def generated(release: Release, primary: Primary, seed: int, count: int) -> Iterator[list[str]]:
    """Commands of one to three overrides, about half of them wrong in some way."""
    rng = random.Random(seed)
    tree = release.tree(primary)
    keys = [key for key in tree.dotted_keys() if not key.startswith("hydra")]
    groups = list(release.composer(primary).group_keys(primary.config_name))
    for _ in range(count):
        yield [_one(rng, keys, groups, release, primary) for _ in range(rng.randint(1, 3))]


def _one(
    rng: random.Random, keys: list[str], groups: list[str], release: Release, primary: Primary
) -> str:
    key = rng.choice(keys)
    change = rng.random()
    if change < 0.2:
        key += "x"
    elif change < 0.3:
        key += ".deeper"
    elif change < 0.4 and "." in key:
        parent, _, leaf = key.rpartition(".")
        key = f"{parent}.other.{leaf}"
    elif change < 0.5 and groups:
        group = rng.choice(groups)
        if "/../" not in group:
            options = release.composer(primary).options(group.partition("@")[0])
            return f"{rng.choice(['', '', '+', '~'])}{group}={rng.choice([*options, 'banana'])}"
    operator = rng.choice(["", "", "", "+", "++", "~"])
    if operator == "~" and rng.random() < 0.7:
        return "~" + key
    return f"{operator}{key}={rng.choice(VALUES)}"


def disagreements(name: str, primary: Primary, folder: Path, seed: int, count: int) -> list[str]:
    release = load(name)
    modules = (e.module for e in release.facts.entries if e.config_dir == primary.config_dir)
    module = next(module for module in modules if module.startswith("verl."))
    wrong = []
    with hydra_tree.hydra_in(hydra_tree.write(release, primary, folder)):
        for overrides in generated(release, primary, seed, count):
            theirs = hydra_tree.composed(primary.config_name, overrides) is not None
            ours = accepted_here(release, module, primary.config_name, overrides)
            if ours is not theirs:
                wrong.append(f"Hydra {'accepts' if theirs else 'refuses'} {' '.join(overrides)}")
    return wrong


@pytest.mark.parametrize("release", ["0.1", "0.6.1", "0.9.1"])
def test_generated_commands_of_three_eras(release: str, tmp_path: Path) -> None:
    assert disagreements(release, load(release).primaries[0], tmp_path, seed=1, count=8) == []


@pytest.mark.slow
@pytest.mark.parametrize("release", releases())
def test_generated_commands_of_every_program(release: str, tmp_path: Path) -> None:
    for number, primary in enumerate(load(release).primaries):
        folder = tmp_path / str(number)
        assert disagreements(release, primary, folder, seed=number, count=25) == []
