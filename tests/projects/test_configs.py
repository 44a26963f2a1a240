"""YAML files of a project: their keys count from where a config that takes in verl's puts them."""

from __future__ import annotations

import pytest

from snippet_checker.findings import Stage
from snippet_checker.pipeline import Options, check_text
from snippet_checker.projects.files import MemoryFiles

VERL = "0.9.1"
VERLS_OPTION = "# @package _global_\ndefaults: [/ppo_trainer, _self_]\nown: {rate: 1}\n"
FILES = {
    "/p/.git/HEAD": "",
    "/p/config/mine.yaml": "defaults:\n  - ppo_trainer\n  - actor@actor_rollout_ref.actor: small\n"
    "  - tools: search\n  - _self_\n",
    "/p/config/actor/small.yaml": "",
    "/p/config/tools/search.yaml": "",
    "/p/config/rollout/fast.yaml": "",
    "/p/copied/ppo_trainer.yaml": "defaults: [_self_, actor]\n",
    "/p/copied/actor.yaml": "",
    "/p/broken/mine.yaml": "defaults: [ppo_trainer, actor: small\n",
    "/p/broken/actor/small.yaml": "",
    "/p/twice/mine.yaml": "defaults: [ppo_trainer, actor@a: small, actor@b: small]\n",
    "/p/twice/actor/small.yaml": "",
    "/p/split/mine.yaml": "defaults: [own: base, own/trainer: verl, _self_]\n"
    "hydra: {searchpath: ['pkg://verl.trainer.config']}\n",
    "/p/split/own/base.yaml": "",
    "/p/split/own/trainer/verl.yaml": VERLS_OPTION,
    "/p/split/own/trainer/other.yaml": "",
    "/p/split/own/trainer/broken.yaml": "defaults: {",
}
CASES = (
    # An option of a group: its keys are complete, and what verl never had is the project's own.
    ("config/actor/small.yaml", "clip_ratio: 0.2\n", []),
    (
        "config/actor/small.yaml",
        "use_dynamic_batchsize: true\n",
        [("unknown-key", "actor_rollout_ref.actor.use_dynamic_bsz")],
    ),
    # The project's own workers may have further keys.
    ("config/actor/small.yaml", "mine: {a: 1}\n", []),
    ("config/tools/search.yaml", "url: here\ntop_k: 3\n", []),
    # verl's own group of that name takes in a further option.
    (
        "config/rollout/fast.yaml",
        "gpu_memory_utilisation: 0.5\n",
        [("unknown-key", "actor_rollout_ref.rollout.gpu_memory_utilization")],
    ),
    # The config that takes in verl's.
    ("config/mine.yaml", "defaults: [ppo_trainer]\nmine: {a: 1}\n", []),
    (
        "config/mine.yaml",
        "defaults: [ppo_trainer]\ntrainer: {nnode: 2}\n",
        [("unknown-key", "trainer.nnodes")],
    ),
    # Nothing carries the old reward settings over, also what is new below them.
    (
        "config/mine.yaml",
        "defaults: [ppo_trainer]\nreward_model: {reward_kwargs: {overlong_buffer_cfg: {len: 1}}}\n",
        [("ineffective-key", "reward.reward_kwargs.overlong_buffer_cfg.len")],
    ),
    # A file with all sections is what a program starts from; one that only sets something is not.
    (
        "conf/own.yaml",
        "data: {reply: 1}\nalgorithm: {gamma: 1}\ntool: {rounds: 4}\ntrainer: {halt: {at: 1}}\n"
        "actor_rollout_ref: {actor: {use_dynamic_batchsize: true}}\n",
        [("unknown-key", "actor_rollout_ref.actor.use_dynamic_bsz")],
    ),
    (
        "conf/own.yaml",
        "data: {reply: 1}\ntrainer: {nnodes: 2}\nactor_rollout_ref: {actor: {ppo_epochs: 1}}\n",
        [("unknown-key", None)],
    ),
    # A copy of verl's config hides verl's; a broken one, or two places, say nothing.
    ("copied/actor.yaml", "clip_ratio: 0.2\nmine: 1\n", []),
    ("broken/actor/small.yaml", "mine: 1\nother: 2\n", []),
    ("twice/actor/small.yaml", "lr: 1\nmine: 1\n", []),
    # A group of the project's own, of which one option takes in verl's: the other ones are for
    # another trainer, and what stands outside of verl's package is the project's.
    (
        "split/own/base.yaml",
        "agent: {name: a}\nalgorithm: {adv_estimator: grpo, loss_agg_mode: null}\n"
        "trainer: {val_before_train: false}\nasync_training: {trajectory_group: null}\n",
        [],
    ),
    (
        "split/own/trainer/verl.yaml",
        f"{VERLS_OPTION}trainer: {{nnode: 2}}\n",
        [("unknown-key", "trainer.nnodes")],
    ),
    (
        "split/own/trainer/other.yaml",
        "# @package _global_\nmodel: {rank: 4}\ntraining: {rate: 1}\nsampling: {top: 1}\n"
        "data: {max_length: 8, val_batch_size: 1}\n",
        [],
    ),
)


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_a_file_counts_from_its_package(
    name: str, text: str, expected: list[tuple[str, str]]
) -> None:
    options = Options(VERL, files=MemoryFiles({**FILES, f"/p/{name}": text}))
    found = check_text(f"p/{name}", text, options).findings
    assert [(one.rule, one.suggestion) for one in found] == expected


