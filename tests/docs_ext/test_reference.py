"""What the generated reference says about keys, compared with what Hydra composes."""

from __future__ import annotations

import pytest
from omegaconf import OmegaConf

from snippet_checker.hydra.compose import GroupChoices
from snippet_checker.hydra.setting import Value
from snippet_checker.verl.release import load
from tests.configured import VERL
from verl_docs import reference

RELEASE = load(VERL)
PROGRAMS = ["verl.trainer.main_ppo", "verl.trainer.sft_trainer", "verl.trainer.main_eval"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_defaults_are_those_that_omegaconf_resolves(program: str) -> None:
    primary = RELEASE.entry(program)
    assert primary is not None
    composed = RELEASE.composer(primary).compose(primary.config_name)
    config = OmegaConf.create(composed)
    compared = 0
    for key in reference.of_program(RELEASE, program).keys.values():
        if key.choices or key.needs_plus or key.default == "???":
            continue
        if not isinstance(key.default, Value):
            found = OmegaConf.select(config, key.name)
            assert (OmegaConf.to_container(found) if OmegaConf.is_config(found) else found) == (
                key.default
            ), key.name
            compared += 1
    assert compared > 0.95 * len(reference.of_program(RELEASE, program).keys) * 0.5


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_composed_leaf_is_there(program: str) -> None:
    primary = RELEASE.entry(program)
    assert primary is not None
    config = RELEASE.composed(primary)
    leaves = {key for key in config.dotted_keys() if not isinstance(config.value(key), dict)}
    keys = reference.of_program(RELEASE, program).keys
    assert {key for key in leaves if not key.endswith("_target_")} <= keys.keys()


def test_a_key_that_needs_a_choice_comes_with_any_of_the_named_ones() -> None:
    primary = RELEASE.entry("verl.trainer.main_ppo")
    assert primary is not None
    for key in reference.of_program(RELEASE, "verl.trainer.main_ppo").keys.values():
        for choice in () if key.needs_plus else key.choices:
            group, _, option = choice.partition("=")
            assert RELEASE.composed(primary, GroupChoices({group: option})).has(key.name), (
                key.name,
                choice,
            )


def test_every_file_is_in_the_wheel() -> None:
    for program in PROGRAMS:
        for key in reference.of_program(RELEASE, program).keys.values():
            assert key.file in RELEASE.facts.files, key.name


def test_an_unknown_program_is_refused() -> None:
    with pytest.raises(ValueError, match="no program 'main'"):
        reference.of_program(RELEASE, "main")
