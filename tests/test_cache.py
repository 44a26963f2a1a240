"""Results that are kept are those that a fresh check would give."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from snippet_checker import cache as cache_module
from snippet_checker import check, cli
from snippet_checker.cache import Cache
from snippet_checker.check import Options, check_paths
from snippet_checker.model import Result
from tests.configured import VERL

CASES = Path(__file__).parent / "cases"
OPTIONS = Options(VERL)
SOME = ("conflicts.sh", "config-files.yaml", "defaults.md")
WRONG, RIGHT = "trainer.nnode", "trainer.nnodes"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    for name in SOME:
        text = (CASES / name).read_text("utf-8").replace("snippet-checker: expect[", "expected: [")
        (tmp_path / name).write_text(text, "utf-8")
    return [tmp_path / name for name in SOME]


@pytest.fixture
def checked_files(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were really checked, as they are."""
    names: list[str] = []
    real = check._check_file

    def spy(path: Path, options: Options) -> cache_module.Checked:
        names.append(path.name)
        return real(path, options)

    monkeypatch.setattr(check, "_check_file", spy)
    return names


Run = Callable[..., Result]


@pytest.fixture
def run(files: list[Path], tmp_path: Path) -> Run:
    def check_all(options: Options = OPTIONS) -> Result:
        return check_paths(files, options, cache=Cache(tmp_path / "cache", options))

    return check_all


def test_nothing_is_checked_twice_and_nothing_is_lost(
    run: Run, files: list[Path], checked_files: list[str]
) -> None:
    first = run()
    assert len(first.findings) > 10
    assert checked_files == [file.name for file in files]
    checked_files.clear()
    assert run() == first == check_paths(files, OPTIONS)
    assert checked_files == [file.name for file in files]  # those of the call without a cache


def test_a_file_that_changed_is_checked_again(
    run: Run, files: list[Path], checked_files: list[str]
) -> None:
    script = files[0].with_name("run.sh")
    files.append(script)
    script.write_text(f"python3 -m verl.trainer.main_ppo {RIGHT}=1", "utf-8")
    before = run()
    checked_files.clear()
    script.write_text(f"python3 -m verl.trainer.main_ppo {WRONG}=1", "utf-8")
    [new] = {*run().findings} - {*before.findings}
    assert new.key == WRONG
    assert checked_files == ["run.sh"]
    assert run() == check_paths(files, OPTIONS)


@pytest.mark.parametrize(
    "options",
    [
        replace(OPTIONS, release="0.5.0"),
        replace(OPTIONS, strict=True),
        replace(OPTIONS, entry="verl.trainer.sft_trainer"),
        replace(OPTIONS, ignore=frozenset({"unknown-key"})),
    ],
)
def test_other_options_have_results_of_their_own(
    run: Run, files: list[Path], options: Options
) -> None:
    before = run()
    after = run(options)
    assert after == check_paths(files, options) != before
    assert run() == before


def test_another_state_of_the_checker_has_results_of_its_own(
    run: Run, checked_files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    checked_files.clear()
    shutil.copytree(cache_module._PACKAGE, tmp_path / "package")
    monkeypatch.setattr(cache_module, "_PACKAGE", tmp_path / "package")
    run()
    assert checked_files
    checked_files.clear()
    with (tmp_path / "package/schema/drift.toml").open("a") as drift:
        drift.write("\n")
    run()
    assert checked_files


@pytest.mark.parametrize("text", ["", "[]", '{"a.md": 1}', "\x00", '{"%s": {"digest": "%s"}}'])
def test_a_cache_that_cannot_be_read_is_none(
    run: Run, files: list[Path], tmp_path: Path, text: str
) -> None:
    first = run()
    [kept] = (tmp_path / "cache").iterdir()
    if "%s" in text:
        text = text % (files[0].as_posix(), cache_module.digest_of(files[0]))
    kept.write_text(text, "utf-8")
    assert run() == first


def test_a_folder_that_cannot_be_written_is_no_error(files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "in-the-way").write_text("")
    cache = Cache(tmp_path / "in-the-way", OPTIONS)
    assert check_paths(files[:2], OPTIONS, cache=cache).counts.files == 2


def test_a_failure_is_tried_again(
    run: Run, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(check, "check_blocks", lambda blocks, options: 1 / 0)
        assert len(run().failures) == len(files)
    assert run().failures == ()


def test_the_command_uses_it_where_the_project_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checked_files: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(f"python3 -m verl.trainer.main_ppo {WRONG}=1", "utf-8")
    assert cli.main(["check", "run.sh"]) == cli.FOUND
    assert [file.name for file in tmp_path.iterdir()] == ["run.sh"]
    (tmp_path / "pyproject.toml").write_text('[tool.snippet-checker]\ncache = "kept"\n', "utf-8")
    for arguments, times in ([], 1), ([], 0), (["--no-cache"], 1):
        checked_files.clear()
        assert cli.main(["check", "run.sh", *arguments]) == cli.FOUND
        assert len(checked_files) == times
