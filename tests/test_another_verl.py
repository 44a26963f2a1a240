"""A file for another verl than the one it is checked against gets one finding for that."""

from __future__ import annotations

from typing import Any

import pytest

from snippet_checker.baseline_entries import BaselineEntry
from snippet_checker.findings import Finding
from snippet_checker.pipeline import Options, check_text
from snippet_checker.projects.files import MemoryFiles
from snippet_checker.verl.release import newest

RULE = "other-release"
START = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm"
SFT = "torchrun -m verl.trainer.fsdp_sft_trainer"
REWARD = (
    "custom_reward_function.path=a.py custom_reward_function.name=f "
    "reward_model.reward_manager=naive"
)
"""Up to 0.8.0 it has an effect."""
GONE = (
    "reward_model.strategy=fsdp reward_model.max_length=8 reward_model.micro_batch_size_per_gpu=1"
)
"""Up to 0.7.0 it is there."""
COPY = {
    "verl/__init__.py": "",
    "verl/protocol.py": "",
    "verl/version/version": "0.9.1",
}


def _findings(script: str, files: dict[str, str], **options: Any) -> tuple[Finding, ...]:
    given = MemoryFiles({"/p/.git/HEAD": "", "/p/train.sh": script, **files})
    asked = Options(newest(), files=given, **{"release_is_default": True, **options})
    return check_text("/p/train.sh", f"{script}\n", asked).findings


def _found(script: str, files: dict[str, str] | None = None, **options: Any) -> list[str]:
    return [one.rule for one in _findings(script, files or {}, **options)]


@pytest.mark.parametrize(
    ("script", "rules"),
    [
        (f"{START} {REWARD}", [RULE]),
        (f"{START} {GONE} {REWARD}", [RULE]),
        (
            f"{SFT} model.partial_pretrain=a model.strategy=fsdp2",
            [RULE],
        ),  # the program is gone, too
        (f"{START} actor_rollout_ref.rollout.mode=sync {GONE}", [RULE]),
        # A slip is one on all of them.
        (f"{START} {REWARD} trainer.nnode=1", [RULE, "unknown-key"]),
        # What no release takes together is not written for another one.
        (f"{START} {REWARD} trainer.use_v1=False", ["ineffective-key"] * 3),
        # One or two stale keys are told as such.
        (f"{START} ray_init.num_cpus=1", ["removed-key"]),
        (f"{START} ray_init.num_cpus=1 reward_model.strategy=fsdp", ["removed-key"] * 2),
        (f"{START} ray_init.num_cpus=1 && {START} ray_init.num_cpus=2", ["removed-key"] * 2),
        (f"{START} trainer.nnode=1 data.max_lenght=2", ["unknown-key"] * 2),
    ],
)
def test_a_file_that_other_releases_take(script: str, rules: list[str]) -> None:
    assert _found(script) == rules


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({"/p/README.md": "verl 0.9.0\n"}, [RULE]),  # that is only named
        ({"/p/requirements.txt": "verl>=0.9,<0.10\n"}, [RULE]),
        ({f"/p/other/{name}": text for name, text in COPY.items()}, [RULE]),
        ({"/p/requirements.txt": "verl==0.9.1\n"}, ["ineffective-key"] * 3),
        ({f"/p/{name}": text for name, text in COPY.items()}, ["ineffective-key"] * 3),
    ],
)
def test_where_the_release_is_sure_each_setting_is_told(
    files: dict[str, str], rules: list[str]
) -> None:
    assert _found(f"{START} {REWARD}", files) == rules


@pytest.mark.parametrize(
    "options",
    [{"release_is_default": False}, {"is_upgrade": True}, {"ignore": frozenset({RULE})}],
)
def test_so_it_is_where_somebody_asks_for_it(options: dict[str, Any]) -> None:
    assert _found(f"{START} {REWARD}", **options) == ["ineffective-key"] * 3


