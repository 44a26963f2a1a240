"""Hydra that reads and merges once says what Hydra says that does it each time."""

from __future__ import annotations

import io

import pytest
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.utils import create_config_search_path
from hydra.types import RunMode
from hypothesis import given
from omegaconf import OmegaConf

from tests.generating import examples
from tests.hydra import read_once
from tests.judge import hydra_node_commands as generated


def _said(loader: ConfigLoaderImpl, overrides: list[str]) -> object:
    """All that was composed, Hydra's node with it, or the refusal."""
    try:
        tree = loader.load_configuration(generated.EMPTY, overrides, RunMode.RUN)
    except Exception as refusal:
        return type(refusal), str(refusal)
    return OmegaConf.to_container(tree, resolve=False)


@pytest.mark.filterwarnings("ignore:provider=hydra.searchpath:UserWarning")
def test_it_composes_what_hydra_composes() -> None:
    remembering = generated.loader()
    plain = ConfigLoaderImpl(create_config_search_path(None))
    composed = 0

    @examples(16, 3)
    @given(generated.settings() | generated.choices())
    def agree(override: str) -> None:
        nonlocal composed
        said = _said(remembering, [override])
        assert said == _said(plain, [override])
        composed += isinstance(said, dict)

    agree()
    assert composed > 2


def test_what_was_read_is_not_changed_by_who_gets_it() -> None:
    with read_once.yaml_read_once():
        first = OmegaConf.load(io.StringIO("a: {b: 1}"))
        first.a.b = 2
        assert OmegaConf.load(io.StringIO("a: {b: 1}")) == {"a": {"b": 1}}
        assert OmegaConf.load(io.StringIO("a: 2")) == {"a": 2}
    assert OmegaConf.load(io.StringIO("a: 3")) == {"a": 3}
