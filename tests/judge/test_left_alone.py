"""What looks wrong and is not, and what stands beside it and is."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text

SERVER = "python3 -m verl.trainer.main_generation_server"
PPO = "python3 -m verl.trainer.main_ppo"
FORMAT = "actor_rollout_ref.rollout.multi_turn.format"
YAML = "actor_rollout_ref:\n  model:\n    path: a\ndata:\n  train_files: a\n"
OTHER = "```bash\npython3 -m mine.train actor_rollout_ref.rollout.n=2\n```\n"
OVERLONG = "data: {max_response_length: 5}\nreward_model:\n  overlong_buffer: {len: 4}\n"
GROUPS = "algorithm.filter_groups.enable"
IN_MAPPING = "actor_rollout_ref.rollout.engine_kwargs.vllm.compilation"
RECIPE = """```bash
python -m recipe.fully_async_policy.fully_async_main actor_rollout_ref.rollout.n=2
```
"""
OWN_KIND = """\
algorithm: {adv_estimator: grpo, use_kl_in_reward: false}
trainer: {total_epoch: 2, save_freq: 1, test_freq: 1, val_before_train: true}
"""
SLIPS, TYPE = ["unknown-key", "unknown-key"], ["wrong-type"]
LOOP = "for i in {1..9}; do for j in {1..9}; do f $i $j; done; done\n" * 1_500


@pytest.mark.parametrize(
    ("release", "name", "text", "rules"),
    [
        # verl's server for generation starts from the trainer's config, and reads more.
        ("0.9.1", "a.sh", f"{SERVER} +data.output_path=a", []),
        ("0.9.1", "a.sh", f"{SERVER} data.output_path=a", ["needs-plus"]),
        ("0.9.1", "a.sh", f"{SERVER} data.n_samples=2", ["removed-key"]),
        ("0.9.1", "a.sh", f"{PPO} data.output_path=a", ["removed-key"]),
        ("0.9.1", "a.yaml", f"{YAML}  output_path: a\n", []),
        ("0.9.1", "a.yaml", f"{YAML}  n_samples: 2\n", ["removed-key"]),
        ("0.9.1", "a.md", "In verl's base config there is no `data.output_path`.", []),
        ("0.9.1", "a.md", "verl has `trainer.remove_previous_ckpt_in_save`.", ["removed-key"]),
        # Only agent loops read the format of tools' calls.
        ("0.6.1", "a.sh", f"{PPO} {FORMAT}=qwen", []),
        ("0.6.1", "a.sh", f"{PPO} {FORMAT}=qwen actor_rollout_ref.rollout.mode=sync", []),
        (
            "0.6.1",
            "a.sh",
            f"{PPO} {FORMAT}=qwen actor_rollout_ref.rollout.mode=async",
            ["invalid-choice"],
        ),
        (
            "0.6.1",
            "a.sh",
            f"{PPO} {FORMAT}=qwen actor_rollout_ref.rollout.mode=$M",
            ["invalid-choice"],
        ),
        ("0.9.1", "a.sh", f"{PPO} {FORMAT}=qwen", ["invalid-choice"]),
        # A row of the data has columns of this name.
        ("0.9.1", "a.md", 'verl reads a row\'s `reward_model.style="rule"`.', []),
        ("0.9.1", "a.md", "verl reads `reward_model.ground_truth=1`.", []),
        ("0.9.1", "a.md", 'verl reads `reward_model.styles="rule"`.', ["unknown-key"]),
        ("0.9.1", "a.sh", f"{PPO} reward_model.style=rule", ["unknown-key"]),
        # Another key ends alike, and a page of other programs has their defaults.
        ("0.9.1", "a.md", "verl: `rollout.n` (default: `1`)", []),
        ("0.9.1", "a.md", "verl: `rollout.n` (default: `7`)", ["stale-default"]),
        ("0.9.1", "a.md", f"verl: `trainer.save_freq` (default: `7`)\n\n{OTHER}", []),
        ("0.9.1", "a.md", "verl: `trainer.save_freq` (default: `7`)\n", ["stale-default"]),
        # A recipe has a config of its own, which the page describes.
        ("0.4.1", "a.md", f"```yaml\n{OVERLONG}```\n", ["unknown-key"]),
        ("0.4.1", "a.md", f"```bash\nbash recipe/dapo/run.sh\n```\n```yaml\n{OVERLONG}```\n", []),
        (
            "0.4.1",
            "a.md",
            f"```yaml\n{OVERLONG}```\nThe recipe/dapo/run.sh of verl.",
            ["unknown-key"],
        ),
        (
            "0.4.1",
            "a.md",
            f"```bash\nbash recipe/dapo/run.sh\n```\n```yaml\n{YAML}  trian_files: a\n```\n",
            ["unknown-key"],
        ),
        ("0.7.0", "a.md", f"```bash\nbash recipe/dapo/run.sh\n```\n```\n{GROUPS}=True\n```\n", []),
        ("0.7.0", "a.md", f"```\n{GROUPS}=True\n```\n", ["needs-plus"]),
        (
            "0.7.0",
            "a.md",
            f"```bash\nbash recipe/dapo/run.sh\n{PPO} {GROUPS}=True\n```\n",
            ["needs-plus"],
        ),
        (
            "0.7.0",
            "a.md",
            f"```bash\nbash recipe/dapo/run.sh\n```\n```\n{IN_MAPPING}=True\n```\n",
            ["needs-plus"],
        ),
        # verl's package does not have that recipe yet.
        ("0.6.1", "a.md", f"verl: `async_training.partial_rollout`\n{RECIPE}", []),
        ("0.6.1", "a.md", "verl: `async_training.partial_rollout`\n", ["future-key"]),
        (
            "0.7.1",
            "a.md",
            f"verl: `async_training.partial_rollouts`\n{RECIPE}",
            ["unknown-key"],
        ),
        # A config of somebody's own kind: verl's programs need data, and have no agent.
        ("0.9.1", "a.yaml", f"{OWN_KIND}agent: {{max_turns: 6}}\n", []),
        ("0.9.1", "a.yaml", f"{OWN_KIND}data: {{max_length: 1}}\nagent: {{max_turns: 6}}\n", SLIPS),
        ("0.9.1", "a.yaml", OWN_KIND, SLIPS[:1]),
        ("0.9.1", "a.yaml", f"{OWN_KIND}defaults: [ppo_trainer]\nagent: {{a: 6}}\n", SLIPS[:1]),
        # Items of a list in Python, and a name that code reads out of some config.
        ("0.4.1", "a.sh", 'cmd = [\n"data.max_length=2048",\n"optim.lr=1e-5",\n]\n', []),
        ("0.4.1", "a.sh", f"{PPO} trainer.nnodes=2,", ["override-syntax"]),
        ("0.4.1", "a.sh", f'A=("trainer.nnodes=2",)\n{PPO} "${{A[@]}}"', ["override-syntax"]),
        (
            "0.9.1",
            "a.md",
            "verl: `f(a=config.use_liger_kernel)`, `self.config.use_liger_kernel`",
            [],
        ),
        ("0.9.1", "a.md", "verl: `use_liger_kernel=5`", ["unknown-key"]),
        ("0.9.1", "a.md", "verl: `config.ppo_mini_batch_sise`", ["unknown-key"]),
        # What verl's code takes out of a config that has no such mapping of its own.
        ("0.8.0", "a.md", "verl: `reward.reward_kwargs.*`, `reward.reward_kwargs`", []),
        ("0.8.0", "a.md", "verl: `reward.reward_kwargs.max_resp_len`", []),
        ("0.8.0", "a.md", "verl: `reward.mine_kwargs.*`", ["unknown-key"]),
        ("0.6.1", "a.sh", f"{PPO} reward.reward_kwargs.max_resp_len=1", ["unknown-key"]),
        # A number of a formula.
        ("0.9.1", "a.md", "verl: `actor_rollout_ref.actor.loss_scale_factor = L_max`", []),
        ("0.9.1", "a.md", "verl: `actor_rollout_ref.actor.loss_scale_factor = Lmax`", TYPE),
        # A name in a pattern starts nothing.
        pytest.param(
            "0.9.1",
            "a.sh",
            f"{LOOP}find . ! -path '*/verl/*'  # skip verl",
            [],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "0.9.1",
            "a.sh",
            f"{LOOP}{PPO} trainer.nnodes=2",
            ["unchecked-part"],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_is_found(release: str, name: str, text: str, rules: list[str]) -> None:
    assert [f.rule for f in check_text(name, text, Options(release)).findings] == rules


@pytest.mark.parametrize(
    ("release", "text", "suggestion"),
    [
        # The engine would take it, and the model's setting overwrites it.
        (
            "0.9.1",
            f"{PPO} critic.model.fsdp_config.use_remove_padding=True",
            "critic.model.use_remove_padding",
        ),
        # The place only refers to another, so Hydra refuses it with and without a plus.
        (
            "0.9.1",
            f"{PPO} actor_rollout_ref.rollout.mtp.enable=True",
            "actor_rollout_ref.model.mtp.enable",
        ),
        (
            "0.9.1",
            f"{PPO} +actor_rollout_ref.rollout.mtp.enable=True",
            "actor_rollout_ref.model.mtp.enable",
        ),
    ],
)
def test_what_is_advised(release: str, text: str, suggestion: str) -> None:
    (found,) = check_text("a.sh", text, Options(release)).findings
    assert found.suggestion == suggestion
    assert f"'{suggestion}'" in found.message
    taken = f"{PPO} {suggestion}=True"
    assert check_text("a.sh", taken, Options(release)).findings == ()


@pytest.mark.parametrize(
    ("name", "text", "suggestion"),
    [
        (
            "a.sh",
            f"{PPO} critic.model.fsdp_config.mixed_precision=null",
            "+critic.fsdp.mixed_precision",
        ),
        (
            "a.yaml",
            "critic:\n  model:\n    fsdp_config:\n      mixed_precision: null\n",
            "critic.fsdp.mixed_precision",
        ),
    ],
)
def test_a_field_of_the_dataclass_that_the_yaml_lacks(
    name: str, text: str, suggestion: str
) -> None:
    # A command needs the plus, and a config does not.
    (found,) = check_text(name, text, Options("0.9.1")).findings
    assert found.suggestion == suggestion


def test_the_class_that_refuses_is_that_of_the_engine() -> None:
    text = "verl: `+actor_rollout_ref.actor.mindspeed.llm_kwargs.a=True`"
    (found,) = check_text("a.md", text, Options("0.9.0")).findings
    assert "MindSpeedEngineConfig has no such field" in found.message


TRAIN = f"We train with verl: `{PPO} trainer.nnodes=1`\n\n"
SAYS_RIGHT = "`async_training.use_trainer_do_validate`"
WRONG = "`trainer.use_trainer_do_validate`"
OTHER_SFT = "server: null\ndata: {train_files: a}\ntrainer: {total_epochs: 1}\n"
OTHER_SFT += "optim: {lr: 1e-5, warmup_steps_ratio: 0.1}\n"
BROKEN_OFF = f"```bash\n{PPO} \\\n    {{}}\n    trainer.nnodes=2\n```\n"
CUT_OUT = "```yaml\n    n: 8\n  actor: {use_kl_loss: true}\ntrainer:\n  nnodes: 2\n```\n"
MATH = "actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.max_model_len=9000"
MATH += " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1"
MATH += " actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1"
MATH += " critic.ppo_micro_batch_size_per_gpu=1 actor_rollout_ref.model.path"


@pytest.mark.parametrize(
    ("name", "text", "rules"),
    [
        # What stands behind a name and `=` is a value, in code that the text shows.
        ("a.md", f"{TRAIN}shard(use_liger_kernel=args.use_liger_kernel)\n", []),
        ("a.md", f"{TRAIN}shard(args.use_liger_kernel)\n", ["unknown-key"]),
        # The text itself calls a key wrong, and names the right one.
        ("a.md", f"{TRAIN}We wrote {WRONG}, which is wrong: it is {SAYS_RIGHT}.\n", []),
        ("a.md", f"{TRAIN}Hydra rejects {WRONG}; write {SAYS_RIGHT}.\n", []),
        ("a.md", f"{TRAIN}Set {WRONG} and {SAYS_RIGHT}.\n", ["misplaced-root"]),
        ("a.md", f"{TRAIN}Wrong: {WRONG}.\n", ["misplaced-root"]),
        ("a.md", f"{TRAIN}Set {SAYS_RIGHT} instead of {WRONG}.\n", []),
        ("a.md", f"{TRAIN}Rather than the longer {WRONG}, set {SAYS_RIGHT}.\n", []),
        ("a.md", f"{TRAIN}Set {WRONG} instead of {SAYS_RIGHT}.\n", ["misplaced-root"]),
        ("a.md", f"{TRAIN}{WRONG} 和 {SAYS_RIGHT} 会减小误差。\n", ["misplaced-root"]),
        # A comment with dots stands for what a document leaves out.
        ("a.md", BROKEN_OFF.format("# ... the others ... \\"), []),
        ("a.md", BROKEN_OFF.format("..."), []),
        ("a.md", BROKEN_OFF.format("# our batch \\"), ["shell-quoting"]),
        ("a.sh", f"{PPO} \\\n  # ... \\\n  trainer.nnodes=2\n", ["shell-quoting"]),
        ("a.md", f"```bash\n{PPO}...\n```\n", []),
        ("a.md", f"```bash\n{PPO}s\n```\n", ["unknown-entry"]),
        # A piece of a file begins in a mapping that the document does not show.
        ("a.md", TRAIN + CUT_OUT, []),
        ("a.md", f"{TRAIN}```yaml\ntrainer:\n  nnodes: 2\n n: 8\n```\n", ["yaml-syntax"]),
        # A config without the model's path, and with a root of its own, is not verl's.
        ("a.yaml", f"{OTHER_SFT}model: {{name: a}}\n", []),
        ("a.yaml", f"{OTHER_SFT}model: {{path: a}}\n", ["removed-key"]),
        # A model of that name that somebody else published has a config of its own.
        ("a.sh", f"{PPO} {MATH}=Qwen/Qwen2.5-Math-7B", ["conflicting-settings"]),
        ("a.sh", f"{PPO} {MATH}=somebody/Qwen2.5-Math-7B", []),
        ("a.sh", f"{PPO} {MATH}=/models/Qwen2.5-Math-7B", ["conflicting-settings"]),
    ],
)
def test_what_strangers_repositories_say(name: str, text: str, rules: list[str]) -> None:
    assert [f.rule for f in check_text(name, text, Options("0.9.1")).findings] == rules


@pytest.mark.parametrize(
    ("text", "is_advised"),
    [
        ("description: a — PLAN v5\n  actor_rollout_ref: (1) b\n", False),
        ("actor_rollout_ref:\n  a: 1\n – b: 2\n", True),
    ],
)
def test_a_dash_is_no_slip_inside_of_a_line(text: str, *, is_advised: bool) -> None:
    (found,) = check_text("a.yaml", text, Options("0.9.1")).findings
    assert found.rule == "yaml-syntax"
    assert ("dash" in found.message) == is_advised
