"""The options of the engines: read in wheels, kept as spans of releases, and whole."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from snippet_checker.hydra.setting import Value
from snippet_checker.snapshot_builder import engines
from snippet_checker.snapshot_builder.engines import EngineError, add, main
from snippet_checker.verl import engine_options
from snippet_checker.verl.bounds import bounds_of
from snippet_checker.verl.engine_options import Engine, known, options, spans, those_of, ways
from snippet_checker.verl.release import releases

ARGUMENTS = """
class EngineArgs:
    model: str = ""
    max_num_seqs: int = 8

    def add_cli_args(parser):
        group.add_argument("--max-num-seqs", "-s", help="see --not-an-option or so")
        for name in ("--block-size", "--old-name", "--one", "--two", "--three"):
            group.add_argument(name)
"""
FRONTEND = 'class FrontendArgs:\n    host: str = ""\n\nraise SystemExit("never run")\n'
ENGINE = "class LLM:\n    note: str\n    def __init__(self, model, *, task=None, **kwargs): ...\n"
VLLM = {
    "vllm/engine/arg_utils.py": ARGUMENTS,
    "vllm/entrypoints/openai/cli_args.py": FRONTEND,
    "vllm/entrypoints/llm.py": ENGINE,
}


def wheel(folder: Path, name: str, version: str, files: dict[str, str]) -> Path:
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        archive.writestr(f"{name}-{version}.dist-info/METADATA", metadata)
        for file, text in files.items():
            archive.writestr(file, text)
    return path


def test_flags_and_arguments_are_read_and_nothing_is_run(tmp_path: Path) -> None:
    later = {**VLLM, "vllm/engine/arg_utils.py": ARGUMENTS.replace('"--old-name"', '"--new-name"')}
    add([wheel(tmp_path, "vllm", "1.0", VLLM)], tmp_path)
    add([wheel(tmp_path, "vllm", "1.1", later)], tmp_path)
    found = options(Engine.load(tmp_path / "vllm.json"))
    both = {"max_num_seqs", "block_size", "host", "one", "two", "three"}
    assert found["1.0"].flags == both | {"old_name"}
    assert found["1.1"].flags == both | {"new_name"}
    assert found["1.1"].keywords == {"model", "max_num_seqs", "task"}


def test_a_source_that_gives_nothing_stops_the_builder(tmp_path: Path) -> None:
    add([wheel(tmp_path, "vllm", "1.0", VLLM)], tmp_path)
    before = (tmp_path / "vllm.json").read_bytes()
    arguments = "vllm/engine/arg_utils.py"
    without_class = {**VLLM, arguments: ARGUMENTS.replace("EngineArgs", "Arguments")}
    without_most = {**VLLM, arguments: ARGUMENTS.replace('"--old-name", "--one", "--two", ', "")}
    for files in ({}, without_class, without_most):
        with pytest.raises(EngineError):
            add([wheel(tmp_path, "vllm", "1.1", files)], tmp_path)
    assert (tmp_path / "vllm.json").read_bytes() == before
    other = wheel(tmp_path, "torch", "1.0", {})
    assert main([str(other)]) == main([str(tmp_path / "none.whl")]) == 1
    with zipfile.ZipFile(tmp_path / "no-metadata.whl", "w") as archive:
        archive.writestr("vllm/engine/arg_utils.py", ARGUMENTS)
    assert main([str(tmp_path / "no-metadata.whl")]) == 1


def test_spans_say_again_what_each_release_has() -> None:
    has = [{"a", "b"}, {"b"}, {"a", "b", "c"}]
    assert spans(["1", "2", "3"], has) == {"a": "1..1 3..", "b": "1..", "c": "3.."}


@pytest.mark.parametrize("engine", ["sglang", "vllm"])
def test_the_files_are_as_the_builder_writes_them(engine: str, tmp_path: Path) -> None:
    file = engine_options.ENGINES / f"{engine}.json"
    (tmp_path / file.name).write_bytes(file.read_bytes())
    one = next(iter(known(engine)))
    own = Engine.load(file).wheels[one]
    found = (engine, one, own, known(engine)[one])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "read", lambda _: found)
        add([file], tmp_path)
    assert (tmp_path / file.name).read_bytes() == file.read_bytes()
    assert list(known(engine)) == sorted(known(engine), key=Version)


def test_each_release_that_hands_options_on_has_its_engines() -> None:
    """A new release of verl needs an entry in `engines/pairs.toml`: see CONTRIBUTING.md."""
    for release in releases():
        if Version(release) >= Version("0.4.0"):
            assert those_of("vllm", release), release
        if Version(release) >= Version("0.6.1"):
            assert those_of("sglang", release), release
    assert those_of("vllm", "0.9.1") == ("0.24.0",)


@pytest.mark.parametrize(
    ("engine", "release", "modes"),
    [  # in the modes sync, async, and one that nobody knows
        ("vllm", "0.3.0.post1", [set(), set(), set()]),
        ("vllm", "0.5.0", [{"keywords"}, set(), set()]),
        ("vllm", "0.6.0", [{"keywords"}, {"flags"}, {"keywords", "flags"}]),
        ("vllm", "0.7.0", [{"flags"}, {"flags"}, {"flags"}]),
        ("sglang", "0.6.0", [set(), set(), set()]),
        ("sglang", "0.6.1", [set(), {"keywords"}, set()]),
        ("sglang", "0.9.1", [{"keywords"}, {"keywords"}, {"keywords"}]),
    ],
)
def test_how_options_are_handed_on(engine: str, release: str, modes: list[set[str]]) -> None:
    assert [ways(engine, release, mode) for mode in ("sync", "async", Value.UNKNOWN)] == modes


@pytest.mark.parametrize(
    "text",
    [
        "==1.2.3",
        ">=0.8.5,<=0.12.0",
        "~=0.8.4",
        "~= 0.9",
        "==0.8.*",
        "!=0.8.*",
        "<0.9 , !=0.8.5",
        ">1",
    ],
)
def test_requirements_take_what_pip_would(text: str) -> None:
    bounds = bounds_of(text)
    for release in known("vllm"):
        version = Version(release)
        taken = SpecifierSet(text).contains(version, prereleases=True)
        assert all(bound.takes(version) for bound in bounds) == taken, release
    assert bounds
    assert bounds_of("==0.1.x.y") == ()
