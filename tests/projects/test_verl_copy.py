"""A project that holds a copy of verl's package: what it added to it is its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import pytest
import yaml

from snippet_checker.pipeline import Options, check_text
from snippet_checker.projects.files import MemoryFiles
from snippet_checker.projects.project import Project
from snippet_checker.verl.release import Primary, load

MAIN = """\
import hydra

@hydra.main(config_path="config", config_name="{name}", version_base=None)
def main(config): ...
"""
FILES = {
    "/p/.git/HEAD": "",
    "/elsewhere/.git/HEAD": "",
    "/p/verl/__init__.py": "",
    "/p/verl/trainer/main_mine.py": MAIN.format(name="mine_trainer"),
    "/p/verl/trainer/plain.py": "print(1)\n",
    "/p/verl/trainer/config/ppo_trainer.yaml": "trainer: {nnodes: 1, mine: 1}\ndata: {files: a}\n",
    "/p/verl/trainer/config/mine_trainer.yaml": "defaults: [ppo_trainer, _self_]\nown: {a: 1}\n",
    "/p/trainer/config/mine_trainer.yaml": "trainer: {nnodes: 1}\n",
}
ADDED = "python3 -m verl.trainer.main_mine"
CONFIG = "python3 -m verl.trainer.main_ppo --config-name=mine_trainer"


def _found(name: str, text: str, files: dict[str, str] = FILES) -> list[tuple[str, str | None]]:
    options = Options("0.9.1", files=MemoryFiles(files))
    return [(f.rule, f.key) for f in check_text(name, text, options).findings]


@pytest.mark.parametrize("start", [ADDED, CONFIG, "python3 verl/trainer/main_mine.py"])
def test_what_it_added_is_composed_from_its_own_configs(start: str) -> None:
    given = "own.a=2 trainer.mine=2 data.files=b trainer.nnode=2 own.b=1"
    assert _found("/p/run.sh", f"{start} {given}\n") == [
        ("unknown-key", "trainer.nnode"),
        ("unknown-key", "own.b"),
    ]


def test_a_program_that_names_no_config_may_read_anything() -> None:
    assert _found("/p/run.sh", "python3 -m verl.trainer.plain own.b=1\n") == []


@pytest.mark.parametrize(
    ("script", "key"),
    [
        ("python3 -m verl.trainer.main_mines own.a=1\n", "verl.trainer.main_mines"),
        (f"{CONFIG}s own.a=1\n", "mine_trainers"),
    ],
)
def test_what_it_has_not_is_reported(script: str, key: str) -> None:
    assert ("unknown-entry", key) in _found("/p/run.sh", script)
    without = {path: text for path, text in FILES.items() if "mine" not in path}
    assert _found("/p/run.sh", f"{ADDED}\n", without) == [
        ("unknown-entry", "verl.trainer.main_mine")
    ]


@pytest.mark.parametrize("name", ["ppo_trainer", "actor/own", "mine_trainer"])
def test_its_configs_say_what_it_accepts(name: str) -> None:
    text = "actor_rollout_ref: {actor: {use_dynamic_batchsize: true}}\n"
    assert _found(f"/p/verl/trainer/config/{name}.yaml", text) == []
    # Elsewhere the same text sets something.
    assert _found(f"/p/conf/{name}.yaml", text) == [
        ("unknown-key", "actor_rollout_ref.actor.use_dynamic_batchsize")
    ]


@pytest.mark.parametrize(
    ("inner", "found"),
    [
        (("protocol.py", "trainer/main_ppo.py", "trainer/ppo/ray_trainer.py"), []),
        (("protocol.py", "trainer/main_ppo.py"), ["unknown-key"]),
    ],
)
def test_the_configs_of_a_copy_with_another_name(inner: tuple[str, ...], found: list[str]) -> None:
    files = {f"/p/verl_old/{path}": "" for path in ("__init__.py", *inner)}
    text = "actor_rollout_ref: {actor: {use_dynamic_batchsize: true}}\n"
    path = "/p/verl_old/trainer/config/ppo_trainer.yaml"
    assert [rule for rule, _ in _found(path, text, FILES | files)] == found


def test_running_text_names_the_end_of_a_key_that_it_added() -> None:
    page = "`actor_rollout_ref.actor.use_kl_loss=True` with `actor.calculate_mine=True` and "
    page += "`actor.calculate_theirs=True`.\n"
    files = {path: text for path, text in FILES.items() if "mine" not in path}
    added = files | {PPO: "actor_rollout_ref: {actor: {calculate_mine: 1}}\n"}

    def found(name: str, text: str, files: dict[str, str]) -> list[str | None]:
        options = Options("0.7.0", files=MemoryFiles(files))
        return [finding.key for finding in check_text(name, text, options).findings]

    assert found("/p/page.md", page, added) == ["actor.calculate_theirs"]
    assert found("/p/page.md", page, files) == ["actor.calculate_mine", "actor.calculate_theirs"]
    # A command names all of a key.
    script = "python3 -m verl.trainer.main_ppo actor.calculate_mine=True\n"
    assert found("/p/run.sh", script, added) == ["actor.calculate_mine"]


def test_a_key_that_it_added_is_left_to_it() -> None:
    script = (
        "python3 -m verl.trainer.main_ppo trainer.mine=2 data.files=b own.a=1 trainer.nnode=2 "
        "trainer.theirs=1 data.prompt_dict_keys=a\n"
    )
    # What no config of the copy has is reported, and so is what an earlier release of verl had.
    assert _found("/p/scripts/run.sh", script) == [
        ("unknown-key", "trainer.nnode"),
        ("unknown-key", "trainer.theirs"),
        ("removed-key", "data.prompt_dict_keys"),
    ]
    page = "Set `trainer.mine=2` and `trainer.nnode=2` of verl.\n"
    assert _found("/p/docs/page.md", page) == [("unknown-key", "trainer.nnode")]
    assert _found("/elsewhere/page.md", page) == [
        ("unknown-key", "trainer.mine"),
        ("unknown-key", "trainer.nnode"),
    ]


def test_a_config_of_a_copy_deeper_in_the_project_is_found() -> None:
    moved = {path.replace("/p/verl/", "/p/third/src/verl/"): text for path, text in FILES.items()}
    script = f"{CONFIG} own.a=2 trainer.nnode=2\n"
    assert _found("/p/scripts/run.sh", script, moved) == [("unknown-key", "trainer.nnode")]
    assert ("unknown-entry", "mine_trainer") in _found("/elsewhere/run.sh", script, moved)


@pytest.mark.parametrize("script", ["/p/third/run/a.sh", "/p/scripts/a.sh"])
def test_programs_and_keys_of_a_copy_deeper_in_the_project(script: str) -> None:
    moved = {path.replace("/p/verl/", "/p/third/src/verl/"): text for path, text in FILES.items()}
    text = f"{ADDED} own.a=2 trainer.nnode=2\n"
    assert _found(script, text, moved) == [("unknown-key", "trainer.nnode")]
    text = "python3 -m verl.trainer.main_ppo trainer.mine=2 trainer.nnode=2\n"
    assert _found(script, text, moved) == [("unknown-key", "trainer.nnode")]
    assert ("unknown-entry", "verl.trainer.main_none") in _found(
        script, "python3 -m verl.trainer.main_none\n", moved
    )


def test_of_several_copies_the_nearest_counts() -> None:
    config = "/trainer/config/ppo_trainer.yaml"
    files = {"/p/.git/HEAD": ""}
    for name in ("a", "b"):
        files[f"/p/{name}/verl/__init__.py"] = ""
        files[f"/p/{name}/verl{config}"] = f"trainer: {{nnodes: 1, of_{name}: 1}}\n"
    text = "python3 -m verl.trainer.main_ppo trainer.of_a=1 trainer.of_b=1\n"
    assert _found("/p/a/scripts/x.sh", text, files) == [("unknown-key", "trainer.of_b")]
    assert _found("/p/b/scripts/x.sh", text, files) == [("unknown-key", "trainer.of_a")]


VALIDATED = "python3 -m verl.trainer.main_ppo trainer.val_before_train=False trainer.nnode=2\n"
PPO = "/p/verl/trainer/config/ppo_trainer.yaml"


@pytest.mark.parametrize(
    ("config", "release", "rules"),
    [
        # verl 0.3 reads it, and takes it with a plus only; the copy took it into its config.
        ("trainer: {val_before_train: True}", "0.3.0.post1", []),
        ("trainer: {nnodes: 1}", "0.3.0.post1", ["needs-plus"]),
        ("data: {val_before_train: True}", "0.3.0.post1", ["needs-plus"]),
    ],
)
def test_a_key_that_it_gave_to_the_config_that_a_command_starts_from(
    config: str, release: str, rules: list[str]
) -> None:
    options = Options(release, files=MemoryFiles(FILES | {PPO: config}))
    found = [f.rule for f in check_text("/p/run.sh", VALIDATED, options).findings]
    assert found == [*rules, "unknown-key"]


def test_a_key_that_it_has_before_a_release_does_is_meant() -> None:
    rollout = "{temperature: 1, val_kwargs: {temperature: 0}}"
    config = f"data: {{train_files: a}}\nactor_rollout_ref: {{rollout: {rollout}}}\n"
    script = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.val_temperature=0.6\n"
    files = FILES | {PPO: config, "/p/verl/version/version": "0.2.0.dev"}
    options = Options("0.2.0.post2", files=MemoryFiles(files))
    found = [(f.rule, f.suggestion) for f in check_text("/p/run.sh", script, options).findings]
    assert found == [("unknown-key", "actor_rollout_ref.rollout.val_kwargs.temperature")]


def test_a_mapping_that_is_handed_on_takes_a_plus_in_a_config_of_its_own() -> None:
    vllm = "actor_rollout_ref: {rollout: {engine_kwargs: {vllm: {swap_space: null}}}}\n"
    files = FILES | {"/p/verl/trainer/config/mine_trainer.yaml": f"own: {{a: 1}}\n{vllm}"}
    key = "actor_rollout_ref.rollout.engine_kwargs.vllm.block_size"
    assert _found("/p/run.sh", f"{ADDED} {key}=32\n", files) == [("needs-plus", key)]


def test_a_key_of_another_program_that_it_gave_to_this_one() -> None:
    script = "python3 -m verl.trainer.main_ppo data.truncation=error data.micro_batch_size=4\n"
    text = "data: {truncation: error, micro_batch_size: 4, train_files: a}\n"
    options = Options("0.2", files=MemoryFiles(FILES | {PPO: text}))
    assert [f.key for f in check_text("/p/run.sh", script, options).findings] == []
    alone = [f.rule for f in check_text("/p/run.sh", script, Options("0.2")).findings]
    assert alone == ["misplaced-root", "misplaced-root"]


@pytest.mark.parametrize(
    ("version", "is_left"),
    [
        (None, False),
        ("0.4.1.dev\n", True),
        ("0.5.0", True),
        ("0.6.0.dev0", True),
        ("0.4.0.dev", False),
        ("0.7.0.dev", False),
        ("none", False),
    ],
)
def test_a_key_that_an_earlier_release_had_there_is_verls(
    version: str | None, *, is_left: bool
) -> None:
    # 0.4.1 has it in this config, and so has a copy of what came before 0.5.0.
    key = "actor_rollout_ref.model.enable_gradient_checkpointing"
    start = "python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer"
    text = "actor_rollout_ref: {model: {enable_gradient_checkpointing: True}}\n"
    files = FILES | {"/p/verl/trainer/config/ppo_megatron_trainer.yaml": text}
    if version is not None:
        files["/p/verl/version/version"] = version
    options = Options("0.5.0", files=MemoryFiles(files))
    found = check_text("/p/run.sh", f"{start} {key}=True\n", options).findings
    assert [f.key for f in found] == ([] if is_left else [key])


LATER = "verl.experimental.fully_async_policy.fully_async_main"


def test_a_program_that_later_releases_have_and_the_copy_has_too() -> None:
    folder = "/p/verl/experimental/fully_async_policy"
    files = FILES | {
        f"{folder}/fully_async_main.py": MAIN.format(name="mine_trainer"),
        f"{folder}/config/mine_trainer.yaml": "own: {a: 1}\nactor_rollout_ref: {actor: {}}\n",
    }
    script = f"python3 -m {LATER} own.a=2 own.b=1\n"
    found = check_text("/p/run.sh", script, Options("0.6.1", files=MemoryFiles(files))).findings
    assert [(f.rule, f.key) for f in found] == [("unknown-key", "own.b")]
    found = check_text("/p/run.sh", script, Options("0.6.1", files=MemoryFiles(FILES))).findings
    assert ("unknown-entry", LATER) in [(f.rule, f.key) for f in found]


ARGPARSE = """\
import argparse
from verl.trainer.ppo import run

