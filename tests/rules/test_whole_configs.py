"""Settings of a project's own config that verl refuses together."""

from __future__ import annotations

import pytest

from snippet_checker.findings import Severity
from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL

ASYNC = "verl.experimental.fully_async_policy.fully_async_main"
CONFIG = """\
{above}actor_rollout_ref:
  actor:
    ppo_mini_batch_size: {mini}
    use_dynamic_bsz: {dynamic}
    ppo_micro_batch_size_per_gpu: null
data:
  train_batch_size: {batch}
algorithm:
  adv_estimator: grpo
trainer:
  nnodes: 1
"""


def _found(name: str = "c.yaml", **said: object) -> list[tuple[str, str | None, Severity]]:
    values = {"above": "", "mini": 64, "batch": 24, "dynamic": False} | said
    findings = check_text(name, CONFIG.format(**values), Options(VERL)).findings
    return [(f.rule, f.key, f.severity) for f in findings]


def test_a_batch_below_the_mini_batch_is_a_warning() -> None:
    key = "actor_rollout_ref.actor.ppo_mini_batch_size"
    assert _found() == [("conflicting-settings", key, Severity.WARNING)]


@pytest.mark.parametrize(
    "said",
    [
        {"batch": 64},
        {"dynamic": True},
        {"batch": "${size}"},
        {"batch": "???"},
        {"above": "defaults: [base]\n"},
        # Another program's sizes mean something else.
        {"above": f"# snippet-checker: entry={ASYNC}\n"},
    ],
    ids=str,
)
def test_what_may_go_together_is_left_alone(said: dict[str, object]) -> None:
    assert not _found(**said)


def test_a_part_of_a_config_is_no_config() -> None:
    text = "actor_rollout_ref: {actor: {ppo_mini_batch_size: 64}}\ndata: {train_batch_size: 24}\n"
    assert not check_text("c.yaml", text, Options(VERL)).findings
