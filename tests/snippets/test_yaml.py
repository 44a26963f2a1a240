"""YAML that PyYAML stumbles over: refused where OmegaConf refuses it, and never a traceback."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from omegaconf import OmegaConf
from yaml import YAMLError

from snippet_checker import snippets
from snippet_checker.documents import read_text
from snippet_checker.documents.block import BlockKind
from snippet_checker.snippets import yaml
from snippet_checker.snippets.snippet import FaultKind, Snippet

VALUES = [
    *["!!int ''", "!!int _", "!!int '-'", "!!int abc", "0x_", "0b_", "[1, 0x_]", "{a: 0b_}"],
    *["!!float ''", "!!float .", "!!float '+'", f"1{':10' * 400}.5", f"{'1' * 5000}"],
    *["!!bool maybe", "!!timestamp soon", "!!timestamp 2026-02-30", "!!omap [{a: 0x_}]"],
    *["0x1f", "0b11", "1_000", "190:20:30", "1e400", "2026-02-30", "!!int '3'", "!!bool yes"],
]
ESCAPES = [r"\U00110000", r"\UFFFFFFFF", r"\ud800", r"\x41\ude00"]
TOO_LONG = [f"0b{'1' * 20_000}", f"0x{'f' * 5000}", f"[0x{'f' * 5000}]", f"1{':10' * 2000}"]


def read(text: str, *, whole: bool = True) -> Snippet:
    (block,) = read_text("a.yaml", text)
    (snippet,) = snippets.read(replace(block, whole_file=whole))
    return snippet


def omegaconf_refuses(text: str) -> bool:
    try:
        OmegaConf.create(text)
    except (YAMLError, ValueError, OverflowError, LookupError, AttributeError):
        return True
    return False


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_refused_where_omegaconf_refuses_it(value: str) -> None:
    text = f"trainer:\n  nnodes: {value}\n"
    faults = read(text).faults
    assert [fault.kind for fault in faults] == [FaultKind.YAML_SYNTAX] * omegaconf_refuses(text)
    assert all(fault.span.line == 2 for fault in faults)


@pytest.mark.parametrize("value", ["!ENV x", "=", "!!binary é"])
def test_what_the_tags_of_another_program_mean_is_not_known(value: str) -> None:
    assert not read(f"trainer:\n  nnodes: {value}\n").faults


@pytest.mark.parametrize("value", TOO_LONG)
def test_a_number_that_is_too_long_to_be_written_is_not_checked(value: str) -> None:
    snippet = read(f"trainer:\n  nnodes: {value}\n")
    assert [fault.kind for fault in snippet.faults] == [FaultKind.UNCHECKED_PART]
    assert [setting.key for setting in snippet.settings] == ["trainer.nnodes"]


@pytest.mark.parametrize("alias", ["", "x: *elsewhere\n"])
@pytest.mark.parametrize("escape", ESCAPES)
def test_an_escape_that_stands_for_no_character_is_refused(escape: str, alias: str) -> None:
    (fault,) = read(f'trainer:\n  nnode: "a{escape}"\n{alias}', whole=False).faults
    assert fault.kind is FaultKind.YAML_SYNTAX
    assert fault.span.line == 2


@pytest.mark.parametrize("loader", [yaml._Fast, yaml._Python])
def test_a_version_of_many_digits_is_refused(loader: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "_loader", lambda block, text: loader(text))
    (fault,) = read(f"%YAML {'1' * 5000}.1\n---\ntrainer: {{nnode: 1}}\n").faults
    assert fault.kind is FaultKind.YAML_SYNTAX


def test_half_a_surrogate_pair_of_a_callers_text_is_read_as_no_character() -> None:
    (block,) = read_text("a.sh", "python3 -m verl.trainer.main_ppo trainer.x='\ud800'\n")
    assert block.kind is BlockKind.SHELL
    assert "\ufffd" in block.text
    assert snippets.read(block)


def test_a_key_that_is_no_text_is_passed_over() -> None:
    snippet = read("actor_rollout_ref:\n  actor:\n    ? [a, b]\n    : 1\n    ppo_epochs: 2\n")
    assert [setting.key for setting in snippet.settings] == ["actor_rollout_ref.actor.ppo_epochs"]