def test_the_setting_is_named_with_its_package() -> None:
    text = "optim: {lr_scheduler_typ: cosine}\n"
    options = Options(VERL, files=MemoryFiles({**FILES, "/p/config/actor/small.yaml": text}))
    (found,) = check_text("p/config/actor/small.yaml", text, options).findings
    assert found.key == "actor_rollout_ref.actor.optim.lr_scheduler_typ"
    assert (found.span.line, found.span.column) == (1, 9)


def test_a_file_that_does_not_name_verl_is_read_beside_its_config() -> None:
    """Alone nothing shows that it is about verl."""
    text = "nnode: 2\nexperiment: mine\n"
    name = "p/config/trainer/big.yaml"
    mine = "defaults: [ppo_trainer, trainer: big]\n"
    files = MemoryFiles({**FILES, "/p/config/mine.yaml": mine, f"/{name}": text})
    alone = check_text(name, text, Options(VERL))
    beside = check_text(name, text, Options(VERL, files=files))
    assert (alone.findings, [one.suggestion for one in beside.findings]) == ((), ["trainer.nnodes"])


README = """\
Start verl with `python3 -m mine.main`.

```bash
actor_rollout_ref.rollout.drafter.steps=4
trainer.nnode=2
```

`rollout.drafter.steps` and `tools.url` say what the drafter does.
"""
BASE = "actor_rollout_ref: {rollout: {drafter: {steps: 3}}}\ntools: {url: here}\n"


def test_pages_name_the_keys_that_the_projects_configs_add() -> None:
    """Only the slip of verl's key is left, unless the project has that key, too."""
    files = {
        "/p/.git/HEAD": "",
        "/p/pkg/conf/mine.yaml": "defaults: [ppo_trainer, base, _self_]\n",
        "/p/pkg/conf/base.yaml": BASE,
    }

    def found(files: dict[str, str]) -> list[str | None]:
        options = Options(VERL, files=MemoryFiles(files))
        return [one.key for one in check_text("p/README.md", README, options).findings]

    assert found(files) == ["trainer.nnode"]
    assert found(files | {"/p/pkg/conf/base.yaml": BASE + "trainer: {nnode: 1}\n"}) == []
    assert found({}) == ["actor_rollout_ref.rollout.drafter.steps", "trainer.nnode"]


OWN = {
    "/p/.git/HEAD": "",
    "/p/src/config/sft.yaml": "defaults: [data, _self_]\nray_kwargs: {ray_init: {runtime_env: "
    "{env_vars: {MUJOCO_GL: egl}}}}\ntrainer: {total_epochs: 3}\n",
    "/p/src/config/data.yaml": "# @package data\nmicro_batch_size: 4\n",
}
PAGE = """\
These overrides of verl's `data.train_files` count here:

```text
ray_kwargs.ray_init.runtime_env.env_vars.MUJOCO_GL=osmesa
data.micro_batch_size=8
```

| Setting | Default |
| --- | --- |
| `data.micro_batch_size` | `32` |
| `trainer.total_epochs` | `5` |
"""


def test_a_page_about_a_config_of_the_projects_own_that_has_keys_of_an_older_verl() -> None:
    def found(files: dict[str, str]) -> list[str]:
        options = Options(VERL, files=MemoryFiles(files))
        return [f.rule for f in check_text("/p/docs/sft.md", PAGE, options).findings]

    assert found(OWN) == []
    judged = ["needs-plus", "removed-key", "removed-key", "stale-default"]
    assert sorted(found({"/p/.git/HEAD": ""})) == judged
    # A config with a section of verl's trainers may be one of an older verl.
    old = "actor_rollout_ref: {model: {path: a}}\n"
    assert sorted(found(OWN | {"/p/src/config/ppo.yaml": f"defaults: [sft]\n{old}"})) == judged
    # Beside a copy of verl, they may be that verl's.
    copy = {"/p/verl/__init__.py": "", "/p/verl/protocol.py": ""}
    assert sorted(found(OWN | copy)) == judged