def test_of_a_file_in_no_project_each_setting_is_told() -> None:
    options = Options(newest(), files=MemoryFiles({}), release_is_default=True)
    found = check_text("/tmp/train.sh", f"{START} {REWARD}\n", options).findings
    assert [one.rule for one in found] == ["ineffective-key"] * 3


def test_who_speaks_to_the_checker_knows_a_release() -> None:
    script = f"# snippet-checker: ignore[unknown-key] mine\n{START} trainer.mine=1 {REWARD}"
    assert _found(script) == ["ineffective-key"] * 3


def test_the_finding_names_the_settings_and_the_releases() -> None:
    [finding] = _findings(f"{START} {GONE} {REWARD}", {})
    assert finding.key == "reward_model.strategy"
    assert (finding.span.line, finding.span.column) == (1, len(START) + 2)
    assert "6 settings of this file that verl 0.3.0.post0 to 0.7.0 takes" in finding.message
    assert finding.message.endswith("'--verl 0.7.0', or '--verl 0.9.1' to see what to change")


def test_a_copy_may_be_from_between_two_releases() -> None:
    between = "actor_rollout_ref.rollout.multi_turn.max_turns=3"  # up to 0.4.0
    later = "actor_rollout_ref.rollout.multi_turn.max_assistant_turns=3"  # from 0.4.1 on
    discrete = "actor_rollout_ref.actor.profiler.discrete=True"  # in 0.4.1 alone
    [finding] = _findings(f"{START} {between} {later} {discrete} {REWARD}", {})
    assert "5 settings of this file that verl 0.4.1 takes, or verl 0.4.0: '" in finding.message


@pytest.mark.parametrize(
    "rest",
    [
        "```yaml\nreward:\n  num_workers: 8\n```",
        "Set `reward.num_workers=8`.",
        "```yaml\ntrainer:\n  use_v1: true\n```",
        f"```bash\n{START} trainer.use_v1=True\n```",
    ],
)
def test_what_only_the_newest_release_takes_says_that_a_page_is_for_it(rest: str) -> None:
    planted = f"```bash\n{START} ray_init.num_cpus=1 {GONE}\n```"
    found = {}
    for text in (planted, f"{rest}\n\n{planted}", f"{planted}\n\n{rest}"):
        options = Options(
            newest(), files=MemoryFiles({"/p/.git/HEAD": ""}), release_is_default=True
        )
        found[text] = [one.rule for one in check_text("/p/a.md", f"{text}\n", options).findings]
    assert list(found.values()) == [[RULE], ["removed-key"] * 4, ["removed-key"] * 4]


def test_many_settings_are_not_all_named() -> None:
    more = " ".join(f"reward_model.{name}=1" for name in ("enable", "micro_batch_size"))
    [finding] = _findings(f"{START} {GONE} {more} ray_init.num_cpus=1", {})
    assert "'reward_model.micro_batch_size' and 1 more" in finding.message


def test_a_warning_or_a_conflict_that_a_likely_release_has_not_is_none() -> None:
    warned = "actor_rollout_ref.actor.optim.warmup_style=cosine"  # from 0.6.1 on
    assert _found(f"{START} {warned}") == ["deprecated-key"]
    assert _found(f"{START} {warned} {GONE} {REWARD}") == [RULE]
    no_engine = START.partition(" actor")[0]
    needed = f"{no_engine} data.train_files=a actor_rollout_ref.model.path=m"
    missing = [one.key for one in _findings(needed, {})]
    assert "actor_rollout_ref.rollout.name" in missing  # from 0.5.0 on
    left = [one.key for one in _findings(f"{needed} {GONE} {REWARD}", {})]
    missing.remove("actor_rollout_ref.rollout.name")
    assert left == [*missing, "reward_model.strategy"]


def test_a_value_that_is_wrong_stays_where_a_likely_release_refuses_its_key() -> None:
    variable = "+ray_kwargs.ray_init.runtime_env.env_vars.NCCL_IB_DISABLE=1"
    assert _found(f"{START} {GONE} {variable}") == [RULE, "wrong-type"]


