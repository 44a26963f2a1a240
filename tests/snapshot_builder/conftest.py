"""What tests of the snapshot builder share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy

import pytest

from snippet_checker.hydra.config_file import ConfigFile
from snippet_checker.snapshot_builder import build

Configs = Mapping[str, dict[str, ConfigFile]]
Verdicts = dict[str, dict[str, str]]


_KNOWN: dict[str, Verdicts] = {}


@pytest.fixture(scope="module")
def each_tree_once() -> Iterator[None]:
    """Most doctored wheels have the same configs, and Hydra takes its time to compose them."""
    real = build._verdicts

    def once(texts: Mapping[str, str], configs: Configs) -> Verdicts:
        trees = sorted(item for item in texts.items() if item[0].endswith(".yaml"))
        key = repr((trees, sorted(configs.items())))
        if key not in _KNOWN:
            _KNOWN[key] = real(texts, configs)
        return deepcopy(_KNOWN[key])

    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(build, "_verdicts", once)
        yield