def test_a_config_beside_one_of_the_projects_own_is_judged_itself() -> None:
    text = "data: {train_files: a, micro_batch_size: 4}\n"
    options = Options(VERL, files=MemoryFiles(OWN))
    assert [f.rule for f in check_text("/p/src/other.yaml", text, options).findings] == [
        "removed-key"
    ]


def test_a_program_of_the_projects_own_may_start_from_a_config_that_has_the_key() -> None:
    """Its config is not found, so each that the project has may be the one."""
    files = {
        "/p/.git/HEAD": "",
        "/p/conf/mine.yaml": "defaults: [_self_]\ntrainer: {nnode: 1}\n",
    }
    command = "python3 -m mine.main actor_rollout_ref.actor.clip_ratio=0.2 trainer.nnode=2\n"

    def found(files: dict[str, str]) -> list[str | None]:
        options = Options(VERL, files=MemoryFiles(files))
        return [one.key for one in check_text("p/train.sh", command, options).findings]

    assert (found(files), found({})) == ([], ["trainer.nnode"])


@pytest.mark.parametrize(
    ("path", "text", "stage"),
    [
        # Hydra merges what a config brings; the actor is built as a dataclass, the trainer read.
        ("mine.yaml", "defaults: [ppo_trainer]\ntrainer: {nnode: 1}\n", Stage.SILENT),
        (
            "mine.yaml",
            "defaults: [ppo_trainer]\ntrainer: {remove_previous_ckpt_in_save: true}\n",
            Stage.SILENT,
        ),
        (
            "mine.yaml",
            "defaults: [ppo_trainer]\nactor_rollout_ref: {actor: {use_dynamic_batchsize: true}}\n",
            Stage.VERL,
        ),
        ("actor/small.yaml", "use_dynamic_batchsize: true\n", Stage.VERL),
        # Nothing says that these are a config and no overrides.
        ("else.yaml", "actor_rollout_ref: {actor: {use_dynamic_batchsize: true}}\n", Stage.HYDRA),
    ],
)
def test_who_stops_at_a_key_of_a_config(path: str, text: str, stage: Stage) -> None:
    options = Options(VERL, files=MemoryFiles(FILES))
    (found,) = check_text(f"/p/config/{path}", text, options).findings
    assert found.stage is stage


SECTION = (
    "actor_rollout_ref: {rollout: {n: 4}}\nactor: {ppo_epochs: 1, gradient_checkpointing: true"
)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (", rate: 1, rank: 8, reuse: true}", []),
        (", clip_ratio: 8, use_kl_loss: true}", ["actor.gradient_checkpointing"]),
        (", rate: 1, rank: 8, reuse: true, ppo_epoch: 1}", ["actor.ppo_epoch"]),  # a slip
        (", rate: 1, rank: 8, reuse: true}\ntrainer: {nnode: 1}", ["trainer.nnode"]),
    ],
)
def test_a_section_of_its_own_in_a_config_for_verl(others: str, expected: list[str]) -> None:
    """Its program makes verl's settings of it."""
    options = Options(VERL, files=MemoryFiles({"/p/.git/HEAD": ""}))
    found = check_text("p/conf/grpo.yaml", f"{SECTION}{others}\n", options).findings
    assert [one.key for one in found if one.rule == "unknown-key"] == expected


PATTERNS = "verl's `trainer.{}` count beside `data.train_files`.\n"
CLASSES = "class TrainerConfig:\n    speed_of_mine: int = 1\n"


@pytest.mark.parametrize(
    ("pattern", "files", "expected"),
    [
        ("mine.*", {}, ["trainer.mine.*"]),
        ("mine.*", {"/p/conf/own.yaml": "defaults: [_self_]\ntrainer: {mine: {a: 1}}\n"}, []),
        ("mine_*", {"/p/conf/own.yaml": "defaults: [_self_]\ntrainer: {mine_a: 1}\n"}, []),
        (
            "mine_*",
            {"/p/conf/own.yaml": "defaults: [_self_]\ntrainer: {a_mine: 1}\n"},
            ["trainer.mine_*"],
        ),
        ("speed_of_mine.*", {"/p/conf.py": CLASSES}, []),
        ("speed_of_mine.*", {}, ["trainer.speed_of_mine.*"]),
    ],
)
def test_pages_name_groups_of_keys_that_the_project_adds(
    pattern: str, files: dict[str, str], expected: list[str]
) -> None:
    text = PATTERNS.format(pattern)
    options = Options(VERL, files=MemoryFiles({"/p/.git/HEAD": "", **files}))
    assert [one.key for one in check_text("p/README.md", text, options).findings] == expected
