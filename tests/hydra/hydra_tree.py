"""A release's config tree on disk, made from its snapshot, for real Hydra to compose."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from snippet_checker.verl.release import Primary, Release
from tests.hydra import read_once

REFUSALS = (HydraException, OmegaConfBaseException, AssertionError, ValueError, TypeError)
"""What a refused override ends in; a user sees each of them instead of a run."""


def write(release: Release, primary: Primary, folder: Path) -> Path:
    """Write what `primary` can see as YAML files; returns the config dir."""
    composer = release.composer(primary)
    for name, file in composer.configs.items():
        body = {key: value for key, value in file.body.items() if key != "hydra"}
        content = {"defaults": list(file.defaults), **body} if file.defaults else body
        header = f"# @package {file.package}\n" if file.package else ""
        path = folder / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(header + yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return folder


@contextlib.contextmanager
def hydra_in(folder: Path) -> Iterator[None]:
    GlobalHydra.instance().clear()
    with initialize_config_dir(version_base=None, config_dir=str(folder)):
        yield


def composed(config_name: str, overrides: Sequence[str]) -> dict[str, Any] | None:
    """What Hydra composes, unresolved, or None where it refuses."""
    try:
        tree = compose(config_name, overrides=list(overrides))
    except REFUSALS:
        return None
    plain = OmegaConf.to_container(tree, resolve=False)
    assert isinstance(plain, dict)
    return plain  # type: ignore[return-value]


class Judge:
    """Real Hydra's answer to commands on one primary config, inside `hydra_in`.

    Where no override chooses a config group, composing gives the same config each time. Hydra's
    own step that applies overrides then runs on a copy of it, which is twenty times as fast.
    Where one does, Hydra composes, but reads no file and merges no list that it did before.
    """

    def __init__(self, config_name: str) -> None:
        self._config_name = config_name
        loader = GlobalHydra.instance().config_loader()
        assert isinstance(loader, ConfigLoaderImpl)
        self._repository = loader.repository
        self._loader = read_once.Loader(loader.config_search_path)
        self._config = pickle.dumps(compose(config_name))

    def accepts(self, overrides: Sequence[str]) -> bool:
        """Whether Hydra starts the program with these overrides."""
        return self.config(overrides) is not None

    def config(self, overrides: Sequence[str]) -> DictConfig | None:
        """What Hydra composes, or None where it refuses."""
        try:
            parsed = OverridesParser.create().parse_overrides(list(overrides))
            if any(override.is_sweep_override() for override in parsed):
                return None
            if any(map(self._chooses, parsed)):
                return self._composed(overrides)
            config: DictConfig = pickle.loads(self._config)
            ConfigLoaderImpl._apply_overrides_to_config(parsed, config)
        except REFUSALS:
            return None
        return config

    def _composed(self, overrides: Sequence[str]) -> DictConfig:
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        loader, hydra.config_loader = hydra.config_loader, self._loader
        try:
            return compose(self._config_name, overrides=list(overrides))
        finally:
            hydra.config_loader = loader

    def chooses_group(self, override: str) -> bool:
        """Whether an override chooses an option of a config group."""
        try:
            return self._chooses(OverridesParser.create().parse_override(override))
        except REFUSALS:
            return False

    def _chooses(self, override: Override) -> bool:
        is_group = bool(self._repository.group_exists(override.key_or_group))
        return is_group and not isinstance(override.value(), dict)
