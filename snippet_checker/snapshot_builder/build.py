"""Build the snapshots of verl's releases.

The wheels are named, with their SHA-256, in `wheels.toml`. A snapshot is written only where
real Hydra composes the wheel's own YAML to the same tree as our `compose` does from the facts.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from snippet_checker.hydra import compose
from snippet_checker.hydra import facts as hydra_facts
from snippet_checker.hydra.composed_config import dotted_items, dotted_keys
from snippet_checker.hydra.config_file import ConfigFile
from snippet_checker.hydra.defaults_list import CompositionError
from snippet_checker.hydra.search_path import search_path
from snippet_checker.snapshot_builder import closed_sets, code_names, hydra_config, losses
from snippet_checker.snapshot_builder.closed_sets import Place
from snippet_checker.snapshot_builder.config_files import SnapshotError, config_file
from snippet_checker.snapshot_builder.losses import ReviewedLosses
from snippet_checker.snapshot_builder.source_tree import SourceTree
from snippet_checker.snapshot_builder.wheel import Wheel, WheelError, fetch
from snippet_checker.verl import facts, key_index
from snippet_checker.verl.facts import Declaration, Facts
from snippet_checker.verl.release import SNAPSHOTS, Release, load, older_than
from snippet_checker.verl.tables import TableError

WHEELS = Path(__file__).with_name("wheels.toml")
_TESTS = "tests/"  # a folder of most wheels
_REFUSED = "refused"
_EXPERIMENT = re.compile(r"(verl/experimental/\w+/config)/[^/]+\.yaml")


def recorded_wheels() -> dict[str, tuple[str, str]]:
    """File name and SHA-256 of each release's wheel, oldest first."""
    data = tomllib.loads(WHEELS.read_text(encoding="utf-8"))
    return {release: (entry["file"], entry["sha256"]) for release, entry in data.items()}


class Knowledge(Struct, frozen=True):
    """What people read in verl's code, for the builder: where words stand, and what is gone."""

    places: tuple[Place, ...] = ()
    losses: ReviewedLosses = field(default_factory=ReviewedLosses)


def knowledge() -> Knowledge:
    """All that is known; raises TableError."""
    return Knowledge(closed_sets.places(), losses.reviewed())


def build(release: str, wheel: Wheel, before: Facts | None, known: Knowledge) -> Facts:
    """The facts of one release.

    `before` are those of the release before, if there is one. Raises SnapshotError where they gave
    something that is not found any more, and where Hydra and `compose` disagree.
    """
    texts = wheel.texts
    tree = SourceTree({path: text for path, text in texts.items() if path.endswith(".py")})
    entries, unread = tree.entry_points()
    configs = _configs(texts, {entry.config_dir for entry in entries})
    targets = {target for files in configs.values() for target in _targets(files)}
    # What tests alone read and build says nothing of what a run does with a setting.
    modules = tuple(one for path, one in tree.modules().items() if not path.startswith(_TESTS))
    leaves = frozenset(name for files in configs.values() for name in _names(files))
    declarations, undeclared = tree.declarations(targets)
    words, silent = closed_sets.read_closed_sets(release, tree.modules(), known.places)
    found = Facts(
        release=release,
        wheel=wheel.name,
        sha256=wheel.sha256,
        entries=entries,
        configs=configs,
        declarations=declarations,
        closed_sets=words,
        verdicts={},
        files=frozenset(p for p in texts if p.startswith(("verl/", "scripts/"))),
        reads=code_names.reads(modules),
        spread=code_names.spread(modules) | _given_away(declarations, modules),
        built=code_names.built(modules),
        lookalikes=code_names.lookalikes(modules, leaves),
    )
    missing = losses.missing(targets - declarations.keys(), release, known.losses)
    if before is not None and silent:
        before = replace(before, closed_sets=())
    lost = losses.losses(before, found, known.losses) if before is not None else ()
    _stop_at([*unread, *undeclared, *missing, *silent, *_unstarted(found), *lost])
    return _proved(found, texts, before)


def _proved(found: Facts, texts: Mapping[str, str], before: Facts | None) -> Facts:
    """The facts with what real Hydra composes, as we do; raises SnapshotError where it does not."""
    proved = replace(found, verdicts=_verdicts(texts, found.configs))
    _stop_at([*_refused(proved, before)])
    return proved


