"""Snapshots hold facts of the recorded wheels, and are made anew byte for byte."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from snippet_checker.snapshot_builder import build
from snippet_checker.snapshot_builder.wheel import Wheel
from snippet_checker.verl import facts
from snippet_checker.verl.release import SNAPSHOTS, load, newest, releases
from tests.hydra.read_once import yaml_read_once

PROGRAM = """
import hydra
raise SystemExit("nothing out of a wheel is ever run")

@hydra.main(config_path="config", config_name="trainer", version_base=None)
def main(config):
    pass
"""
CLASSES = """
from dataclasses import dataclass, field
from .base import Base

@dataclass
class Engine(Base):
    size: int = 2
    names: list[str] = field(default_factory=list)
"""
BASE = "from dataclasses import dataclass\n\n@dataclass\nclass Base:\n    name: str = 'x'\n"


def made(texts: dict[str, str]) -> facts.Facts:
    return build.build("9.9", Wheel("verl-9.9.whl", "0" * 64, texts), None, build.Knowledge())


def small_wheel() -> dict[str, str]:
    return {
        "verl/trainer/main.py": PROGRAM,
        "verl/trainer/config/trainer.yaml": "defaults:\n- engine: a\n- _self_\nlr: 1e-6\n",
        "verl/trainer/config/engine/a.yaml": "_target_: verl.classes.Engine\nsize: 1\n",
        "verl/trainer/config/engine/b.yaml": "_target_: verl.classes.Engine\nother: 1\n",
        "verl/classes/__init__.py": "from .engine import *\n",
        "verl/classes/engine.py": CLASSES,
        "verl/classes/base.py": BASE,
    }


def test_entry_points_configs_and_dataclasses_are_found() -> None:
    found = made(small_wheel())
    assert found.entries == (
        facts.EntryPoint("verl.trainer.main", "verl/trainer/config", "trainer"),
    )
    assert found.configs["verl/trainer/config"]["trainer"].body == {"lr": 1e-6}
    engine = found.declarations["verl.classes.Engine"]
    assert engine.file == "verl/classes/engine.py"
    assert engine.fields["name"] == facts.Field("str", "x")
    assert engine.fields["names"] == facts.Field("list[str]")


def test_the_package_gets_every_file_where_it_is_read(tmp_path: Path) -> None:
    assert build.hydras_file(SNAPSHOTS).is_file()
    assert build.hydras_file(tmp_path).parent == tmp_path


def test_hydras_verdict_on_every_choice_is_recorded() -> None:
    verdicts = made(small_wheel()).verdicts["verl/trainer/config"]
    assert set(verdicts) == {"trainer", "trainer engine=b"}


def test_a_tree_that_hydra_composes_to_something_else_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    digests = iter("abcdef")
    monkeypatch.setattr(build.compose, "digest", lambda tree: next(digests))
    with pytest.raises(build.SnapshotError, match="Hydra composes 'trainer' to another tree"):
        made(small_wheel())


def test_reading_back_what_was_written_gives_the_same(tmp_path: Path) -> None:
    found = made(small_wheel())
    (tmp_path / "9.9.json").write_text(facts.dump(found), encoding="utf-8")
    assert facts.load(tmp_path / "9.9.json") == found


@pytest.mark.parametrize("release", releases())
def test_the_wheel_of_each_snapshot_is_the_recorded_one(release: str) -> None:
    found = load(release).facts
    assert (found.wheel, found.sha256) == build.recorded_wheels()[release]


def test_every_recorded_wheel_has_a_snapshot() -> None:
    assert tuple(build.recorded_wheels()) == releases()


@pytest.mark.parametrize("release", releases())
def test_snapshots_hold_no_comments_and_no_code(release: str) -> None:
    text = (build.SNAPSHOTS / f"{release}.json").read_text(encoding="utf-8")
    assert not re.search(r"\bdef \w+\(|\bimport \w+|# ", json.dumps(json.loads(text)))


@pytest.mark.long
@pytest.mark.slow
def test_the_newest_release_is_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    cache = Path(__file__).parents[2] / "build/wheels"
    arguments = [newest(), "--output", str(tmp_path), "--cache", str(cache)]
    with yaml_read_once():  # by Hydra, which composes some hundred configs of the same files
        assert build.main(arguments) == 0
    rebuilt = (tmp_path / f"{newest()}.json").read_bytes()
    assert rebuilt == (build.SNAPSHOTS / f"{newest()}.json").read_bytes()