def test_a_file_of_which_a_part_is_not_checked_is_compared_with_no_release() -> None:
    lines = "\n".join(f"{START} {GONE} trainer.mine_{number}=1" for number in range(300))
    rules = _found(lines)
    assert "unchecked-part" in rules
    assert RULE not in rules


def test_a_key_of_the_projects_own_may_say_how_many_answers_there_are() -> None:
    script = (
        f"{START} algorithm.adv_estimator=grpo data.train_files=a trainer.n_gpus_per_node=1 "
        "actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.model.path=m "
        "actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=True"
    )
    pinned = {"/p/requirements.txt": "verl==0.9.1\n"}
    for more, is_found in (("", True), ("env.rollout.n=1", True), ("env.rollout.n=8", False)):
        said = [one.message for one in _findings(f"{script} {more}", pinned)]
        assert any("compares the answers" in one for one in said) is is_found


def test_git_may_keep_out_what_a_copy_starts_from() -> None:
    config = "defaults:\n- data: mine\n- _self_\ntrainer: {nnodes: 1}\n"
    copy = {f"/p/{name}": text for name, text in COPY.items()}
    copy["/p/verl/trainer/config/ppo_trainer.yaml"] = config
    script = f"{START.partition(' actor')[0]} trainer.nnodes=1"
    assert _found(script, copy) == ["unknown-entry"]
    assert _found(script, copy | {"/p/.gitignore": "# ours\ndata/\n"}) == []


OWN = "env.env_name=a env.seed=1"
RENAMED = "trainer.epochs=1 data.train_bsz=4 actor_rollout_ref.rollout.gpu_mem_util=0.5"
MINE = "data.mine_a=1 trainer.mine_b=2 algorithm.mine_c=3"


@pytest.mark.parametrize(
    ("script", "rules"),
    [
        (f"{START} {OWN}", [RULE]),
        (f"{START} {MINE}", [RULE]),
        (f"{START} {MINE} data.val_batch_size=2 +trainer.mine=2", [RULE]),  # its code is unknown
        (f"{START} {MINE} trainer.nnode=1", [RULE, "unknown-key"]),
        (f"{START} {MINE} {GONE}", [RULE, RULE]),
        # Other names for what verl has are slips, however many.
        (f"{START} {RENAMED}", ["unknown-key"] * 3),
        (f"{START} {RENAMED} data.mine_a=1 trainer.mine_b=2", ["unknown-key"] * 5),
        (f"{START} {RENAMED} {MINE}", [RULE]),
        (f"{START} env.env_name=a", ["unknown-key"]),
        (f"{START} data.mine_a=1 trainer.mine_b=2", ["unknown-key"] * 2),
        (f"{START} data.mine_a=1 trainer.mine_b=2 && {START} algorithm.mine_c=3",) * 1
        + (["unknown-key"] * 3,),
    ],
)
def test_a_command_with_settings_that_no_release_has(script: str, rules: list[str]) -> None:
    assert _found(script) == rules


def test_a_page_may_tell_of_many_such_settings() -> None:
    given = MemoryFiles({"/p/.git/HEAD": ""})
    lines = "\n".join(f"- `{one}`" for one in f"{MINE} {OWN}".split())
    text = f"# verl\n\nSet `actor_rollout_ref.actor.mine=1`.\n\n{lines}\n"
    found = check_text(
        "/p/page.md", text, Options(newest(), files=given, release_is_default=True)
    ).findings
    assert {one.rule for one in found} == {"unknown-key"}


def test_all_that_is_left_to_a_fork_is_named() -> None:
    script = f"{START} {MINE} actor.ppo_mini_batch_size=4 && {START} algorithm.mine_d=4"
    [finding] = _findings(script, {})
    assert "5 settings of this file: 'data.mine_a', 'trainer.mine_b'" in finding.message
    assert "'actor.ppo_mini_batch_size', 'algorithm.mine_d'" in finding.message