def _configs(texts: Mapping[str, str], started: Set[str]) -> dict[str, dict[str, ConfigFile]]:
    """The config dirs that programs start from, and those of experimental programs."""
    directories = sorted({*started, *_other_dirs(texts)})
    return {directory: _config_files(texts, directory) for directory in directories}


def _stop_at(wrong: Sequence[str]) -> None:
    if wrong:
        raise SnapshotError(*wrong)


def _unstarted(found: Facts) -> Iterator[str]:
    """A line for each program whose config is not where it says."""
    for entry in found.entries:
        if entry.config_name not in found.configs[entry.config_dir]:
            yield (
                f"{entry.config_dir}/{entry.config_name}.yaml: there is no such file, from which "
                f"'{entry.module}' starts; correct source_tree.py"
            )


def _refused(found: Facts, before: Facts | None) -> Iterator[str]:
    """A line for each primary config that Hydra refuses though a program starts from it.

    Or though it took the one of the release before: something of it may be where nobody looks.
    """
    started = {(entry.config_dir, entry.config_name) for entry in found.entries}
    for directory, verdicts in found.verdicts.items():
        earlier = before.verdicts.get(directory, {}) if before is not None else {}
        for name, verdict in verdicts.items():
            was_taken = earlier.get(name, _REFUSED) != _REFUSED
            if verdict == _REFUSED and ((directory, name) in started or was_taken):
                yield (
                    f"{directory}/{name}.yaml: Hydra refuses to compose it; "
                    "are its config groups in a config dir that nothing starts from?"
                )


def _other_dirs(texts: Mapping[str, str]) -> Iterator[str]:
    """The config dirs of experimental programs; some wheels hold them without the programs."""
    for path, text in texts.items():
        match = _EXPERIMENT.fullmatch(path)
        if match is not None and re.search(r"^defaults:", text, re.MULTILINE):
            yield match[1]


def _config_files(texts: Mapping[str, str], directory: str) -> dict[str, ConfigFile]:
    files = {}
    for path, text in texts.items():
        name = path.removeprefix(directory + "/")
        # `_generated_*` are printed compositions that verl keeps for its own CI.
        if name != path and name.endswith(".yaml") and not name.startswith("_generated_"):
            files[name.removesuffix(".yaml")] = config_file(path, text)
    return files


def _targets(files: Mapping[str, ConfigFile]) -> Iterator[str]:
    for file in files.values():
        for key, value in dotted_items(file.body):
            if key.rpartition(".")[2] == "_target_" and isinstance(value, str):
                yield value


def _given_away(
    declarations: Mapping[str, Declaration], modules: Sequence[ast.Module]
) -> frozenset[str]:
    """The fields that take any mapping and go to other packages: `FSDPEngineConfig.turbo_config`.

    A dataclass says which name is a mapping; the code has many others of that name.
    """
    names = code_names.given_away(modules)
    return frozenset(
        f"{target.rpartition('.')[2]}.{name}"
        for target, declaration in declarations.items()
        for name, field in declaration.fields.items()
        if name in names and field.is_mapping
    )


def _names(files: Mapping[str, ConfigFile]) -> Iterator[str]:
    """The last names of all keys of a config dir."""
    for file in files.values():
        for key in dotted_keys(file.body):
            yield key.rpartition(".")[2]


