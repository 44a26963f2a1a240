"""Generated overrides of Hydra's own settings, to real Hydra and to us."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache

from hydra import version
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.utils import create_config_search_path
from hydra.core.config_store import ConfigStore
from hydra.core.plugins import Plugins
from hydra.core.utils import setup_globals
from hydra.types import RunMode
from hypothesis import strategies as st
from omegaconf import OmegaConf

from snippet_checker.documents import read_text
from snippet_checker.hydra import facts as hydra_facts
from snippet_checker.hydra.composed_config import dotted_keys
from snippet_checker.judge import hydra_node
from snippet_checker.judge.verdict import Accepted, Unjudged
from snippet_checker.snippets import read
from snippet_checker.work import Work
from tests.hydra import read_once
from tests.judge import generated

EMPTY = "snippet_checker_empty"
ENVIRONMENT = "env_copy"
"""What copies from the environment depends on the machine, and is left out."""


def loader() -> ConfigLoaderImpl:
    """Hydra's own loader, set up as a program's start sets it up; it reads each file once."""
    setup_globals()
    Plugins.instance()
    version.setbase(None)  # type: ignore[arg-type]
    ConfigStore.instance().store(EMPTY, node={})
    return read_once.Loader(create_config_search_path(None))


def accepted_by_hydra(judge: ConfigLoaderImpl, overrides: Sequence[str]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a search path that is not there
        try:
            judge.load_configuration(EMPTY, list(overrides), RunMode.RUN)
        except Exception:  # an AttributeError of OmegaConf's own stops the launch, too
            return False
    return True


def accepted_here(overrides: Sequence[str]) -> bool | None:
    """Whether we accept all of them; None where nothing is said of one."""
    quoted = " ".join("'" + override.replace("'", "'\\''") + "'" for override in overrides)
    (block,) = read_text("case.sh", f"python3 -m verl.trainer.main_ppo {quoted}\n")
    (snippet,) = read(block)
    verdicts = hydra_node.judge(snippet.settings, Work(0), is_open=False).values()
    kinds = {type(verdict) for verdict in verdicts}
    if snippet.faults or kinds - {Accepted, Unjudged}:
        return False
    return None if Unjudged in kinds else True


@cache
def keys() -> list[str]:
    plain = OmegaConf.to_container(hydra_node.composed(), resolve=False)
    assert isinstance(plain, dict)
    return [key for key in dotted_keys(plain) if ENVIRONMENT not in key]  # type: ignore[arg-type]


@cache
def groups() -> list[tuple[str, tuple[str, ...]]]:
    configs = hydra_facts.load().configs
    names = sorted({name.rpartition("/")[0] for name in configs})
    return [
        (group, tuple(n.rpartition("/")[2] for n in configs if n.rpartition("/")[0] == group))
        for group in names
    ]


VALUES = generated.VALUES | st.sampled_from(
    ["RUN", "MULTIRUN", "run", "[x]", "[1,2]", "[pkg://x]", "{dir:x}", "{x:1}", "${now:%Y}", "yes"]
)


@st.composite
def settings(draw: st.DrawFn) -> str:
    key = generated.changed(draw(st.sampled_from(keys())), draw(st.sampled_from(generated.CHANGES)))
    key = key if hydra_node.is_hydras(key) else f"hydra.{key.lower()}"
    operator = draw(generated.OPERATORS)
    below = draw(st.sampled_from(generated.BELOW))
    if operator == "~" and draw(st.booleans()):
        return f"~{key}{below}"
    return f"{operator}{key}{below}={draw(VALUES)}"


@st.composite
def choices(draw: st.DrawFn) -> str:
    group, options = draw(st.sampled_from(groups()))
    package = draw(st.sampled_from(["", "", "", "@hydra.x", "@x", "@"]))
    operator = draw(generated.OPERATORS)
    if operator == "~" and draw(st.booleans()):
        return f"~{group}{package}"
    values = [*options, *options, "null", "[none,disabled]", "{}", "1", "''"]
    return f"{operator}{group}{package}={draw(st.sampled_from(values))}"


def commands() -> st.SearchStrategy[list[str]]:
    return st.lists(st.one_of(settings(), settings(), choices()), min_size=1, max_size=4)
