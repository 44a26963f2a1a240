"""Whether running text tells what became of its keys, and how long it takes to see that."""

from __future__ import annotations

import re
import time
import tomllib
from pathlib import Path

import pytest

from snippet_checker.findings import Finding, Severity
from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL

SENTENCES = tomllib.loads(Path(__file__).with_name("explained.toml").read_text(encoding="utf-8"))
MANY = 1000
BUDGET = 8.0  # seconds; quadratic time takes several times as long, even on a slow machine
KEY = "`critic.model.fsdp_config.param_offload`"


def sentences(*groups: str) -> list[str]:
    return [one for language in SENTENCES.values() for group in groups for one in language[group]]


def findings(text: str, name: str = "page.md") -> list[Finding]:
    return list(check_text(name, f"{text}\n", Options(VERL)).findings)


@pytest.mark.parametrize("sentence", sentences("passes"))
def test_facts_tell_that_a_key_is_gone(sentence: str) -> None:
    assert findings(sentence) == []
    named = re.findall(r"`[^`]+`", sentence)
    assert any(findings(f"Set {literal}.") for literal in named)


@pytest.mark.parametrize("sentence", sentences("warns", "warns_although_used"))
def test_words_only_make_it_likely(sentence: str) -> None:
    [finding] = findings(sentence)
    assert (finding.rule, finding.severity) == ("removed-key", Severity.WARNING)
    assert "; the text seems to say so: " in finding.message


@pytest.mark.parametrize("sentence", sentences("fails"))
def test_a_key_that_is_used_is_an_error(sentence: str) -> None:
    [finding] = findings(sentence)
    assert (finding.rule, finding.severity) == ("removed-key", Severity.ERROR)
    assert "seems" not in finding.message


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        # What words in the sentence make likely, a fact beside them settles.
        (f"{KEY} was dropped. Write `critic.fsdp.param_offload`.", None),
        (f"verl 0.9.1 has another layout. {KEY} was dropped.", None),
        (f"- {KEY} was dropped.\n- `critic.fsdp.param_offload` is new.", Severity.WARNING),
        (f"Set {KEY}. Write `critic.fsdp.param_offload`.", Severity.ERROR),
        (f"Since 0.8.0, {KEY} is gone.", None),
        (f"Since 0.8.0, {KEY} saves memory.", Severity.ERROR),
        (f"{KEY} was removed in 0.9.1.", None),
        (f"{KEY} was removed in vLLM 0.9.1.", Severity.WARNING),
        (f"{KEY} was removed in 0.9.7.", Severity.WARNING),  # which is no release
        (f"0.7.x: {KEY}", None),
        (f"With 0.5 of the memory, {KEY} is old.", Severity.WARNING),
        # A new name alone is enough where it is telling.
        ("`optim.warmup_steps_ratio=0.1` is `lr_warmup_steps_ratio` now.", None),
        ("`optim.warmup_steps_ratio=0.1` is beside `x.lr_warmup_steps_ratio`.", Severity.ERROR),
        # A key or a program in a literal tells nothing.
        (f"{KEY} and `old_name`, `removed`.", Severity.ERROR),
        # Struck-out text.
        (f"<del>Set {KEY}.</del>", None),
        (f"Not <s>that</s>, set {KEY}.", Severity.ERROR),
        (f"Not ~~that~~, set {KEY}.", Severity.ERROR),
        # Tables: the row counts, and the header above the key.
        (f"| Before | Now |\n| --- | --- |\n| {KEY} | – |", None),
        (f"| Now | Before |\n| --- | --- |\n| {KEY} | – |", Severity.ERROR),
        (f"| Key | Removed in |\n| --- | --- |\n| {KEY} | 0.8.0 |", None),
        (f"| Key | Removed in |\n| --- | --- |\n| {KEY} | |", Severity.ERROR),
        (f"| Key | Now |\n| --- | --- |\n| {KEY} | `critic.fsdp.param_offload` |", None),
        (f"| Key | What it is |\n| --- | --- |\n| {KEY} | removed in 0.8 |", None),
        (f"| Key | What it is |\n| --- | --- |\n| {KEY} | deprecated |", Severity.WARNING),
        (f"| Key | Since |\n| --- | --- |\n| {KEY} | 0.3.0 |", Severity.ERROR),
        # The other rules about what became of a key.
        ("`reward_model.reward_manager=dapo` has no effect.", Severity.WARNING),
        ("`actor_rollout_ref.actor.ulysses_sequence_parallel_size=2` is legacy.", Severity.WARNING),
    ],
)
def test_what_counts_as_a_fact(text: str, severity: Severity | None) -> None:
    assert [finding.severity for finding in findings(text)] == ([severity] if severity else [])


def test_other_markup_strikes_out_too() -> None:
    text = "Set :strike:`critic.model.fsdp_config.param_offload=True`."
    assert findings(text, "page.rst") == []
    assert findings(text.replace(":strike:", "").replace("`", "``"), "page.rst")


@pytest.mark.parametrize(
    "piece",
    [
        f"| {KEY} | x |\n",
        *(
            pytest.param(piece, marks=pytest.mark.slow)
            for piece in (f"{KEY} ", f"{KEY}, ", f"{KEY}\n", f"vLLM: {KEY} and ", f"~~{KEY} 0.7 ")
        ),
    ],
)
def test_time_grows_with_the_text_only(piece: str) -> None:
    started = time.process_time()
    check_text("page.md", piece * MANY, Options(VERL))
    assert time.process_time() - started < BUDGET


def test_a_release_of_many_digits_is_read() -> None:
    text = f"In verl 0.7.{'1' * 5000} `trainer.nnode` was there.\n"
    (finding,) = check_text("a.md", text, Options(VERL)).findings
    assert finding.key == "trainer.nnode"
