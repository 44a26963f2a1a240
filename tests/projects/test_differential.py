"""Generated projects, composed by real Hydra and by us: the same config, the same refusals."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hypothesis import given
from omegaconf import OmegaConf

from snippet_checker import documents, snippets
from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.judge.judgement import judge
from snippet_checker.judge.verdict import Accepted, DeadAppend
from snippet_checker.projects.files import GivenFiles
from snippet_checker.projects.primary_config import starting_point
from snippet_checker.snippets.snippet import Command
from tests.generating import examples
from tests.hydra.hydra_tree import REFUSALS
from tests.projects import generated
from tests.projects.generated import FOLDER, Project


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that commands start from, in which verl lies."""
    root = tmp_path_factory.mktemp("project")
    for name, config in generated.VERLS.items():
        file = root / FOLDER / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        yield root


def _hydras(project: Project, root: Path) -> dict[str, Any] | None:
    """What Hydra composes, None where it refuses."""
    folder = root / "config"
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in project.configs.items():
        file = folder / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(f"pkg://{FOLDER.replace('/', '.')}", f"file://{FOLDER}"))
    GlobalHydra.instance().clear()
    with initialize_config_dir(version_base=None, config_dir=str(folder)):
        try:
            tree = compose("mine", overrides=list(project.overrides))
        except (*REFUSALS, RecursionError):
            return None
    plain = ComposedConfig(OmegaConf.to_container(tree, resolve=False))  # type: ignore[arg-type]
    return {key: plain.value(key) for key in plain.dotted_keys()}


def _ours(project: Project) -> dict[str, Any] | None:
    quoted = " ".join(f"'{override}'" for override in project.overrides)
    script = (
        'DIR="$PWD"\npython3 -m verl.trainer.main_ppo --config-path="$DIR/config" '
        f"--config-name=mine {quoted}\n"
    )
    texts = {f"/p/config/{name}.yaml": text for name, text in project.configs.items()}
    files = GivenFiles(texts | {"/p/.git/HEAD": ""})
    (block,) = documents.read_text("/p/scripts/run.sh", script)
    (command,) = snippets.read(block)
    assert isinstance(command, Command)
    start = starting_point(command, generated.small_verl(), files)
    judged = judge(start.snippet, start.release, primary=start.primary)
    if start.snippet.faults or judged.refused is not None:
        return None
    if not all(isinstance(verdict, Accepted | DeadAppend) for verdict in judged.verdicts):
        return None
    assert judged.config is not None
    return {key: judged.config.value(key) for key in judged.config.dotted_keys()}


def _compare(root: Path, count: int, number: int) -> None:
    """Compare `count` projects, generated from the seed `number`."""

    @examples(count, number)
    @given(generated.projects())
    def agree(project: Project) -> None:
        assert _ours(project) == _hydras(project, root)

    agree()


@pytest.mark.filterwarnings("ignore:.*Defaults list is missing:UserWarning")
def test_projects_are_composed_as_hydra_composes_them(root: Path) -> None:
    _compare(root, 12, 1)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*Defaults list is missing:UserWarning")
def test_many_projects_are_composed_as_hydra_composes_them(root: Path) -> None:
    _compare(root, 1500, 2)
