"""Configs of a project on disk: found from where a user checks, and checked again when changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippet_checker.cache import Cache
from snippet_checker.disk import Disk, is_unchanged
from snippet_checker.pipeline import Options
from snippet_checker.runner import check_paths

CONFIG = "hydra: {searchpath: [pkg://verl.trainer.config]}\ndefaults: [ppo_trainer, _self_]\n"
SCRIPT = (
    'python3 -m verl.trainer.main_ppo --config-path="$PWD/config" --config-name=mine mine.a=1\n'
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "config").mkdir()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "config" / "mine.yaml").write_text(CONFIG + "mine: {a: 0}\n")
    (tmp_path / "scripts" / "run.sh").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("folder", [".", "scripts", "config"])
def test_a_config_is_found_from_any_folder(
    folder: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / folder)
    script = Path("../scripts/run.sh" if folder != "." else "scripts/run.sh")
    for path in (script, project / "scripts" / "run.sh"):
        result = check_paths([path], Options("0.9.1", strict=True))
        assert result.findings == ()


def test_a_script_is_checked_again_when_its_config_changes(project: Path) -> None:
    def keys() -> list[str | None]:
        cache = Cache(project / "cache", "options")
        found = check_paths([Path("scripts/run.sh")], Options("0.9.1"), cache=cache).findings
        return [finding.key for finding in found]

    config = project / "config" / "mine.yaml"
    assert keys() == []
    config.write_text(CONFIG)
    assert keys() == ["mine.a"]
    assert keys() == ["mine.a"]
    config.unlink()
    (project / "config" / "mine2.yaml").write_text(CONFIG)
    assert keys() == ["mine"]  # the config, which is not there any more
    config.write_text(CONFIG + "mine: {a: 0}\n")
    assert keys() == []


def test_what_was_asked_of_a_disk_says_whether_it_has_changed(project: Path) -> None:
    disk = Disk()
    folder, file = (project / "config").as_posix(), (project / "config/mine.yaml").as_posix()
    assert disk.configs_in(folder) == {"mine.yaml"}
    assert disk.text(file) == CONFIG + "mine: {a: 0}\n"
    assert not disk.is_there(f"{folder}/other.yaml")
    (project / "config" / "notes.txt").write_text("a")
    assert all(is_unchanged(*one) for one in disk.seen.items())
    (project / "config" / "other.yaml").write_text("a: 1\n")
    changed = {
        question for question, digest in disk.seen.items() if not is_unchanged(question, digest)
    }
    assert changed == {f"configs:{folder}", f"there:{folder}/other.yaml"}


@pytest.mark.parametrize("content", [b"a: \xff\n", b"a: 1\n" * 300_000, b"", b"\x00"])
def test_a_config_of_strange_bytes_stops_nothing(content: bytes, project: Path) -> None:
    (project / "config" / "mine.yaml").write_bytes(content)
    result = check_paths([Path("scripts/run.sh")], Options("0.9.1"))
    assert result.failures == ()
    assert {finding.rule for finding in result.findings} <= {"unknown-entry", "unknown-key"}


def test_a_link_that_leads_nowhere_is_no_config(project: Path) -> None:
    """Its repository may not be taken along, as a submodule: only the launch knows the config."""
    (project / "config" / "mine.yaml").unlink()
    (project / "config" / "mine.yaml").symlink_to(project / "verl" / "mine.yaml")
    assert Disk().configs_in((project / "config").as_posix()) == frozenset()
    assert check_paths([Path("scripts/run.sh")], Options("0.9.1")).findings == ()


def test_a_link_for_verls_config_that_leads_nowhere(project: Path) -> None:
    """It stands in a folder beside the config that takes it in: only the launch knows it."""
    config = project / "config" / "mine.yaml"
    config.write_text("defaults: [ppo_trainer, _self_]\nactor_rollout_ref: {own: 1}\n")

    def rules() -> list[str]:
        found = check_paths([Path("scripts/run.sh")], Options("0.9.1")).findings
        return [finding.rule for finding in found]

    assert "unknown-entry" in rules()
    link = project / "config" / "ppo_trainer.yaml"
    link.symlink_to(project / "verl" / "trainer" / "config" / "ppo_trainer.yaml")
    assert rules() == []


def test_where_folders_hold_a_path_is_one_question(project: Path) -> None:
    disk, inner = Disk(), "verl/__init__.py"
    assert disk.holding(inner, project.as_posix()) == ()
    (project / "config" / "other").mkdir()
    (project / "new.yaml").write_text("a: 1\n")
    assert all(is_unchanged(*one) for one in disk.seen.items())  # that was not asked
    for folder in ("third/src", "here"):
        (project / folder / "verl").mkdir(parents=True)
        (project / folder / "verl" / "__init__.py").write_text("")
    assert not any(is_unchanged(*one) for one in disk.seen.items())
    found = Disk().holding(inner, project.as_posix())
    assert found == tuple((project / folder).as_posix() for folder in ("here", "third/src"))
