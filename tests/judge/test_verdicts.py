"""Why a key is refused and what was meant, as `verdicts.md` lists it."""

from __future__ import annotations

import fnmatch
from pathlib import Path

import pytest
from packaging.version import Version

from snippet_checker.pipeline import Options, check_text
from snippet_checker.verl import drift, key_index
from snippet_checker.verl.release import load, newest, releases

TABLE = Path(__file__).with_name("verdicts.md").read_text(encoding="utf-8")
ROWS = [
    tuple(cell.strip().strip("`") for cell in line.strip("|").split("|"))
    for line in TABLE.splitlines()
    if line.startswith("| `")
]


@pytest.mark.parametrize(("written", "release", "rule", "meant"), ROWS, ids=lambda cell: cell[:40])
def test_the_first_suggestion_is_the_right_one(
    written: str, release: str, rule: str, meant: str
) -> None:
    script = f"python3 -m verl.trainer.main_ppo {written}=1\n"
    result = check_text("case.sh", script, Options(release))
    found = [(finding.rule, finding.suggestion or "") for finding in result.findings]
    assert found == [(rule, meant)]


def test_the_table_has_both_eras_and_every_reason() -> None:
    assert {row[2] for row in ROWS} >= {
        "unknown-key",
        "removed-key",
        "future-key",
        "misplaced-root",
        "needs-plus",
    }
    assert len({row[1] for row in ROWS}) >= 5


def test_a_removed_key_says_until_when_and_what_came() -> None:
    text = "`critic.model.fsdp_config.param_offload`"
    (finding,) = check_text("page.md", text, Options("0.9.1")).findings
    assert "which verl had up to 0.7.1; write" in finding.message
    assert "'critic.fsdp.param_offload'" in finding.message


@pytest.mark.parametrize(
    ("command", "successor"),
    [
        ("verl.trainer.main_ppo actor_rollout_ref.actor.profiler", "global_profiler.steps"),
        ("verl.trainer.sft_trainer profiler", None),  # which has no such key
    ],
)
def test_a_successor_is_one_of_the_program(command: str, successor: str | None) -> None:
    script = f"python3 -m {command}.tool_config.precision_debugger.steps=[1]\n"
    (finding,) = check_text("case.sh", script, Options("0.9.1")).findings
    assert (finding.rule, finding.suggestion) == ("deprecated-key", successor)


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("verl.trainer.sft_trainer data.prompt_key=question", "data.messages_key"),
        ("verl.trainer.sft_trainer data.response_key=answer", "data.messages_key"),
        ("verl.trainer.main_ppo data.response_key=answer", None),
        # Hydra would refuse the trainer's key there as well.
        ("verl.trainer.main_eval data.input_files=x", None),
    ],
)
def test_a_program_may_have_another_key_in_its_place(command: str, meant: str | None) -> None:
    (finding,) = check_text("case.sh", f"python3 -m {command}\n", Options("0.9.1")).findings
    assert finding.suggestion == meant


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("rollout.limit_mm_per_prompt={image: 2}", "rollout.limit_mm_per_prompt"),
        ("rollout.multi_turn={enabled: true}", "rollout.multi_turn.enabled"),
    ],
)
def test_of_a_mapping_the_first_key_that_is_not_there_is_named(written: str, key: str) -> None:
    script = f"python3 -m verl.trainer.main_ppo 'actor_rollout_ref.{written}'\n"
    (finding,) = check_text("case.sh", script, Options("0.9.1")).findings
    assert finding.key == f"actor_rollout_ref.{key}"


def test_a_key_of_no_release_says_so() -> None:
    text = "`reward_model.forward_micro_batch_size_per_gpu`"
    (finding,) = check_text("page.md", text, Options("0.9.1")).findings
    assert finding.message.startswith("no release of verl has")


@pytest.mark.parametrize("known", drift.hints(), ids=lambda known: known.wrong)
def test_every_right_name_exists_and_every_wrong_one_does_not(known: drift.Drift) -> None:
    release = load(newest())
    right = known.right.removesuffix(".*")
    inside = [f"{key}.x" for key in release.expand(right.rpartition(".")[0])]
    assert (
        release.expand(right)
        or release.code_reads_name(right)
        or any(map(release.accepts_appended, inside))
    )
    assert known.wrong.endswith(".*") is known.right.endswith(".*")
    assert not any(key == known.wrong for key in release.all_keys)


@pytest.mark.parametrize("move", drift.moves(), ids=lambda move: move.old)
def test_every_move_is_in_the_snapshots(move: drift.KeyMove) -> None:
    def stands(place: str, release: str) -> set[str]:
        keys = load(release).all_keys
        return {key[len(place) :] for key in keys if f"{key}.".startswith(f"{place}.")}

    older = [name for name in releases() if Version(name) < Version(move.since)]
    newer = [name for name in releases() if Version(name) >= Version(move.since)]
    was_there = set().union(*(stands(move.old, name) for name in older))
    assert was_there - stands(move.old, newer[0])
    assert all(stands(move.new, name) for name in newer)


@pytest.mark.parametrize("unreleased", drift.unreleased_keys(), ids=lambda one: one.keys[0])
def test_what_only_a_commit_had_is_in_no_release(unreleased: drift.UnreleasedKeys) -> None:
    assert not any(key_index.releases_with(key) for key in unreleased.keys)
    names = list(releases())
    assert names.index(unreleased.after) + 1 == names.index(unreleased.before)


@pytest.mark.parametrize("gone", drift.gone_keys(), ids=lambda gone: gone.keys)
def test_what_is_gone_is_named_nowhere(gone: drift.RemovedKeys) -> None:
    assert gone.since in releases()
    rights = {known.right for known in drift.hints()} | {move.new for move in drift.moves()}
    assert not fnmatch.filter(rights, gone.keys)


def test_releases_are_in_the_order_of_their_publication() -> None:
    assert releases()[:5] == ("0.1", "0.2", "0.2.0.post1", "0.2.0.post2", "0.3.0.post0")
    assert newest() == releases()[-1]


@pytest.mark.parametrize(
    ("release", "said"),
    [("0.4.0", ["which comes with verl 0.4.1"]), ("0.4.1", []), ("0.9.1", [])],
)
def test_a_key_by_its_end_comes_with_the_first_program_that_has_it(
    release: str, said: list[str]
) -> None:
    page = (
        "# verl's optimizer\n\n```yaml\noptim: {optimizer: adam, lr: 1e-6, clip_grad: 1.0}\n```\n"
    )
    found = check_text("a.md", page, Options(release)).findings
    assert [finding.message.partition(", ")[2] for finding in found] == said


def test_a_config_in_a_file_of_its_own_shortens_no_key() -> None:
    config = "optim: {optimizer: adam, lr: 1e-6, clip_grad: 1.0}\n"
    page = f"# verl\n\n```yaml\n{config}```\n"
    [on_page] = check_text("a.md", page, Options("0.4.0")).findings
    assert on_page.message.endswith("which comes with verl 0.4.1")
    [in_file] = check_text("a.yaml", f"# verl\n{config}", Options("0.4.0")).findings
    assert in_file.message.endswith("which comes with verl 0.6.0")