def _verdicts(
    texts: Mapping[str, str], configs: Mapping[str, dict[str, ConfigFile]]
) -> dict[str, dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder, _only_yaml(texts, configs, Path(folder)):
        return {
            directory: dict(_compared(Path(folder), directory, configs)) for directory in configs
        }


@contextlib.contextmanager
def _only_yaml(
    texts: Mapping[str, str], configs: Mapping[str, Any], folder: Path
) -> Iterator[None]:
    """The config dirs on disk, reachable as `pkg://` through empty packages of our own.

    They are reachable as `file://verl/…` too, which verl's scripts start from the root.
    """
    for directory in configs:
        for parent in (PurePosixPath(directory), *PurePosixPath(directory).parents[:-1]):
            (folder / parent).mkdir(parents=True, exist_ok=True)
            (folder / parent / "__init__.py").touch()
    for path, text in texts.items():
        if path.endswith(".yaml") and path.startswith(tuple(f"{d}/" for d in configs)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        sys.path.remove(str(folder))
        for name in [n for n in sys.modules if n == "verl" or n.startswith("verl.")]:
            del sys.modules[name]


def _compared(
    folder: Path, directory: str, configs: Mapping[str, dict[str, ConfigFile]]
) -> Iterator[tuple[str, str]]:
    """The digest of every primary config and single group choice, Hydra's and ours alike."""
    for name in sorted(n for n in configs[directory] if "/" not in n):
        composer = compose.Composer(search_path(configs, directory, name))
        for overrides, choices in _single_choices(composer, name):
            try:
                ours: str | None = compose.digest(composer.compose(name, choices))
            except CompositionError:
                ours = None
            theirs = _hydra_digest(folder / directory, name, overrides)
            label = " ".join([name, *overrides])
            if ours != theirs:
                raise SnapshotError(f"{directory}: Hydra composes '{label}' to another tree")
            yield label, theirs or _REFUSED


def _single_choices(
    composer: compose.Composer, name: str
) -> Iterator[tuple[list[str], compose.GroupChoices]]:
    yield [], compose.GroupChoices()
    with contextlib.suppress(CompositionError):  # of the config itself
        for key, option in composer.other_choices(name):
            yield [f"{key}={option}"], compose.GroupChoices(chosen={key: option})


def _hydra_digest(directory: Path, name: str, overrides: list[str]) -> str | None:
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf import OmegaConf

    with initialize_config_dir(version_base=None, config_dir=str(directory)):
        try:
            tree = hydra_compose(name, overrides=overrides)
        except HydraException:
            return None
    plain = OmegaConf.to_container(tree, resolve=False)
    assert isinstance(plain, dict)
    return compose.digest(plain)  # type: ignore[arg-type]


def _build_text(release: str, cache: Path) -> str:
    file_name, sha256 = recorded_wheels()[release]
    wheel = fetch(release, file_name, sha256, cache)
    return facts.dump(build(release, wheel, facts_before(release), knowledge()))


def facts_before(release: str) -> Facts | None:
    """The facts of the newest release that has a snapshot and is older than `release`."""
    older = older_than(release)
    return load(older[-1]).facts if older else None


def hydras_file(output: Path) -> Path:
    """Where the facts about Hydra go; in the package they lie beside what reads them."""
    return hydra_facts.FILE if output == SNAPSHOTS else output / "hydra.json"


def main(arguments: list[str] | None = None) -> int:
    """Rebuild the named releases' snapshots, or all; 0 where every one was written."""
    parser = argparse.ArgumentParser(description="Rebuild the snapshots of verl's releases.")
    parser.add_argument("releases", nargs="*", metavar="RELEASE")
    parser.add_argument("--cache", type=Path, default=Path("build/wheels"))
    parser.add_argument("--output", type=Path, default=SNAPSHOTS)
    options = parser.parse_args(arguments)
    known = recorded_wheels()
    wanted = options.releases or list(known)
    for release in wanted:
        if release not in known:
            parser.error(f"{WHEELS.name} has no release {release}; it has {', '.join(known)}")
    options.output.mkdir(parents=True, exist_ok=True)
    failed = _build_all(wanted, options.cache, options.output)
    there = [options.output / f"{release}.json" for release in known]
    built = [Release(facts.load(path)) for path in there if path.exists()]
    hydras = hydra_config.build()
    if lost := list(losses.hydras_losses(hydra_facts.load(), hydras)):
        print(*lost, sep="\n", file=sys.stderr)
        failed += 1
    else:
        changed = _write(hydras_file(options.output), hydra_facts.dump(hydras))
        print(f"Hydra's own settings: {changed}")
    print(f"index of keys: {_write(options.output / key_index.FILE_NAME, key_index.dump(built))}")
    return 1 if failed else 0


def _build_all(wanted: Sequence[str], cache: Path, output: Path) -> int:
    """Write the snapshots of some releases; returns how many could not be built."""
    failed = 0
    with ProcessPoolExecutor(max_workers=2) as pool:
        jobs = {release: pool.submit(_build_text, release, cache) for release in wanted}
        for number, (release, job) in enumerate(jobs.items(), start=1):
            try:
                text = job.result()
            except (WheelError, SnapshotError, TableError) as error:
                print(f"verl {release}: {error}", file=sys.stderr)
                failed += 1
                continue
            changed = _write(output / f"{release}.json", text)
            print(f"[{number}/{len(wanted)}] verl {release}: {changed}", flush=True)
    return failed


def _write(path: Path, text: str) -> str:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return "unchanged"
    path.write_text(text, encoding="utf-8")
    return "written"
