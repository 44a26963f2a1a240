"""Where a primary config's defaults list finds its configs."""

from __future__ import annotations

from collections.abc import Mapping

from snippet_checker.hydra.config_file import ConfigFile


def search_path(
    configs: Mapping[str, Mapping[str, ConfigFile]], directory: str, config_name: str
) -> dict[str, ConfigFile]:
    """The configs that `config_name` of `directory` sees: its own dir, then `hydra.searchpath`.

    `pkg://verl.trainer.config` and `file://verl/trainer/config` both name a dir of the wheel;
    an entry that names none is left out, as Hydra only warns about it.
    """
    own = configs[directory]
    seen = dict(own)
    primary = own.get(config_name)
    hydra = primary.body.get("hydra", {}) if primary else {}
    for entry in hydra.get("searchpath", ()):
        scheme, _, place = str(entry).partition("://")
        if scheme == "pkg":
            place = place.replace(".", "/")
        for name, file in configs.get(place, {}).items():
            seen.setdefault(name, file)
    return seen
