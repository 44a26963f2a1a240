"""A release's config tree on disk, made from its snapshot, for real Hydra to compose."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from snippet_checker.schema.release import Primary, Release


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


def composed(config_name: str, overrides: list[str]) -> dict[str, Any] | None:
    """What Hydra composes, unresolved, or None where it refuses."""
    try:
        tree = compose(config_name, overrides=overrides)
    except (HydraException, OmegaConfBaseException, AssertionError, ValueError, TypeError):
        return None
    plain = OmegaConf.to_container(tree, resolve=False)
    assert isinstance(plain, dict)
    return plain  # type: ignore[return-value]