if __name__ == "__main__":
    run(argparse.ArgumentParser().parse_args())
"""


@pytest.mark.parametrize(
    ("program", "is_hydras"),
    [
        (ARGPARSE, False),
        (ARGPARSE + '"""\nimport hydra\n"""\n', False),
        (MAIN.format(name="ppo_trainer") + ARGPARSE, True),
        ("from verl.trainer.mine import main\n" + ARGPARSE + "main()\n", True),
        ("from verl.trainer.mine import run\n", True),  # which nothing starts
        ("", True),
    ],
)
def test_a_program_of_verls_that_it_gave_another_command_line(
    program: str, *, is_hydras: bool
) -> None:
    files = FILES | {"/p/verl/trainer/main_ppo.py": program}
    script = "python3 -m verl.trainer.main_ppo ./mine.yaml trainer.nnode=2\n"
    expected = [("override-syntax", "./mine.yaml"), ("unknown-key", "trainer.nnode")]
    assert _found("/p/run.sh", script, files) == (expected if is_hydras else [])


def test_a_key_that_it_gave_to_the_config_that_one_of_a_project_takes_in() -> None:
    key = "actor_rollout_ref.model.enable_gradient_checkpointing"
    config = "hydra: {searchpath: [file://verl/trainer/config]}\ndefaults: [{}, _self_]\n"
    files = FILES | {
        "/p/verl/version/version": "0.4.1.dev\n",
        "/p/verl/trainer/config/ppo_megatron_trainer.yaml": (
            "actor_rollout_ref: {model: {enable_gradient_checkpointing: True}}\n"
        ),
    }
    script = f"python3 -m verl.trainer.main_ppo --config-path=$PWD/own -cn mine {key}=True\n"
    for name, expected in (("ppo_megatron_trainer", []), ("ppo_trainer", [])):
        given = files | {"/p/own/mine.yaml": config.replace("{}", name, 1)}
        options = Options("0.5.0", files=MemoryFiles(given))
        assert [f.key for f in check_text("/p/run.sh", script, options).findings] == expected


ADDING = "python3 -m verl.trainer.main_ppo +trainer.val_before_train=False\n"


@pytest.mark.parametrize(
    ("config", "version", "path", "rules"),
    [
        # 0.3 takes it with a plus; a copy of about that time that has it in its config refuses one.
        ("trainer: {val_before_train: True}", "0.3.1.dev", "/p/run.sh", ["needless-plus"]),
        ("trainer: {nnodes: 1}", "0.3.1.dev", "/p/run.sh", []),
        ("trainer: {val_before_train: null}", "0.3.1.dev", "/p/run.sh", []),
        ("trainer: {val_before_train: True}", "0.9.0", "/p/run.sh", []),
        ("trainer: {val_before_train: True}", "0.3.1.dev", "/elsewhere/run.sh", []),
    ],
)
def test_a_plus_before_a_key_that_it_has_already(
    config: str, version: str, path: str, rules: list[str]
) -> None:
    files = FILES | {PPO: config, "/p/verl/version/version": version}
    options = Options("0.3.0.post1", files=MemoryFiles(files))
    assert [f.rule for f in check_text(path, ADDING, options).findings] == rules


def test_a_plus_in_a_branch_may_be_for_another_verl_than_the_copy() -> None:
    files = FILES | {
        PPO: "trainer: {val_before_train: True}",
        "/p/verl/version/version": "0.3.1.dev",
    }
    options = Options("0.3.0.post1", files=MemoryFiles(files))
    plus = "+trainer.val_before_train=False"
    script = f'if [ -n "$1" ]; then MORE={plus}; fi\npython3 -m verl.trainer.main_ppo $MORE\n'
    assert check_text("/p/run.sh", script, options).findings == ()


@pytest.mark.parametrize(
    ("config", "rules"),
    [
        # Hydra appends to a mapping and to what is null, and the copy may read what its config has.
        ("trainer: {own: null, nnodes: 1}", []),
        ("trainer: {own: {first: 1}, nnodes: 1}", []),
        ("trainer: {own: 1, nnodes: 1}", ["needless-plus"]),
        ("trainer: {nnodes: 1}", ["dead-append"]),
    ],
)
def test_a_plus_before_a_key_that_only_it_has(config: str, rules: list[str]) -> None:
    files = FILES | {PPO: config, "/p/verl/version/version": "0.5.0.dev"}
    options = Options("0.5.0", files=MemoryFiles(files))
    key = "own.second" if "{own: {" in config else "own"
    script = f"python3 -m verl.trainer.main_ppo +trainer.{key}=2\n"
    assert [f.rule for f in check_text("/p/run.sh", script, options).findings] == rules


@pytest.mark.parametrize(
    ("own", "given", "rules"),
    [
        # Into an empty mapping, too, Hydra takes a key with a plus only, in the copy's own config.
        ("{}", "trainer.own.second=2", ["needs-plus"]),
        ("{}", "+trainer.own.second=2", []),
        ("{}", "+trainer.own.second=1 trainer.own.second=2", []),
        ("{second: 1}", "trainer.own.second=2", []),
    ],
)
def test_a_key_for_a_mapping_that_only_it_has(own: str, given: str, rules: list[str]) -> None:
    config = f"trainer: {{nnodes: 1, own: {own}}}"
    files = FILES | {PPO: config, "/p/verl/version/version": "0.5.0.dev"}
    options = Options("0.5.0", files=MemoryFiles(files))
    script = f"python3 -m verl.trainer.main_ppo {given}\n"
    assert [f.rule for f in check_text("/p/run.sh", script, options).findings] == rules


@pytest.mark.parametrize(
    ("config", "code", "rules"),
    [
        # The code gets the section as `config`, and verl knows the name nowhere.
        ("trainer: {nnodes: 1}", "config.get('own_rounds', 1)", ["needs-plus"]),
        ("trainer: {nnodes: 1}", "other.get('own_rounds', 1)", ["unknown-key"]),
        ("trainer: {nnodes: 1}", "config.get('nothing', 1)", ["unknown-key"]),
        # In another section of the copy's own config, the name is meant.
        ("{trainer: {nnodes: 1}, mine: {own_rounds: 1}}", "config.own_rounds", ["unknown-key"]),
    ],
)
def test_a_key_that_its_code_reads_by_the_name_alone(
    config: str, code: str, rules: list[str]
) -> None:
    files = FILES | {
        PPO: config,
        "/p/verl/protocol.py": "",
        "/p/verl/trainer/rounds.py": f"x = {code}\n",
        "/p/verl/version/version": "0.5.0.dev",
    }
    options = Options("0.5.0", files=MemoryFiles(files))
    script = "python3 -m verl.trainer.main_ppo trainer.own_rounds=2\n"
    assert [f.rule for f in check_text("/p/run.sh", script, options).findings] == rules


def _with_actors(fsdp: str, megatron: str) -> Options:
    """A copy of about 0.5.0 with two options for the actor, of which it chooses the first."""
    folder = "/p/verl/trainer/config"
    files = FILES | {
        PPO: "defaults: [actor@actor_rollout_ref.actor: dp_actor, _self_]\ntrainer: {nnodes: 1}\n",
        f"{folder}/actor/dp_actor.yaml": fsdp,
        f"{folder}/actor/megatron_actor.yaml": megatron,
        "/p/verl/version/version": "0.5.0.dev",
    }
    return Options("0.5.0", files=MemoryFiles(files))


def test_what_another_choice_of_its_groups_brings_is_refused_all_the_same() -> None:
    script = "python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.optim.clip_grad=1\n"
    clipping = "optim: {lr: 1, clip_grad: 1}\n"
    for fsdp, rules in (("optim: {lr: 1}\n", ["unknown-key"]), (clipping, [])):
        options = _with_actors(fsdp, clipping)
        assert [f.rule for f in check_text("/p/run.sh", script, options).findings] == rules


def test_a_plus_before_a_key_of_an_option_that_the_command_does_not_choose() -> None:
    options = _with_actors("own_switch: 1\n", "optim: {lr: 1}\n")
    start = "python3 -m verl.trainer.main_ppo +actor_rollout_ref.actor.own_switch=2"
    for chosen, refused in (("", True), (" actor@actor_rollout_ref.actor=megatron_actor", False)):
        found = check_text("/p/run.sh", f"{start}{chosen}\n", options).findings
        assert ("needless-plus" in [f.rule for f in found]) is refused


@pytest.mark.parametrize(
    ("option", "rules"),
    [
        ("megatron_actor", ["unknown-key"]),
        ("dp_actor", []),
        ("$ACTOR", []),  # which only the launch knows
        ("mine", []),  # of which the copy says nothing
    ],
)
def test_a_key_of_an_option_that_the_command_does_not_choose(option: str, rules: list[str]) -> None:
    options = _with_actors("optim: {lr: 1}\ngrad_clip: 1.0\n", "optim: {lr: 1}\n")
    chosen = f"actor@actor_rollout_ref.actor={option}"
    script = f"python3 -m verl.trainer.main_ppo {chosen} actor_rollout_ref.actor.grad_clip=1\n"
    found = check_text("/p/run.sh", script, options).findings
    assert [f.rule for f in found if f.key == "actor_rollout_ref.actor.grad_clip"] == rules


def test_a_key_of_the_option_that_its_own_branch_chooses() -> None:
    options = _with_actors("optim: {lr: 1}\ngrad_clip: 1.0\n", "optim: {lr: 1}\n")
    group, key = "actor@actor_rollout_ref.actor", "actor_rollout_ref.actor.grad_clip"
    script = f"""\