def test_what_another_program_of_verls_has_is_left_to_no_fork() -> None:
    assert _found(f"{START} {MINE} optim.lr=1e-5") == [RULE, "misplaced-root"]


def test_of_settings_that_are_accepted_nothing_is_left_to_a_fork() -> None:
    accepted = tuple(BaselineEntry("unknown-key", key.partition("=")[0]) for key in MINE.split())
    script = f"{START} {MINE} data.val_batch_size=2"
    assert _found(script, baseline=accepted) == ["deprecated-key"]
    assert _found(script, ignore=frozenset({"unknown-key"})) == ["deprecated-key"]


def test_a_copy_beside_the_file_may_know_them() -> None:
    beside = {f"/p/other/{name}": text for name, text in COPY.items()}
    assert _found(f"{START} {OWN}", beside) == ["unknown-key"] * 2


def test_what_is_accepted_is_not_told_again() -> None:
    accepted = (BaselineEntry(RULE, "custom_reward_function.path"),)
    result = check_text(
        "/p/train.sh",
        f"{START} {REWARD}\n",
        Options(
            newest(),
            files=MemoryFiles({"/p/.git/HEAD": ""}),
            release_is_default=True,
            baseline=accepted,
        ),
    )
    assert (result.findings, result.counts.accepted) == ((), 1)


FORKED = f"{START} trainer.my_switch=True trainer.nnode=1"


@pytest.mark.parametrize(
    "text",
    [
        "Our fork of [verl](https://github.com/x/y) has it.",
        "We train with a modified version of verl.",
        "The training was run via the `verl-agent` fork at x.",
        "基于魔改的 verl 训练",
        "Modify `verl/trainer/ppo/ray_trainer.py` so:",
        "cp mine/dp_actor.py $HOME/verl/verl/workers/actor/",
        "git -C verl apply ../patches/verl.patch",
        "sed -i s/a/b/ /opt/verl/trainer/main_ppo.py",
    ],
)
def test_a_page_or_a_script_says_that_its_verl_is_changed(text: str) -> None:
    assert _found(FORKED, {"/p/README.md": f"{text}\n"}) == ["unknown-key"]
    assert _found(FORKED, {"/p/setup.sh": f"{text}\n"}) == ["unknown-key"]


@pytest.mark.parametrize(
    "text",
    [
        "Fork this repository, and install verl.",
        "See `verl/trainer/ppo/ray_trainer.py`.",
        "cp configs/mine.yaml /opt/verl-configs/",
        "We wrote a custom reward for verl.",
        "The unmodified verl is enough.",
    ],
)
def test_other_words_say_no_such_thing(text: str) -> None:
    assert _found(FORKED, {"/p/README.md": f"{text}\n"}) == ["unknown-key"] * 2


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("cd /workspace/verl-agent", ["unknown-key"]),
        ("export PYTHONPATH=$HOME/RAGEN:$PYTHONPATH", ["unknown-key"]),
        ('cd "$ROOT/Search-R1"', ["unknown-key"]),
        ("cd verl", ["unknown-key"] * 2),
        ("cd /opt/verl-0.9.1", ["unknown-key"] * 2),
        ("cd verl-recipe", ["unknown-key"] * 2),
    ],
)
def test_a_script_goes_to_a_project_with_a_verl_of_its_own(line: str, rules: list[str]) -> None:
    assert _found(f"{line}\n{FORKED}") == rules


def test_a_patch_changes_a_pinned_release_as_well() -> None:
    pinned = {"/p/requirements.txt": "verl==0.9.1\n"}
    patched = pinned | {"/p/Dockerfile": "RUN git apply verl.patch\n"}
    forked = pinned | {"/p/README.md": "We use a fork of verl.\n"}
    assert _found(FORKED, patched) == ["unknown-key"]
    assert _found(FORKED, forked) == ["unknown-key"] * 2
