"""One YAML file of a config tree, as the facts keep it."""

from __future__ import annotations

from typing import Any

from snippet_checker.hydra.config_file import ConfigFile, package_of


class SnapshotError(Exception):
    """A release is not what the checker understands; `lines` say where and why, one thing each."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.lines = lines

    def __str__(self) -> str:
        return "\n".join(self.lines)


def config_file(path: str, text: str) -> ConfigFile:
    """Its header, defaults list and body; raises SnapshotError where it is no plain mapping."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    try:
        body = OmegaConf.to_container(OmegaConf.create(text), resolve=False)
    except (YAMLError, OmegaConfBaseException, RecursionError) as error:
        raise SnapshotError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(body, dict):
        raise SnapshotError(f"{path}: not a mapping")
    defaults = body.pop("defaults", [])
    if not isinstance(defaults, list):
        raise SnapshotError(f"{path}: its defaults are no list")
    return ConfigFile(package_of(text), tuple(defaults), _plain(path, body))


def _plain(path: str, body: Any) -> Any:
    if isinstance(body, dict):
        if not all(isinstance(key, str) for key in body):
            raise SnapshotError(f"{path}: a key that is not text")
        return {key: _plain(path, value) for key, value in body.items()}
    return [_plain(path, item) for item in body] if isinstance(body, list) else body