if [ -n "$1" ]; then
    ARGS="{group}=dp_actor {key}=1"
else
    ARGS="{group}=megatron_actor"
fi
python3 -m verl.trainer.main_ppo $ARGS
"""
    assert key not in [f.key for f in check_text("/p/run.sh", script, options).findings]


@pytest.mark.parametrize(
    ("given", "version", "path", "keys"),
    [
        ("trainer.nnodes=2 data.seed=1", "0.9.1", "/p/run.sh", ["data.seed"]),
        ("data.seed=1 data.files=b", "0.9.0.dev", "/p/scripts/run.sh", ["data.seed"]),
        ("trainer.nnodes=2 trainer.mine=2", "0.9.1", "/p/run.sh", []),
        ("++data.seed=1", "0.9.1", "/p/run.sh", []),
        ("+data.seed=0 data.seed=1", "0.9.1", "/p/run.sh", []),
        ("hydra.run.dir=out", "0.9.1", "/p/run.sh", []),
        ("$SEED", "0.9.1", "/p/run.sh", ["data.seed"]),
        ("data.seed=1", "0.4.0", "/p/run.sh", []),  # what has to change is judged by the release
        ("data.seed=1", "0.9.1", "/elsewhere/run.sh", []),
    ],
)
def test_a_key_of_the_release_that_its_config_has_lost(
    given: str, version: str, path: str, keys: list[str]
) -> None:
    files = FILES | {"/p/verl/version/version": version}
    branch = 'if [ -n "$1" ]; then SEED=data.seed=1; fi'
    script = f"{branch}\npython3 -m verl.trainer.main_ppo {given}\n"
    assert _found(path, script, files) == [("unknown-key", key) for key in keys]


@pytest.mark.parametrize(
    ("given", "columns"),
    [
        ("+data.seed=1", []),
        ("+data.seed=1 data.seed=2", []),
        # Once it is there, Hydra refuses the second plus.
        ("+data.seed=1 +data.seed=2", [48]),
        ("++data.seed=1 +data.seed=2", [49]),
    ],
)
def test_a_plus_before_a_key_that_its_config_has_lost(given: str, columns: list[int]) -> None:
    options = Options("0.9.1", files=MemoryFiles(FILES | {"/p/verl/version/version": "0.9.1"}))
    script = f"python3 -m verl.trainer.main_ppo {given}\n"
    found = check_text("/p/run.sh", script, options).findings
    assert [(f.rule, f.span.column) for f in found] == [("needless-plus", at) for at in columns]


def test_a_copy_without_a_config_of_that_name_has_lost_nothing() -> None:
    files = {path: text for path, text in FILES.items() if path != PPO}
    files["/p/verl/version/version"] = "0.9.1"
    assert _found("/p/run.sh", "python3 -m verl.trainer.main_ppo data.seed=1\n", files) == []


def _nested(dotted_keys: Iterable[str]) -> dict[str, Any]:
    keys = sorted(dotted_keys)
    config: dict[str, Any] = {}
    for key, after in zip(keys, [*keys[1:], ""], strict=True):
        if not after.startswith(f"{key}."):
            *above, leaf = key.split(".")
            reduce(lambda node, part: node.setdefault(part, {}), above, config)[leaf] = 1
    return config


@pytest.mark.parametrize(
    ("version", "config_of", "nearest"),
    [
        ("0.8.0.dev", "0.8.0", "0.8.0"),
        ("0.8.0.dev", "0.7.0", "0.7.0"),
        ("0.8.0.dev", "0.7.1", "0.7.1"),
        ("0.7.0.dev", "0.6.1", "0.6.1"),
        ("0.7.0", "0.6.1", "0.7.0"),  # a release's own version is believed
        ("0.8.0.dev", "0.1", "0.8.0"),  # no release around its version is like it
    ],
)
def test_a_version_between_releases_is_of_the_one_with_such_configs(
    version: str, config_of: str, nearest: str
) -> None:
    files = _copy_with_configs_of(config_of, f"{version}\n")
    assert Project("/p/run.sh", MemoryFiles(files)).copy_configs.nearest_release == nearest


@pytest.mark.parametrize("name", ["0.3.0.post1", "0.5.0", "0.9.1"])
def test_a_copy_that_lost_its_version_is_of_the_release_with_such_configs(name: str) -> None:
    files = _copy_with_configs_of(name, "") | {"/p/verl/protocol.py": ""}
    assert Project("/p/run.sh", MemoryFiles(files)).copy_configs.nearest_release == name
    bare = {path: text for path, text in files.items() if not path.endswith(".yaml")}
    few = bare | {"/p/verl/trainer/config/ppo_trainer.yaml": "trainer: {nnodes: 1}\n"}
    assert Project("/p/run.sh", MemoryFiles(few)).copy_configs.nearest_release is None


def _copy_with_configs_of(name: str, version: str) -> dict[str, str]:
    release = load(name)
    files = {
        "/p/.git/HEAD": "",
        "/p/verl/__init__.py": "",
        "/p/verl/version/version": version,
    }
    for primary in release.primaries:
        path = f"/p/{primary.config_dir}/{primary.config_name}.yaml"
        files[path] = yaml.safe_dump(_nested(release.composed(primary).dotted_keys()))
    return files


@pytest.mark.parametrize("version", ["0.8.0.dev", "0.7.1"])
def test_a_program_that_the_release_lost_and_a_copy_of_its_age_kept(version: str) -> None:
    script = "python3 -m verl.trainer.fsdp_sft_trainer data.prompt_dict_keys=a data.other=1\n"
    files = FILES | {
        "/p/verl/version/version": version,
        "/p/verl/trainer/fsdp_sft_trainer.py": MAIN.format(name="sft_trainer"),
        "/p/verl/trainer/config/sft_trainer.yaml": "data: {prompt_dict_keys: null}\n",
    }

    def found(files: dict[str, str]) -> list[str | None]:
        options = Options("0.7.1", files=MemoryFiles(files))
        return [finding.key for finding in check_text("/p/run.sh", script, options).findings]

    assert found(files) == ["data.other"]
    # A copy of another age says nothing of what the release has lost.
    older = files | {"/p/verl/version/version": "0.4.0"}
    assert "verl.trainer.fsdp_sft_trainer" in found(older)


@pytest.mark.parametrize(
    ("test", "loading", "expected"),
    [
        ("test_config.py", 'OmegaConf.load("tests/config/old.yaml")', []),
        ("test_config.py", 'OmegaConf.load("tests/config/new.yaml")', ["unknown-key"]),
        ("test_config.py", 'print("tests/config/old.yaml")', ["unknown-key"]),
        ("run.py", 'OmegaConf.load("tests/config/old.yaml")', ["unknown-key"]),
    ],
)
def test_a_config_that_a_test_loads_starts_nothing(
    test: str, loading: str, expected: list[str]
) -> None:
    files = FILES | {f"/p/tests/config/{test}": f"old = {loading}\n"}
    text = "actor_rollout_ref: {actor: {use_dynamic_batchsize: true}}\n"
    assert [rule for rule, _ in _found("/p/tests/config/old.yaml", text, files)] == expected


@pytest.mark.parametrize(
    ("taken", "is_left"),
    [
        ('own = config.get("custom_reward_function") or {}', True),
        ("own = config.custom_reward_function", True),
        ('own = config.get("reward")', False),
        ("own = load()", False),
    ],
)
def test_a_key_that_it_takes_out_by_a_variable(taken: str, is_left: bool) -> None:
    code = f'def read(config):\n    {taken}\n    return own.get("name_val")\n'
    files = FILES | {"/p/verl/protocol.py": "", "/p/verl/reward.py": code}
    page = "verl\n\n```yaml\ncustom_reward_function:\n  path: null\n  name_val: a\n```\n"
    found = check_text("/p/page.md", page, Options("0.6.1", files=MemoryFiles(files))).findings
    assert [f.key for f in found] == ([] if is_left else ["custom_reward_function.name_val"])


@pytest.mark.parametrize(
    ("script", "is_left"),
    [
        ('python3 -m verl.trainer.main_ppo +opsd.teacher.use_dynamic_bsz=1 "$@"\n', True),
        ('python3 -m verl.trainer.main_ppo +opsd.teacher.use_dynamic=1 "$@"\n', False),
    ],
)
def test_a_key_that_the_started_script_puts_in(script: str, is_left: bool) -> None:
    files = FILES | {"/p/examples/run.sh": script}
    key = "opsd.teacher.use_dynamic_bsz"
    text = f"N=1 bash examples/run.sh actor_rollout_ref.rollout.n=2 {key}=True\n"
    expected = [] if is_left else [("unknown-key", key)]
    assert _found("/p/examples/more/train.sh", text, files) == expected
    assert _found("/p/examples/more/train.sh", text.replace("run.sh", "other.sh"), files) == [
        ("unknown-key", key)
    ]


@pytest.mark.parametrize(
    ("path", "wrong", "meant"),
    [
        ("/p/run.sh", "trainer.mine_cof", "trainer.mine_coef"),
        ("/p/run.sh", "data.mine_coef", "trainer.mine_coef"),
        ("/p/run.sh", "trainer.nnode", "trainer.nnodes"),
        ("/elsewhere/run.sh", "data.mine_coef", None),
    ],
)
def test_a_slip_of_a_key_that_only_its_config_has(path: str, wrong: str, meant: str | None) -> None:
    copy = {PPO: "trainer: {nnodes: 1, mine_coef: 1}\n", "/p/verl/version/version": "0.9.1"}
    script = f"python3 -m verl.trainer.main_ppo {wrong}=1\n"
    options = Options("0.9.1", files=MemoryFiles(FILES | copy))
    (finding,) = check_text(path, script, options).findings
    assert (finding.key, finding.suggestion) == (wrong, meant)


def test_a_started_script_is_read_once_whatever_keys_are_asked_for() -> None:
    read: list[str] = []

    class Noting(MemoryFiles):
        def text(self, path: str) -> str | None:
            read.append(path)
            return super().text(path)

    project = Project("/p/all.sh", Noting({"/p/.git/HEAD": "", "/p/run.sh": "python3 -m x +a.b=1"}))
    text = "bash run.sh a.b=2 a.c=2"
    assert [key for key in ("a.b", "a.c", "b") if project.named_files.append(key, text)] == ["a.b"]
    assert read.count("/p/run.sh") == 1


CHOSEN = "python3 -m verl.trainer.main_ppo model_engine={} +actor_rollout_ref.actor.{}.a.b=1{}\n"


@pytest.mark.parametrize(
    ("version", "option", "further", "rules"),
    [
        ("0.9.0.dev", "mine", "", []),
        ("0.9.0.dev", "mindspeed", "", []),  # which 0.9.1 has lost
        ("0.7.0.dev", "mine", "", []),
        ("0.7.0.dev", "mindspeed", "", ["unknown-option", "dead-append"]),
        ("0.9.0.dev", "other", "", ["unknown-option", "dead-append"]),
        ("0.9.0.dev", "mine", " trainer.nnode=2", ["unknown-key"]),
    ],
)
def test_an_option_of_a_config_group_that_only_it_has(
    version: str, option: str, further: str, rules: list[str]
) -> None:
    files = FILES | {"/p/verl/version/version": version, PPO: "defaults: [model_engine: dp]\n"}
    for name in ("dp", "mine", "mindspeed"):
        files[PPO.replace("ppo_trainer", f"model_engine/{name}")] = f"model_engine: {name}\n"
    options = Options("0.9.1", files=MemoryFiles(files))
    script = CHOSEN.format(option, option, further)
    found = [f.rule for f in check_text("/p/run.sh", script, options).findings]
    assert [rule for rule in found if rule != "conflicting-settings"] == rules


def test_a_page_of_its_manual_names_what_it_added_by_the_end() -> None:
    own = {"actor_rollout_ref": {"actor": {"optim": {"lr_warmup_mine": 1}}}}
    files = FILES | {"/p/verl/trainer/config/ppo_trainer.yaml": yaml.safe_dump(own)}
    page = (
        "# verl's optimizer\n\n```yaml\noptim: {lr: 1, weight_decay: 0.1, lr_warmup_min: 1}\n```\n"
    )
    assert _found("/p/docs/config.md", page, files) == [("unknown-key", "optim.lr_warmup_min")]
    assert _found("/p/docs/config.md", page.replace("_min", "_mine"), files) == []


@pytest.mark.parametrize(
    ("version", "optim", "rules"),
    [
        ("0.5.0.dev", {"warmup_style": "constant"}, []),
        ("0.5.0.dev", {"warmup_style": None, "lr_scheduler_type": "constant"}, ["deprecated-key"]),
        ("0.3.0", {"warmup_style": "constant"}, ["deprecated-key"]),
        ("0.5.0.dev", {"lr": 1}, ["deprecated-key"]),
    ],
)
def test_a_name_that_it_has_not_changed_yet(
    version: str, optim: dict[str, Any], rules: list[str]
) -> None:
    config = yaml.safe_dump({"actor_rollout_ref": {"actor": {"optim": optim}}})
    files = FILES | {
        "/p/verl/trainer/config/ppo_trainer.yaml": config,
        "/p/verl/version/version": version,
    }
    page = "```yaml\nactor_rollout_ref: {actor: {optim: {warmup_style: cosine}}}\n```\n"
    found = check_text("/p/docs/a.md", page, Options("0.6.0", files=MemoryFiles(files))).findings
    assert [finding.rule for finding in found] == rules


@pytest.mark.parametrize(
    ("optim", "rules"),
    [
        ({"warmup_style": "constant"}, []),
        ({"warmup_style": None, "lr_scheduler_type": "constant"}, ["deprecated-key"]),
    ],
)
def test_a_name_that_a_program_of_it_cannot_change_yet(
    optim: dict[str, Any], rules: list[str]
) -> None:
    config = yaml.safe_dump({"actor_rollout_ref": {"actor": {"optim": optim}}})
    files = FILES | {
        "/p/verl/trainer/config/ppo_trainer.yaml": config,
        "/p/verl/version/version": "0.5.0.dev",
    }
    key = "actor_rollout_ref.actor.optim.warmup_style"
    script = f"{ADDED} {key}=cosine\n"
    found = check_text("/p/run.sh", script, Options("0.6.0", files=MemoryFiles(files))).findings
    assert [finding.rule for finding in found if finding.key == key] == rules


@pytest.mark.parametrize(
    ("config", "rules"),
    [
        ("trainer: {nnodes: 1, mine: 1}\n", ["unknown-key"]),
        # Nothing of the command can be judged, and one finding says why.
        ("trainer: {nnodes: 1, mine: 1\n", ["unknown-entry"]),
        ("defaults: [mine@data: gone, _self_]\ntrainer: {nnodes: 1}\n", ["unknown-entry"]),
    ],
)
@pytest.mark.parametrize("version", ["0.7.1", "0.4.0"])
def test_a_config_of_the_copy_that_composes_nothing(
    config: str, rules: list[str], version: str
) -> None:
    files = {
        "/p/.git/HEAD": "",
        "/p/verl/__init__.py": "",
        "/p/verl/version/version": version,
        "/p/verl/trainer/config/ppo_trainer.yaml": config,
    }
    script = "python3 -m verl.trainer.main_ppo trainer.mine=2 trainer.others=1\n"
    options = Options("0.7.1", files=MemoryFiles(files))
    found = check_text("/p/examples/run.sh", script, options).findings
    if version == "0.7.1":
        assert [finding.rule for finding in found] == rules
    else:  # a copy of another age does not run what is for the release
        assert "unknown-entry" not in [finding.rule for finding in found]


OF_RELEASE = "data@data: legacy_data"  # which 0.7.1 has in its folder of configs


@pytest.mark.parametrize(
    ("config", "files", "rules"),
    [
        # Hydra looks into the copy's own folder, and starts nothing where a group is missing there.
        (f"defaults: [{OF_RELEASE}, _self_]\n", {}, ["unknown-entry"]),
        (f"defaults: [{OF_RELEASE}, _self_]\n", {"data/legacy_data": "mine: 1\n"}, []),
        # Of a folder that is not all of verl, the rest may lie where verl is installed.
        (f"defaults: [{OF_RELEASE}, _self_]\n", {"protocol": None}, []),
        (
            f"hydra: {{searchpath: ['pkg://elsewhere']}}\ndefaults: [{OF_RELEASE}, _self_]\n",
            {},
            [],
        ),
        (f"hydra:\ndefaults: [{OF_RELEASE}, _self_]\n", {}, ["unknown-entry"]),
    ],
)
def test_a_group_of_the_release_that_is_missing_in_the_copy(
    config: str, files: dict[str, str | None], rules: list[str]
) -> None:
    folder = "/p/verl/trainer/config"
    given = {
        "/p/.git/HEAD": "",
        "/p/verl/__init__.py": "",
        "/p/verl/protocol.py": "",
        "/p/verl/version/version": "0.7.1",
        f"{folder}/ppo_trainer.yaml": config,
        **{f"{folder}/{name}.yaml": text for name, text in files.items() if text is not None},
    }
    if "protocol" in files:
        del given["/p/verl/protocol.py"]
    options = Options("0.7.1", files=MemoryFiles(given))
    script = "python3 -m verl.trainer.main_ppo ++data.max_prompt_length=2\n"
    found = check_text("/p/run.sh", script, options).findings
    assert [finding.rule for finding in found] == rules


@pytest.mark.parametrize(
    ("given", "is_refused"),
    [
        ("trainer.nnodes=2", True),
        # What the copy's own folder has not may lie in another one, or is not asked for.
        ("--config-dir=more", False),
        ("hydra.searchpath=[pkg://more]", False),
        ("data@data=own_data", False),
        ("~data@data", False),
    ],
)
def test_a_missing_group_where_the_command_decides(given: str, is_refused: bool) -> None:
    files = {
        "/p/.git/HEAD": "",
        "/p/verl/__init__.py": "",
        "/p/verl/protocol.py": "",
        "/p/verl/version/version": "0.7.1",
        PPO: f"defaults: [{OF_RELEASE}, _self_]\ntrainer: {{nnodes: 1}}\n",
        "/p/verl/trainer/config/data/own_data.yaml": "a: 1\n",
    }
    script = f"python3 -m verl.trainer.main_ppo {given}\n"
    found = check_text("/p/run.sh", script, Options("0.7.1", files=MemoryFiles(files))).findings
    assert ("unknown-entry" in [finding.rule for finding in found]) is is_refused


@pytest.mark.parametrize(
    ("script", "rules"),
    [
        # A default gives another value, and not another argument.
        ("python3 -m {main} trainer.nnodes=2 \\\n    +own.a=${{A:-2}} \\\n    data.seed=1\n", True),
        ('python3 -m {main} \\\n    "+own.a=${{A:-2}}"\n', True),
        ("python3 -m {main} \\\n    $MORE \\\n    ${{A:++own.a=2}}\n", False),
        ("python3 -m {main} \\\n    ++own.a=${{A:-2}}\n", False),
        # Both the plus and its value are there where the variable is.
        ("python3 -m {main} \\\n    ${{A:+\\\n    +own.a=${{A:-2}}}} \\\n    data.seed=1\n", False),
        (
            "\n\n\n\n\npython3 - <<'EOF'\nimport os\ncommand = ['python3', '-m', '{main}']\n"
            "if os.environ.get('A'):\n    command.append('+own.a=2')\nEOF\n",
            False,
        ),
        (
            'MORE=\nif [ -n "$1" ]; then\n    MORE="\\\n+own.a=2"\nfi\npython3 -m {main} $MORE\n',
            False,
        ),
    ],
)
@pytest.mark.parametrize("main", ["verl.trainer.main_ppo", "recipe.my.main_my"])
def test_a_plus_with_a_value_by_default_for_what_the_copy_has(
    main: str, script: str, rules: bool
) -> None:
    files = FILES | {
        "/p/verl/version/version": "0.5.0.dev",
        PPO: "trainer: {nnodes: 1}\nactor_rollout_ref: {}\ndata: {seed: 1}\nown: {a: 1}\n",
        "/p/recipe/my/main_my.py": MAIN.format(name="my_trainer"),
        "/p/recipe/my/config/my_trainer.yaml": RECIPES,
    }
    options = Options("0.5.0", files=MemoryFiles(files))
    found = check_text("/p/run.sh", script.format(main=main), options).findings
    assert ("needless-plus" in {finding.rule for finding in found}) is rules


ACTOR = "actor@actor_rollout_ref.actor"
RECIPES = "hydra: {searchpath: ['file://verl/trainer/config']}\ndefaults: [ppo_trainer, _self_]\n"


@pytest.mark.parametrize(
    ("config", "given", "rules"),
    [
        # Hydra refuses the plus for what the copy's config has, whichever program starts.
        (RECIPES, "+own.a=2", ["needless-plus"]),
        (RECIPES, "++own.a=2", []),
        (RECIPES, "+own.b=2", []),
        (RECIPES, "own.a=2", []),
        # Where its config lies in a mapping, its keys do not stand at the root.
        (RECIPES.replace("ppo_trainer,", "ppo_trainer@mine,"), "+own.a=2", []),
        # An option that its own config chooses may not have what the copy's has by default.
        (
            RECIPES.replace("_self_", f"{{override {ACTOR}: dp_actor}}, _self_"),
            "+own.a=2",
            ["needless-plus"],
        ),
        (
            RECIPES.replace("_self_", f"{{override {ACTOR}: megatron_actor}}, _self_"),
            "+own.a=2",
            [],
        ),
        ("trainer: {nnodes: 1}\nactor_rollout_ref: {}\n", "+own.a=2", []),
    ],
)
def test_a_plus_for_what_the_copy_has_in_a_command_of_a_recipe(
    config: str, given: str, rules: list[str]
) -> None:
    files = FILES | {
        "/p/verl/version/version": "0.5.0.dev",
        PPO: "trainer: {nnodes: 1}\nactor_rollout_ref: {}\nown: {a: 1}\n",
        "/p/recipe/my/main_my.py": MAIN.format(name="my_trainer"),
        "/p/recipe/my/config/my_trainer.yaml": config,
    }
    options = Options("0.5.0", files=MemoryFiles(files))
    script = f"python3 -m recipe.my.main_my trainer.nnodes=2 {given}\n"
    assert [f.rule for f in check_text("/p/run.sh", script, options).findings] == rules


SHARED = "actor_rollout_ref.rollout.engine_kwargs.vllm.disable_mm_preprocessor_cache"
NO_CACHE = {
    "/p/.git/HEAD": "",
    "/p/verl/__init__.py": "",
    "/p/verl/version/version": "0.5.0.dev",
    "/p/verl/trainer/config/ppo_trainer.yaml": "actor_rollout_ref: {rollout: {engine_kwargs: "
    "{vllm: {}}}}\ntrainer: {nnodes: 1}\n",
    "/p/conf/mine.yaml": "hydra: {searchpath: ['file://verl/trainer/config']}\n"
    "defaults: [ppo_trainer, _self_]\n",
}


@pytest.mark.parametrize("start", ["", "--config-path=$PWD/conf --config-name=mine "])
@pytest.mark.parametrize(("version", "rules"), [("0.5.0.dev", []), ("0.3.0", ["needless-plus"])])
def test_a_plus_for_what_the_release_has_and_the_copy_has_not(
    start: str, version: str, rules: list[str]
) -> None:
    files = NO_CACHE | {"/p/verl/version/version": version}
    script = f"python3 -m verl.trainer.main_ppo {start}+{SHARED}=True\n"
    options = Options("0.5.0", files=MemoryFiles(files))
    found = check_text("/p/examples/run.sh", script, options).findings
    assert [finding.rule for finding in found] == rules


MAY_LACK_PART = "defaults: [{optional data@data: legacy_data.yaml}, _self_]\ntrainer: {nnodes: 1}\n"
PART_IS_GONE = {
    "/p/.git/HEAD": "",
    "/p/verl/__init__.py": "",
    "/p/verl/version/version": "0.7.1",
    "/p/verl/trainer/mine.py": "a = config.data.max_mine\nb = config.trainer.max_mine\n",
    "/p/verl/trainer/config/ppo_trainer.yaml": "defaults: [{data@data: legacy_data}, _self_]\n"
    "trainer: {nnodes: 1}\n",
}


@pytest.mark.parametrize(
    ("files", "setting", "rules"),
    [
        # The file that is left out may have it; the one of the release says nothing of that.
        ({}, "data.max_mine=1", []),
        ({}, "data.train_file=1", ["unknown-key"]),
        ({}, "trainer.max_mine=1", ["needs-plus"]),
        (
            {"/p/verl/trainer/config/data/legacy_data.yaml": "a: 1\n"},
            "data.max_mine=1",
            ["needs-plus"],
        ),
        ({PPO: MAY_LACK_PART}, "data.max_mine=1", []),
        (
            {PPO: MAY_LACK_PART, "/p/verl/trainer/config/data/legacy_data.yaml": "a: 1\n"},
            "data.max_mine=1",
            ["needs-plus"],
        ),
    ],
)
def test_a_key_that_may_be_in_a_part_of_its_config_that_is_gone(
    files: dict[str, str], setting: str, rules: list[str]
) -> None:
    script = f"python3 -m verl.trainer.main_ppo {setting}\n"
    options = Options("0.7.1", files=MemoryFiles(PART_IS_GONE | files))
    found = check_text("/p/examples/run.sh", script, options).findings
    assert [finding.rule for finding in found] == rules


STARTS_OWN = 'python3 train.py --config-name=mine "$@"\n'
STARTS_VERLS = 'python3 -m verl.trainer.main_ppo "$@"\n'


@pytest.mark.parametrize(
    ("last", "key", "expected"),
    [
        (STARTS_OWN, "actor_rollout_ref.rollout.mine", []),
        (STARTS_OWN, "actor_rollout_ref.rollout.gpu_memory_utilisation", ["unknown-key"]),
        (STARTS_VERLS, "actor_rollout_ref.rollout.mine", ["unknown-key"]),
    ],
)
def test_a_key_that_scripts_hand_on(last: str, key: str, expected: list[str]) -> None:
    """What starts the last of them decides whose key it is."""
    files = FILES | {"/p/run/last.sh": last, "/p/run/next.sh": 'bash run/last.sh seed=1 "$@"\n'}
    text = f'exec bash "${{HERE}}/../run/next.sh" actor_rollout_ref.rollout.n=2 {key}=1 "$@"\n'
    assert [rule for rule, _ in _found("/p/lora/first.sh", text, files)] == expected


WHOLE_RUN = (
    "python3 -m verl.trainer.main_ppo data.train_files=a.parquet data.train_batch_size=12"
    " actor_rollout_ref.model.path=m algorithm.adv_estimator=remax trainer.n_gpus_per_node=4"
    " actor_rollout_ref.rollout.name=vllm actor_rollout_ref.actor.use_dynamic_bsz=True"
    " actor_rollout_ref.actor.ppo_mini_batch_size=12"
)
LOOPS = "self.loops = AgentLoopManager.create(config)"
IF_OFF = f"if not self.mine:\n    {LOOPS}\n"


@pytest.mark.parametrize(
    ("code", "given", "is_told"),
    [
        (f"self.mine = bool(self.config.mine.on)\n{IF_OFF}", "mine.on=fast", False),
        (f"if not self.config.mine.on:\n    {LOOPS}\n", "mine.on=fast", False),
        (f"self.mine = self.config.mine.on\n{IF_OFF}else:\n    loops()\n", "mine.on=True", False),
        # It is off, another key is set or asked for, or nothing is asked for.
        (f"self.mine = bool(self.config.mine.on)\n{IF_OFF}", "mine.on=False", True),
        (f"self.mine = bool(self.config.mine.on)\n{IF_OFF}", "mine.size=2", True),
        (f"self.mine = bool(self.config.mine.size)\n{IF_OFF}", "mine.on=fast", True),
        (f"if self.config.mine.on:\n    pass\n{LOOPS}\n", "mine.on=fast", True),
        (f"{LOOPS}\nif self.config.mine.on:\n    {LOOPS}\n", "mine.on=fast", True),
        ("", "mine.on=fast", True),
    ],
)
def test_a_switch_by_which_the_trainer_of_the_copy_makes_no_agent_loops(
    code: str, given: str, is_told: bool
) -> None:
    config = load("0.7.1").composed(Primary("verl/trainer/config", "ppo_trainer"))
    values = {root: config.value(root) for root in load("0.7.1").roots if config.has(root)}
    values["mine"] = {"on": None, "size": 1}
    files = FILES | {
        "/p/verl/version/version": "0.7.1\n",
        "/p/verl/trainer/ppo/ray_trainer.py": code,
        "/p/verl/trainer/config/ppo_trainer.yaml": yaml.safe_dump(values),
    }
    assert _told(f"{WHOLE_RUN} {given}", files) == ["conflicting-settings"] * is_told


def test_an_agent_loop_manager_of_ones_own_deals_out_answers_as_it_likes() -> None:
    manager = "+actor_rollout_ref.rollout.agent.agent_loop_manager_class=mine.Manager"
    assert _told(WHOLE_RUN, {}) == ["conflicting-settings"]
    assert _told(f"{WHOLE_RUN} {manager}", {}) == []


def _told(script: str, files: dict[str, str]) -> list[str]:
    options = Options("0.7.1", files=MemoryFiles(files))
    return [one.rule for one in check_text("/p/run.sh", script, options).findings]
