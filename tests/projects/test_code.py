"""What a project's code takes: words that it adds to verl's, and checks that its copy dropped."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from snippet_checker.findings import Stage
from snippet_checker.pipeline import Options, check_text
from snippet_checker.projects.files import MemoryFiles

START = "python3 -m verl.trainer.main_ppo"
RELEASE = "0.9.1"
COPY = {"/p/.git/HEAD": "", "/p/verl/__init__.py": ""}
FORK = COPY | {"/p/verl/protocol.py": ""}
PROJECT = {"/p/.git/HEAD": ""}
ALGOS = "/p/verl/trainer/ppo/core_algos.py"
BESIDE = "/p/verl/trainer/ppo/mine.py"


def _found(script: str, files: dict[str, str], release: str = RELEASE) -> list[str]:
    return _found_in("run/a.sh", script, files, release)


def _found_in(path: str, text: str, files: dict[str, str], release: str = RELEASE) -> list[str]:
    options = Options(release, files=MemoryFiles(files))
    return [f.rule for f in check_text(f"/p/{path}", text, options).findings]


@pytest.mark.parametrize("place", [ALGOS, BESIDE])
@pytest.mark.parametrize(
    "code",
    [
        "class AdvantageEstimator(str, Enum):\n    GAE = 'gae'\n    MINE = 'mine'\n",
        "@register_adv_est('mine')\ndef f(): ...\n",
        "@core.register_adv_est(name='mine')\ndef f(): ...\n",
        "ADV_REGISTRY['mine'] = f\n",
        "_REGISTRY[('mine', 'async')] = 'a.b'\n",
        "REGISTRY = {'gae': f, 'mine': g}\n",
        "EngineRegistry.register(['other', 'mine'])\n",
        "if config.adv_estimator == 'mine':\n    f()\n",
        "if config.adv_estimator in ('gae', 'mine'):\n    f()\n",
        "match name:\n    case 'mine':\n        f()\n",
        "valid = ['gae', 'mine']\n",
    ],
)
def test_a_word_that_the_copy_of_verl_takes(code: str, place: str) -> None:
    script = f"{START} algorithm.adv_estimator=mine\n"
    assert _found(script, COPY | {place: code}) == []
    # A slip of it is none, and elsewhere nobody has the word.
    assert _found(f"{START} algorithm.adv_estimator=mines\n", COPY | {place: code}) == [
        "invalid-choice"
    ]
    assert _found(script, COPY | {"/p/verl/utils/x.py": code.replace("egist", "ecord")}) == [
        "invalid-choice"
    ]


@pytest.mark.parametrize(
    "code",
    [
        "'''The mode \"mine\".'''\n",
        "# 'mine'\n",
        "print('mine')\n",
        "if name == 'mine':\n    raise NotImplementedError\n",
        "@register_adv_est('min'\n 'mine'\n",
    ],
)
def test_a_word_that_code_only_names(code: str) -> None:
    script = f"{START} algorithm.adv_estimator=mine\n"
    assert _found(script, COPY | {ALGOS: code}) == ["invalid-choice"]


@pytest.mark.parametrize(
    ("setting", "code", "rules"),
    [
        ("actor_rollout_ref.rollout.name=mine", "_ROLLOUT_REGISTRY[('mine', 'async')] = 'a'", []),
        ("actor_rollout_ref.rollout.name=mine", "RolloutReplicaRegistry.register('mine', f)", []),
        ("actor_rollout_ref.rollout.name=mine", "@register('mine')\nclass A: ...", []),
        # Nobody can add to these, and what is only compared, or another program's, adds nothing.
        ("actor_rollout_ref.actor.loss_agg_mode=mine", "register('mine')", ["invalid-choice"]),
        ("actor_rollout_ref.rollout.name=mine", "x = name == 'mine'", ["invalid-choice"]),
        ("actor_rollout_ref.rollout.name=mine", "MODES = ['mine']", ["invalid-choice"]),
        ("actor_rollout_ref.rollout.name=mines", "register('mine')", ["invalid-choice"]),
    ],
)
def test_a_word_that_the_project_registers(setting: str, code: str, rules: list[str]) -> None:
    script = f"{START} {setting}\n"
    assert _found(script, PROJECT | {"/p/plug/in.py": f"import verl\n{code}\n"}) == rules
    not_verl = PROJECT | {"/p/plug/in.py": f"import other\n{code}\n"}
    assert _found(script, not_verl) == ["invalid-choice"]


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("console file wandb mlflow swanlab tensorboard mine", []),
        ("console file wandb mlflow swanlab tensorboard", ["invalid-choice"]),
        ("console wandb mine", ["invalid-choice"]),
    ],
)
def test_a_word_beside_most_of_verls_own(words: str, rules: list[str]) -> None:
    code = f"class Tracking:\n    supported_backend = {words.split()}\n"
    script = f"{START} trainer.logger=[console,mine]\n"
    assert _found(script, PROJECT | {"/p/mine/tracking.py": code}) == rules


@pytest.mark.parametrize(
    "setting",
    [
        # The file has the word for another key.
        "algorithm.rollout_correction.rollout_rs=sequence",
        "algorithm.adv_estimator=gspo",
        "algorithm.rollout_correction.rollout_is=geometric",
        "algorithm.rollout_correction.rollout_rs=k3",
        # An earlier release took it: the script has to change on its way to this one.
        "actor_rollout_ref.rollout.name=hf",
        "reward.reward_manager.name=prime",
    ],
)
def test_a_word_of_verls_own_is_reported_in_a_copy(setting: str) -> None:
    word = setting.partition("=")[2]
    code = f"import verl\n@register('{word}')\ndef f(): ...\nif x == '{word}': f()\n"
    folders = ("trainer/ppo", "workers/rollout", "experimental/reward_loop/reward_manager")
    files = COPY | {ALGOS: code} | {f"/p/verl/{folder}/mine.py": code for folder in folders}
    assert "invalid-choice" in _found(f"{START} {setting}\n", files)


@pytest.mark.parametrize(
    "setting",
    ["reward_model.reward_manager=prime", "actor_rollout_ref.actor.fsdp_config.dtype=half"],
)
def test_what_a_key_without_effect_is_set_to_is_not_judged(setting: str) -> None:
    assert _found(f"{START} {setting}\n", PROJECT) == ["ineffective-key"]


OWN_TRAINER = """
def fit(self):
    if self.config.trainer.resume_mode == 'best':
        load()
"""


@pytest.mark.parametrize(
    ("code", "is_taken"),
    [
        (OWN_TRAINER, True),
        ("mode = config.trainer.resume_mode\nif mode == 'best':\n    load()\n", True),
        ("mode = cfg['trainer'].get('resume_mode')\nif mode in ('best', 'last'): load()\n", True),
        ("self.mode = c.trainer.resume_mode\nx = self.mode == 'best'\n", True),
        ("if trainer_config.resume_mode not in ('auto', 'best'):\n    raise ValueError\n", True),
        # Refused, of something else, or only set.
        ("if c.trainer.resume_mode == 'best':\n    raise ValueError\n", False),
        ("if resume_mode == 'best':\n    load()\n", False),
        ("if config.resume_mode == 'best':\n    load()\n", False),
        ("if c.saver.resume_mode == 'best':\n    load()\n", False),
        ("config.trainer.resume_mode = 'best'\n", False),
        ("if c.trainer.mode == 'best':\n    load('resume_mode')\n", False),
    ],
)
def test_a_word_that_a_trainer_of_the_project_compares(code: str, *, is_taken: bool) -> None:
    config = "trainer: {{resume_mode: {}, nnodes: 1}}\nactor_rollout_ref: {{rollout: {{n: 4}}}}\n"
    files = PROJECT | {"/p/mine/trainer.py": code}
    rules = [] if is_taken else ["invalid-choice"]
    assert _found_in("conf/a.yaml", config.format("best"), files) == rules
    assert _found_in("conf/a.yaml", config.format("bast"), files) == ["invalid-choice"]
    # verl's own program runs it only where it is a copy's.
    assert _found(f"{START} trainer.resume_mode=best\n", files) == ["invalid-choice"]
    assert _found(f"{START} trainer.resume_mode=best\n", COPY | files) == rules


def test_a_word_that_a_program_of_the_copy_takes() -> None:
    mine = "import hydra\n\n@hydra.main(config_path='../trainer/config', config_name='ppo_trainer')"
    files = COPY | {
        "/p/verl/mix/main_mix.py": f"{mine}\ndef main(config): ...\n",
        "/p/verl/mix/trainer.py": "if adv_estimator == 'mine':\n    f()\n",
        "/p/verl/trainer/config/ppo_trainer.yaml": "algorithm: {adv_estimator: gae}\n",
    }
    setting = "algorithm.adv_estimator"
    assert _found(f"python3 -m verl.mix.main_mix {setting}=mine\n", files, "0.2") == []
    for start in (f"python3 -m verl.mix.main_mix {setting}=mines", f"{START} {setting}=mine"):
        assert _found(f"{start}\n", files, "0.2") == ["invalid-choice"]


def test_a_word_that_verls_program_takes_in_the_copy() -> None:
    main = {"/p/verl/trainer/main_ppo.py": "if reward_manager_name == 'mine':\n    f()\n"}
    script = f"{START} reward_model.reward_manager="
    assert _found(f"{script}mine\n", COPY | main, "0.4.0") == []
    assert _found(f"{script}mines\n", COPY | main, "0.4.0") == ["invalid-choice"]
    assert _found(f"{script}mine\n", PROJECT | main, "0.4.0") == ["invalid-choice"]


def test_only_so_many_words_are_looked_for() -> None:
    names = " ".join(f"w{number}" for number in range(30))
    files = COPY | {ALGOS: f"words = {names.split()}\n"}
    script = "".join(f"{START} algorithm.adv_estimator={name}\n" for name in names.split())
    assert _found(script, files) == ["invalid-choice"] * 10


BATCHES = (
    f"{START} data.train_batch_size=16 actor_rollout_ref.actor.ppo_mini_batch_size=256 "
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 "
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4\n"
)
TRAINER, ACTOR = "/p/verl/trainer/ppo/ray_trainer.py", "/p/verl/workers/config/actor.py"
CRITIC = "/p/verl/workers/config/critic.py"
WHOLE = COPY | {TRAINER: "", ACTOR: "", CRITIC: ""}
CHECK = "assert config.data.train_batch_size >= config.actor_rollout_ref.actor.ppo_mini_batch_size"
RAISE = "if batch < self.ppo_mini_batch_size:\n    raise ValueError(train_batch_size)"


@pytest.mark.parametrize(
    ("release", "files", "is_refused"),
    [
        ("0.4.0", COPY | {TRAINER: CHECK}, True),
        ("0.4.0", COPY | {TRAINER: "def f(config):\n  if config.a:\n    " + CHECK}, True),
        ("0.4.0", COPY | {TRAINER: f"# {CHECK}\n"}, False),
        ("0.4.0", COPY | {TRAINER: "train_batch_size = ppo_mini_batch_size\n"}, False),
        ("0.4.0", COPY | {TRAINER: "assert train_batch_size\nassert ppo_mini_batch_size\n"}, False),
        ("0.4.0", COPY | {TRAINER: CHECK.replace("actor_rollout_ref.actor", "critic")}, False),
        ("0.4.0", COPY | {TRAINER: "def broken(:\n"}, True),
        ("0.9.1", WHOLE, False),
        ("0.9.1", WHOLE | {ACTOR: CHECK}, True),
        ("0.9.1", WHOLE | {CRITIC: RAISE}, False),
        ("0.9.1", WHOLE | {ACTOR: RAISE}, True),
        ("0.9.1", WHOLE | {CRITIC: f"try:\n  f()\nexcept E:\n  {CHECK}\n"}, True),
        # A copy of some files says nothing of the others.
        ("0.9.1", COPY | {TRAINER: ""}, True),
        ("0.9.1", PROJECT, True),
    ],
)
def test_a_check_that_the_copy_of_verl_has_dropped(
    release: str, files: dict[str, str], is_refused: bool
) -> None:
    expected = ["conflicting-settings"] if is_refused else []
    assert _found(BATCHES, files, release) == expected


MICRO = "self.config.ppo_micro_batch_size"
SHARE = "assert self.config.ppo_mini_batch_size % self.config.ppo_micro_batch_size_per_gpu == 0"
IN_WORKER = "class CriticWorker:\n  def f(self):\n"
CRITICS = (
    f"{START} algorithm.adv_estimator=gae trainer.n_gpus_per_node=1 data.train_batch_size=800 "
    "critic.ppo_mini_batch_size=256 critic.ppo_micro_batch_size_per_gpu=200\n"
)
WORKERS = "/p/verl/workers/fsdp_workers.py"


@pytest.mark.parametrize(
    ("code", "is_refused"),
    [
        (f"    {SHARE}", True),
        # A fork compares only what the old spelling had set.
        (f"    if {MICRO} is not None:\n      {SHARE}", False),
        (f"    if {MICRO} is None:\n      pass\n    else:\n      {SHARE}", False),
        (f"    if {MICRO}:\n      {SHARE}", False),
        (f"    if not {MICRO}:\n      {SHARE}", True),
        (f"    if {MICRO}_per_gpu is not None:\n      {SHARE}", True),
        (f"    if {MICRO}_per_gpu == 100:\n      {SHARE}", False),
        (f"    if {MICRO}_per_gpu != 100 and f():\n      {SHARE}", True),
        (f"    if {MICRO}_per_gpu in ('a', 'b'):\n      {SHARE}", False),
        (f"    if {MICRO}_per_gpu not in ('a', 'b'):\n      {SHARE}", True),
        (f"    if {MICRO}_per_gpu is not 100:\n      {SHARE}", True),
        (f"    if {MICRO}_per_gpu == 100 == f():\n      {SHARE}", True),  # more than one question
        (f"    if f() or {MICRO}:\n      {SHARE}", True),
        (f"    if f() and {MICRO}:\n      {SHARE}", False),
        (f"    if not (f() or {MICRO}_per_gpu):\n      {SHARE}", False),
        (f"    if self.config.critic.use_dynamic_bsz:\n      {SHARE}", False),
        (f"    if not self.config.get('use_dynamic_bsz', False):\n      {SHARE}", True),
        # It is another one's, nobody knows it, or it got its value just before.
        (f"    if self.options.ppo_micro_batch_size:\n      {SHARE}", True),
        (f"    if self.config.mine:\n      {SHARE}", True),
        (f"    {MICRO} = 4\n    if {MICRO}:\n      {SHARE}", True),
    ],
)
def test_a_check_that_the_copy_of_verl_makes_under_another_condition(
    code: str, *, is_refused: bool
) -> None:
    files = COPY | {TRAINER: "", WORKERS: IN_WORKER + code}
    found = _found(CRITICS, files, "0.3.0.post1")
    assert ("conflicting-settings" in found) == is_refused


GRAPHS = (
    f"{START} actor_rollout_ref.rollout.enforce_eager=False "
    "actor_rollout_ref.rollout.free_cache_engine=True\n"
)
ROLLOUT = "/p/verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py"
FREED = "assert config.enforce_eager or not config.free_cache_engine"


@pytest.mark.parametrize(
    ("files", "is_refused"),
    [
        (COPY | {TRAINER: "", ROLLOUT: FREED}, True),
        (COPY | {TRAINER: "", ROLLOUT: ""}, False),
        (COPY | {TRAINER: ""}, True),
    ],
)
def test_a_check_of_the_engine_that_the_copy_of_verl_has_dropped(
    files: dict[str, str], is_refused: bool
) -> None:
    found = _found(GRAPHS, files, "0.4.1")
    assert ("conflicting-settings" in found) == is_refused


MINE = "/p/verl/utils/dataset/rl_dataset.py"


@pytest.mark.parametrize("place", [MINE, "/p/agents/loop.py"])
@pytest.mark.parametrize(
    "code",
    [
        "def f(self, config):\n    self.x = config.get('mine', 1)\n",
        "def f(self):\n    return self.config.data.mine\n",
        "def f(data_config):\n    return data_config['mine']\n",
        "x = getattr(cfg, 'mine', None)\n",
        "x = config.data.get('inner', {}).get('a') or data.mine\n",
        "x = OmegaConf.select(config, 'mine') or config.mine\n",
    ],
)
def test_a_key_that_the_code_beside_a_copy_of_verl_reads(code: str, place: str) -> None:
    script = f"{START} +data.mine=1\n"
    assert _found(script, COPY | {place: code}) == []
    # Without a copy it is verl's own code that runs, and a slip of the name is read by nobody.
    assert _found(script, PROJECT | {place: code}) == ["dead-append"]
    assert _found(f"{START} +data.mines=1\n", COPY | {place: code}) == ["dead-append"]


@pytest.mark.parametrize(
    "code",
    [
        "mine = 1\nf(mine)\n",
        "'''config.mine'''\n# config.mine\n",
        "x = batch.mine\n",
        "x = {'mine': config}\n",
        "def broken(:\n    config.mine\n",
    ],
)
def test_a_key_that_code_only_names(code: str) -> None:
    assert _found(f"{START} +data.mine=1\n", COPY | {MINE: code}) == ["dead-append"]


def test_a_key_that_an_earlier_release_had_is_verls() -> None:
    files = COPY | {MINE: "x = config.actor.profile.get('use_profile') or config.gen_batch_size\n"}
    script = f"{START} +actor_rollout_ref.actor.profile.use_profile=True\n"
    assert _found(script, files) == ["dead-append"]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("class RolloutConfig(BaseConfig):\n    mine: bool = False\n", []),
        ("class OtherConfig(BaseConfig):\n    mine: bool = False\n", ["dead-append"]),
        ("class RolloutConfig(BaseConfig):\n    mines: bool = False\n", ["dead-append"]),
        ("x = config.rollout.mine\n", ["dead-append"]),
        # A class has the fields of those that it builds on.
        ("class A:\n    mine: int = 1\nclass B(A): ...\nclass RolloutConfig(m.B): ...\n", []),
        ("class A:\n    mine: int = 1\nclass RolloutConfig(B): ...\n", ["dead-append"]),
        (
            "class A:\n    mine: int = 1\nclass C(A): ...\nclass RolloutConfig(B): ...\n",
            ["dead-append"],
        ),
        (
            "class RolloutConfig(B): ...\nclass B(RolloutConfig): ...\nclass A:\n    mine: int\n",
            ["dead-append"],
        ),
    ],
)
def test_a_field_that_the_copy_gave_to_a_class(code: str, rules: list[str]) -> None:
    script = f"{START} +actor_rollout_ref.rollout.mine=True\n"
    place = "/p/verl/workers/config/rollout.py"
    assert _found(script, COPY | {place: code}) == rules
    assert _found(script, PROJECT | {place: code}) == ["dead-append"]


@pytest.mark.parametrize(
    ("copy", "rules"),
    [
        ({}, []),  # an older verl, where the mapping is no class yet
        (
            {"/p/verl/workers/config/actor.py": "class PolicyLossConfig:\n    a: int\n"},
            ["dead-append"],
        ),
    ],
)
def test_a_key_that_code_reads_where_no_class_refuses_it(
    copy: dict[str, str], rules: list[str]
) -> None:
    script = f"{START} +actor_rollout_ref.actor.policy_loss.mine=1\n"
    code = "x = self.config.get('policy_loss', {}).get('mine', 1)\n"
    assert _found(script, FORK | {"/p/verl/workers/dp_actor.py": code} | copy) == rules
    assert _found(script, FORK | copy) == ["dead-append"]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("for k, v in given['env_vars'].items():\n    given['env_vars'][k] = str(v)\n", []),
        ("env = given.get('env_vars', {})\n", ["wrong-type"]),
    ],
)
def test_a_variable_for_ray_that_the_project_makes_text_of(code: str, rules: list[str]) -> None:
    script = f"{START} +ray_kwargs.ray_init.runtime_env.env_vars.NCCL_DEBUG=1\n"
    assert _found(script, FORK | {"/p/verl/trainer/main_ppo.py": code}) == rules
    assert _found(script, PROJECT | {MINE: code}) == rules


def test_only_so_much_code_is_read_for_keys() -> None:
    code = "x = config.mine\n"
    script = f"{START} +data.mine=1\n"
    filler = {f"/p/verl/a{number}.py": f"# mine{number}".ljust(2_000_000) for number in (1, 2)}
    assert _found(script, COPY | filler | {"/p/verl/b.py": code}) == ["dead-append"]
    assert _found(script, COPY | filler | {"/p/verl/a.py": code}) == []


CONFIG = "reward_model: {model: {path: a}}\nactor_rollout_ref: {rollout: {n: 4}}\n"
MAIN = "@hydra.main(config_path='config', config_name='{}')\ndef main(config): ...\n"


@pytest.mark.parametrize(
    ("program", "rules"),
    [
        ({}, ["ineffective-key"]),
        ({"/p/mine/main.py": "import hydra\n" + MAIN.format("own")}, []),
        ({"/p/mine/main.py": "import hydra\n" + MAIN.format("own.yaml")}, []),
        # Another config, another place, no program of Hydra's.
        ({"/p/mine/main.py": "import hydra\n" + MAIN.format("owner")}, ["ineffective-key"]),
        ({"/p/main.py": "import hydra\n" + MAIN.format("own")}, ["ineffective-key"]),
        ({"/p/mine/main.py": MAIN.format("own")}, ["ineffective-key"]),
    ],
)
def test_the_config_of_a_program_of_the_project(program: dict[str, str], rules: list[str]) -> None:
    assert _found_in("mine/config/own.yaml", CONFIG, PROJECT | program) == rules


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ('raise ValueError("actor_rollout_ref.rollout.search_url is not set")\n', []),
        ('args = ["actor_rollout_ref.rollout.search_url=a"]\n', ["unknown-key"]),
        ('a = {"actor_rollout_ref.rollout.search_url": 1}\n', ["unknown-key"]),
        ('raise ValueError("my.actor_rollout_ref.rollout.search_url")\n', ["unknown-key"]),
        ("search_url = config.search\n", ["unknown-key"]),
    ],
)
def test_a_page_may_name_a_key_that_the_code_tells_of(code: str, rules: list[str]) -> None:
    page = "It goes to `actor_rollout_ref.rollout.search_url`.\n"
    assert _found_in("README.md", page, COPY | {"/p/verl/rollout.py": code}) == rules
    assert _found_in("README.md", page, PROJECT | {"/p/rollout.py": code}) == rules


@pytest.mark.parametrize(
    ("critic", "rules"),
    [
        ("{mode: base, model: {path: a}}", []),
        ("{mode: base}", ["misplaced-root"]),  # which may be a slip of `model`
        ("{model: {path: a}, ppo_epoch: 1}", ["unknown-key"]),
        ("{ppo_epochs: 1, ppo_epoch: 1}", []),
    ],
)
def test_no_key_is_a_slip_of_one_beside_it(critic: str, rules: list[str]) -> None:
    config = "hydra: {searchpath: [pkg://verl.trainer.config]}\ndefaults: [ppo_trainer, _self_]\n"
    config += f"critic: {critic}\n"
    assert _found_in("mine/config/own.yaml", config, PROJECT) == rules


@pytest.mark.parametrize(
    ("program", "rules"),
    [
        ("config = migrate_legacy_reward_impl(config)\n", []),
        ("from verl.reward_loop import migrate_legacy_reward_impl\n", ["ineffective-key"]),
        ("", ["ineffective-key"]),
    ],
)
def test_a_copy_may_carry_the_old_settings_for_rewards_over(program: str, rules: list[str]) -> None:
    copy = COPY | {"/p/verl/protocol.py": "", "/p/verl/trainer/main_ppo.py": program}
    assert _found(f"{START} reward_model.reward_manager=dapo\n", copy) == rules


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({"/p/src/trainer.py": 'key = config.data.get("reward_fn_key", "a")\n'}, []),
        ({"/p/src/trainer.py": 'key = config.data.get("other_key", "a")\n'}, ["ineffective-key"]),
        ({"/p/src/trainer.py": 'key = config.get("reward_fn_key", "a")\n'}, ["ineffective-key"]),
        # The code of a copy of verl is that of some other release.
        (
            COPY | {"/p/verl/protocol.py": "", "/p/verl/a.py": "key = config.data.reward_fn_key\n"},
            ["ineffective-key"],
        ),
    ],
)
def test_a_config_may_have_what_other_code_of_the_project_reads(
    files: dict[str, str], rules: list[str]
) -> None:
    config = "hydra: {searchpath: [pkg://verl.trainer.config]}\ndefaults: [ppo_trainer, _self_]\n"
    config += "data: {reward_fn_key: source}\n"
    assert _found_in("mine/config/own.yaml", config, PROJECT | files) == rules


def test_a_config_of_a_program_of_the_project_may_have_keys_of_its_own() -> None:
    config = "actor_rollout_ref: {teacher: {server_ip: a}, rollout: {n: 4, temprature: 1}}\n"
    main = {"/p/mine/main.py": "import hydra\n" + MAIN.format("own")}
    assert _found_in("mine/config/own.yaml", config, PROJECT) == ["unknown-key"] * 2
    # Slips of verl's keys are slips there, too.
    assert _found_in("mine/config/own.yaml", config, PROJECT | main) == ["unknown-key"]


def test_a_key_that_a_program_of_the_project_reads_before_verl_refuses_it() -> None:
    ppo = "actor_rollout_ref: {rollout: {_target_: verl.workers.config.RolloutConfig, n: 1}}\n"
    reads = "@hydra.main(config_path='config', config_name='own')\n"
    reads += "def main(c): c.actor_rollout_ref.rollout.get('own_cache')\n"
    files = COPY | {
        "/p/verl/trainer/config/ppo_trainer.yaml": ppo,
        "/p/mine/config/own.yaml": "defaults: [/ppo_trainer, _self_]\n"
        "hydra: {searchpath: ['pkg://verl.trainer.config']}\n",
        "/p/mine/main.py": "import hydra\n" + reads,
    }
    added = "+actor_rollout_ref.rollout.{}=1\n"
    own = "python3 -m mine.main"
    assert _found(f"{own} {added.format('own_cache')}", files) == []
    assert _found(f"{own} {added.format('own_cash')}", files) == ["dead-append"]
    assert _found(f"{START} {added.format('own_cache')}", files) == ["dead-append"]


READS = "def f(config): return config.actor_rollout_ref.rollout.get('own_cache')\n"
SHOWN = "```yaml\nactor_rollout_ref:\n  rollout:\n    {}: 1\n    n: 4\n```\n"


@pytest.mark.parametrize(
    ("key", "code", "rules"),
    [
        ("own_cache", READS, []),
        ("own_cash", READS, ["unknown-key"]),
        ("own_cache", READS.replace("rollout.", "actor."), ["unknown-key"]),
        ("own_cache", READS.replace("actor_rollout_ref.rollout.", ""), ["unknown-key"]),
    ],
)
def test_a_key_on_a_page_that_the_code_reads(key: str, code: str, rules: list[str]) -> None:
    page = SHOWN.format(key)
    assert _found_in("page.md", page, FORK | {"/p/recipe/x.py": code}) == rules
    assert _found_in("page.md", page, PROJECT | {"/p/recipe/x.py": code}) == ["unknown-key"]
    # No code sees what Hydra refuses.
    script = f"{START} actor_rollout_ref.rollout.{key}=1\n"
    assert _found(script, FORK | {"/p/recipe/x.py": code}) == ["unknown-key"]


def test_a_key_in_a_wrong_place_is_reported_though_the_code_reads_its_name() -> None:
    code = "def f(config): return config.actor_rollout_ref.rollout.n\n"
    page = "Set `actor_rollout.ref.rollout.n=4` of verl.\n"
    assert _found_in("page.md", page, FORK | {"/p/verl/x.py": code}) == ["misplaced-root"]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("f(**config.reward_model.get('reward_kwargs', {}))\n", []),
        ("f(**self.config.get('reward_kwargs', {}))\n", []),
        ("f(**config.reward_model.get('reward_args', {}))\n", ["dead-append"]),
        ("f(**config.critic.get('reward_kwargs', {}))\n", ["dead-append"]),
    ],
)
def test_a_mapping_that_the_copy_hands_on(code: str, rules: list[str]) -> None:
    script = f"{START} +reward_model.reward_kwargs.novelty=1\n"
    assert _found(script, FORK | {"/p/verl/x.py": code}, "0.3.0.post1") == rules
    assert _found(script, PROJECT | {"/p/x.py": code}, "0.3.0.post1") == ["dead-append"]


def test_what_lies_below_a_field_that_the_copy_gave_to_a_class() -> None:
    script = f"{START} +actor_rollout_ref.rollout.own_cache.size=1\n"
    code = "class {}:\n    own_cache: dict = None\n"
    files = COPY | {"/p/verl/workers/config/x.py": code.format("RolloutConfig")}
    assert _found(script, files) == []
    other = COPY | {"/p/verl/workers/config/x.py": code.format("ActorConfig")}
    assert _found(script, other) == ["dead-append"]
    assert _found(script.replace("own_cache.size", "own_cash.own_cache"), files) == ["dead-append"]


@pytest.mark.parametrize(
    ("version", "rules"), [("0.8.0.dev", []), ("0.7.0", ["removed-key"]), (None, ["removed-key"])]
)
def test_a_key_that_a_copy_about_as_old_as_the_release_keeps(
    version: str | None, rules: list[str]
) -> None:
    files = COPY | {YAML: "trainer: {use_legacy_worker_impl: auto}\n"}
    if version is not None:
        files["/p/verl/version/version"] = version
    page = "```yaml\ntrainer:\n  use_legacy_worker_impl: disable\n```\n"
    assert _found_in("page.md", page, files, "0.8.0") == rules


@pytest.mark.parametrize(
    ("version", "rules"), [("0.8.0.dev", []), ("0.7.0", ["unknown-file"]), (None, ["unknown-file"])]
)
def test_a_file_that_a_copy_about_as_old_as_the_release_has(
    version: str | None, rules: list[str]
) -> None:
    files = COPY | {"/p/verl/workers/fsdp_workers.py": ""}
    if version is not None:
        files["/p/verl/version/version"] = version
    page = "See verl/workers/fsdp_workers.py.\n"
    assert _found_in("page.md", page, files, "0.8.0") == rules
    gone = {path: text for path, text in files.items() if "workers" not in path}
    assert _found_in("page.md", page, gone, "0.8.0") == ["unknown-file"]


SCHEMA = """
class RolloutModel:
    tensor_parallel_size: int = 1
    max_prompt_length: int | None = None


class Config:
    rollout_model: RolloutModel = None
"""
NAMED = "Set `rollout_model.tensor_parallel_size` of the trainer, which is built on verl.\n"


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        (PROJECT, ["unknown-key"]),
        (PROJECT | {"/p/own/config.py": SCHEMA}, []),
        # No class has the one in the other, or the class is one of a copy of verl's.
        (PROJECT | {"/p/own/config.py": SCHEMA.replace("rollout_", "other_")}, ["unknown-key"]),
        (PROJECT | {"/p/own/config.py": SCHEMA.replace("tensor_", "pipe_")}, ["unknown-key"]),
        (PROJECT | {"/p/own/config.py": SCHEMA.replace(": RolloutM", ": M")}, ["unknown-key"]),
        (FORK | {"/p/own/config.py": SCHEMA}, ["unknown-key"]),
        # What connects verl with another trainer is no copy of it.
        (COPY | {"/p/own/config.py": SCHEMA}, []),
    ],
)
def test_a_key_that_a_class_of_the_project_declares(
    files: dict[str, str], rules: list[str]
) -> None:
    assert _found_in("docs/page.md", NAMED, files) == rules


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        (PROJECT, ["removed-key"]),
        (PROJECT | {"/p/own/config.py": "class T:\n    {}\nclass C:\n    trainer: T\n"}, []),
        (
            FORK | {"/p/own/config.py": "class T:\n    {}\nclass C:\n    trainer: T\n"},
            ["removed-key"],
        ),
    ],
)
def test_a_key_that_is_gone_and_a_class_of_the_project_declares(
    files: dict[str, str], rules: list[str]
) -> None:
    field = "remove_previous_ckpt_in_save: bool = False"
    files = {path: text.replace("{}", field) for path, text in files.items()}
    page = "verl's part: `trainer.remove_previous_ckpt_in_save` and `trainer.nnodes`.\n"
    assert _found_in("docs/page.md", page, files) == rules


def test_a_field_with_a_longer_name_takes_no_room() -> None:
    longer = SCHEMA.replace("tensor_", "my_tensor_").replace("rollout_model:", "my_rollout_model:")
    filler = {f"/p/a{number}.py": f"{longer}# {number}".ljust(2_000_000) for number in (1, 2)}
    files = PROJECT | filler | {"/p/own/config.py": SCHEMA}
    assert _found_in("docs/page.md", NAMED, files) == []


def test_a_default_that_a_class_of_the_project_has() -> None:
    page = "| verl option | Default |\n| --- | --- |\n| `max_prompt_length` | {} |\n"
    files = PROJECT | {"/p/own/config.py": SCHEMA}
    assert _found_in("page.md", page.format("`None`"), PROJECT) == ["stale-default"]
    assert _found_in("page.md", page.format("`None`"), files) == []
    assert _found_in("page.md", page.format("`64`"), files) == ["stale-default"]
    # The classes of a copy of verl have other defaults than its configs.
    fork = FORK | {"/p/own/config.py": SCHEMA}
    assert _found_in("page.md", page.format("`None`"), fork) == ["stale-default"]
    # A dash says nothing.
    assert _found_in("page.md", page.format("-"), PROJECT) == []


@pytest.mark.parametrize(
    ("page", "code", "rules"),
    [
        ("`use_rollout_logprobs` is not one of verl.\n", "", ["unknown-key"]),
        (
            "`use_rollout_logprobs` is not one of verl.\n",
            "p.add_argument('--use-rollout-logprobs')\n",
            [],
        ),
        (
            "`use_rollout_logprobs` is not one of verl.\n",
            "run(use_rollout_logprobs=1)\n",
            ["unknown-key"],
        ),
        ("`--use-rollout-logprobs` sets `use_rollout_logprobs`, unlike verl.\n", "", []),
        ("`--use-rollout-logprobs-2` and `use_rollout_logprobs` of verl.\n", "", ["unknown-key"]),
    ],
)
def test_a_single_word_that_is_a_name_of_the_project(
    page: str, code: str, rules: list[str]
) -> None:
    assert _found_in("page.md", page, PROJECT | {"/p/own/args.py": code}) == rules
    copy = [] if "sets" in page else ["unknown-key"]
    assert _found_in("page.md", page, FORK | {"/p/own/args.py": code}) == copy


DECLARED = "class RolloutConfig:\n    temperature: {} = 1\n"
GIVEN = "actor_rollout_ref: {{rollout: {{temperature: {}}}}}\n"
CLASSES, YAML = "/p/verl/workers/config/rollout.py", "/p/verl/trainer/config/ppo_trainer.yaml"


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({}, ["wrong-type"]),
        ({CLASSES: DECLARED.format("str")}, []),
        ({CLASSES: DECLARED.format("Optional[str | float]")}, []),
        ({CLASSES: DECLARED.format("Any")}, []),
        ({CLASSES: DECLARED.format("float")}, ["wrong-type"]),
        ({CLASSES: DECLARED.format("str").replace("Rollout", "Other")}, ["wrong-type"]),
        ({CLASSES: DECLARED.format("str").replace("temp", "t")}, ["wrong-type"]),
        ({YAML: GIVEN.format("0.5_2.0b")}, []),
        ({YAML: GIVEN.format("1.0")}, ["wrong-type"]),
        ({YAML: GIVEN.format("null")}, ["wrong-type"]),
    ],
)
def test_a_kind_that_the_copy_takes(files: dict[str, str], rules: list[str]) -> None:
    script = f"{START} actor_rollout_ref.rollout.temperature=0.5_2.0\n"
    assert _found(script, COPY | files) == rules
    # Without a copy the same classes are somebody else's.
    others = {path.replace("/verl/", "/velr/"): text for path, text in files.items()}
    assert _found(script, PROJECT | others) == ["wrong-type"]


@pytest.mark.parametrize(
    ("version", "rules"), [("0.5.0.dev", ["wrong-type"]), ("0.6.1", []), (None, ["wrong-type"])]
)
def test_a_kind_that_an_earlier_release_took_is_verls(
    version: str | None, rules: list[str]
) -> None:
    # Up to 0.5 any number, then a whole one.
    files = COPY | {YAML: "actor_rollout_ref: {rollout: {max_num_seqs: 2.5}}\n"}
    if version is not None:
        files["/p/verl/version/version"] = version
    script = f"{START} actor_rollout_ref.rollout.max_num_seqs=1.5\n"
    assert _found(script, files, "0.6.1") == rules


def test_the_code_of_the_copy_is_read_first_in_a_large_project() -> None:
    many = {f"/p/a{number}/x.py": "" for number in range(250)}
    words = COPY | many | {ALGOS: "@register_adv_est('mine')\ndef f(): ...\n"}
    assert _found(f"{START} algorithm.adv_estimator=mine\n", words) == []
    field = COPY | many | {CLASSES: "class RolloutConfig:\n    mine: bool = False\n"}
    assert _found(f"{START} +actor_rollout_ref.rollout.mine=True\n", field) == []


def test_the_code_beside_a_document_is_read_first_in_a_large_project() -> None:
    many = {f"/p/a{number}/x.py": "" for number in range(250)}
    beside = (
        COPY | many | {"/p/run/inner/x.py": "if config.algorithm.adv_estimator == 'mine': ...\n"}
    )
    assert _found(f"{START} algorithm.adv_estimator=mine\n", beside) == []


def _stated(default: str, files: dict[str, str]) -> list[str]:
    key = "actor_rollout_ref.rollout.gpu_memory_utilization"
    page = f"`python3 -m verl.trainer.main_ppo` starts it. `{key}` (default: {default})\n"
    return _found_in("a.md", page, files)


def test_a_default_that_the_copy_gives() -> None:
    given = "actor_rollout_ref: {rollout: {gpu_memory_utilization: 0.7}}\n"
    assert _stated("0.7", COPY) == ["stale-default"]
    assert _stated("0.7", COPY | {YAML: given}) == []
    assert _stated("0.6", COPY | {YAML: given}) == ["stale-default"]
    assert _stated("0.7", PROJECT | {"/p/config/ppo_trainer.yaml": given}) == ["stale-default"]


@pytest.mark.parametrize(
    ("path", "code", "rules"),
    [
        ("mine/loop.py", "n = self.config.rollout.multi_turn.num_repeat_rollouts\n", []),
        ("mine/deep/loop.py", "n = multi_turn['num_repeat_rollouts']\n", []),
        ("mine/loop.py", "n = other.num_repeat_rollouts\n", ["ineffective-key"]),
        # What stands in a copy of verl, or far off, does not run with the script.
        ("mine/verl/loop.py", "n = c.multi_turn.num_repeat_rollouts\n", ["ineffective-key"]),
        ("other/loop.py", "n = c.multi_turn.num_repeat_rollouts\n", ["ineffective-key"]),
    ],
)
def test_a_key_that_only_code_beside_the_script_reads(
    path: str, code: str, rules: list[str]
) -> None:
    setting = "actor_rollout_ref.rollout.multi_turn.num_repeat_rollouts=3"
    script = f"{START} actor_rollout_ref.rollout.agent.agent_loop_config_path=a.yaml {setting}\n"
    files = PROJECT | {f"/p/{path}": code}
    assert _found_in("mine/run.sh", script, files) == rules
    # Nothing brings the code to a command that does not name it.
    assert _found_in("mine/run.sh", f"{START} {setting}\n", files) == ["ineffective-key"]


@pytest.mark.parametrize(
    ("release", "rules"),
    # From 0.6 on the rollout's class refuses what it does not know.
    [("0.3.0.post1", ["needs-plus"]), ("0.9.1", ["unknown-key"])],
)
def test_a_key_of_a_command_that_the_code_sees_with_a_plus(release: str, rules: list[str]) -> None:
    files = FORK | {"/p/recipe/x.py": READS, "/p/verl/version/version": release}
    options = Options(release, files=MemoryFiles(files))
    for key, expected in (("own_cache", rules), ("own_cash", ["unknown-key"])):
        script = f"{START} actor_rollout_ref.rollout.{key}=1\n"
        assert [f.rule for f in check_text("/p/run.sh", script, options).findings] == expected


HELPER = "def own(name, default=None):\n    return {}.get(name, default)\n"


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        (HELPER.format("config") + "q = own('mine_q', 1)\n", []),
        ("def own(n, d):\n  return getattr(config, n, d)\nq = own('mine_q', 1)\n", []),
        # Another name, no config, another argument, another function.
        (HELPER.format("config") + "q = own('mine_qs')\n", ["dead-append"]),
        (HELPER.format("batch") + "q = own('mine_q')\n", ["dead-append"]),
        (HELPER.format("config") + "q = own(k, 'mine_q')\n", ["dead-append"]),
        (HELPER.format("config") + "q = owns('mine_q')\n", ["dead-append"]),
        ("def own(n):\n  return config.get(m)\nq = own('mine_q')\n", ["dead-append"]),
    ],
)
def test_a_key_that_a_function_of_the_copy_takes_out_of_a_config(
    code: str, rules: list[str]
) -> None:
    files = FORK | {"/p/verl/trainer/ppo/core_algos.py": code}
    assert _found(f"{START} +algorithm.mine_q=1\n", files) == rules


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("if self.config.algorithm.filter_groups.enable:\n    pass\n", []),
        ("if self.config.algorithm.filter_groups.get('enable'):\n    pass\n", []),
        ("if self.config.reward_model.enable:\n    pass\n", ["conflicting-settings"]),
    ],
)
def test_a_switch_that_the_trainer_of_the_copy_reads(code: str, rules: list[str]) -> None:
    files = FORK | {"/p/verl/version/version": "0.4.1", "/p/verl/trainer/ppo/ray_trainer.py": code}
    assert _told_of_filtering(files) == rules


@pytest.mark.parametrize(
    ("imported", "rules"),
    [
        ("from mine.loop import Loop", []),
        ("if True:\n    import mine.loop as loop", []),
        ("from theirs.loop import Loop", ["conflicting-settings"]),
    ],
)
def test_a_switch_that_what_the_trainer_of_the_copy_imports_reads(
    imported: str, rules: list[str]
) -> None:
    files = FORK | {
        "/p/verl/version/version": "0.4.1",
        "/p/verl/trainer/ppo/ray_trainer.py": f"def f():\n    pass\n{imported}\n",
        "/p/mine/loop.py": "if self.config.algorithm.filter_groups.enable:\n    pass\n",
        "/p/theirs/loop.py": "",
    }
    assert _told_of_filtering(files) == rules


def _told_of_filtering(files: Mapping[str, str]) -> list[str]:
    """The rules by which a command in a project with a copy of 0.4.1 is told it filters nothing."""
    given = "+algorithm.filter_groups.enable=True algorithm.adv_estimator=grpo"
    whole = "data.train_files=a.parquet data.val_files=a.parquet actor_rollout_ref.model.path=m"
    script = f"{START} {whole} {given} actor_rollout_ref.rollout.n=8\n"
    options = Options("0.4.1", files=MemoryFiles(files))
    found = check_text("/p/run.sh", script, options).findings
    return [one.rule for one in found if "filters nothing" in one.message]


OWN_KEY = "algorithm: {adv_estimator: grpo, mine_q: 1}\nactor_rollout_ref: {rollout: {n: 4}}\n"


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("q = _config_get(config, 'mine_q', 1)\n", []),
        ("q = cfg_get_nested(config, ('algorithm', 'mine_q'))\n", []),
        ("q = OmegaConf.select(config, 'algorithm.mine_q')\n", []),
        ("q = config.algorithm.get('mine_q')\n", []),
        # No name that is taken out, or not out of a config.
        ("q = _config_set(config, 'mine_q', 1)\n", ["unknown-key"]),
        ("q = _config_get(batch, 'mine_q')\n", ["unknown-key"]),
        ("q = _config_get(config, 'mine_qs')\n", ["unknown-key"]),
        ("q = _config_get(config, ('algorithm', name, 'mine_q'))\n", ["unknown-key"]),
    ],
)
def test_a_key_that_code_of_a_project_takes_out_of_a_config(code: str, rules: list[str]) -> None:
    files = PROJECT | {"/p/own/advantages.py": code}
    assert _found_in("configs/a.yaml", OWN_KEY, files) == rules
    # A fork's code is verl's, which reads many names, and a command's keys go to Hydra first.
    assert _found_in("configs/a.yaml", OWN_KEY, FORK | {"/p/own/a.py": "q = c.mine_q"}) == [
        "unknown-key"
    ]
    # Where the code reads it, a plus is all that the command lacks.
    said = ["unknown-key"] if rules else ["needs-plus"]
    assert _found(f"{START} algorithm.mine_q=1\n", files) == said


def test_a_name_of_verls_in_a_wrong_place_is_reported_though_code_takes_it_out() -> None:
    files = PROJECT | {"/p/own/a.py": "t = config.get('temperature')\n"}
    config = "algorithm: {temperature: 1}\nactor_rollout_ref: {rollout: {n: 4}}\n"
    assert _found_in("configs/a.yaml", config, files) == ["misplaced-root"]


WHOLE = (
    "data: {seed: 1}\nalgorithm: {gamma: 1}\nactor_rollout_ref: {rollout: {n: 4}}\n"
    "trainer: {nnodes: 1, controller_nsight_options: {trace: cuda}, profile_steps: [1]}\n"
)


@pytest.mark.parametrize(
    ("code", "keys"),
    [
        ("", ["controller_nsight_options.trace", "profile_steps"]),
        ("x = self.config.trainer.profile_steps\n", ["controller_nsight_options.trace"]),
        (
            "x = OmegaConf.select(config.trainer, 'profile_steps')\n",
            ["controller_nsight_options.trace"],
        ),
        ("x = to_container(config.trainer.controller_nsight_options)\n", ["profile_steps"]),
        ("x = config.profile_steps\n", ["controller_nsight_options.trace", "profile_steps"]),
    ],
)
def test_a_key_that_is_gone_and_a_project_reads_out_of_its_own_config(
    code: str, keys: list[str]
) -> None:
    options = Options(RELEASE, files=MemoryFiles(PROJECT | {"/p/own/a.py": code}))
    found = check_text("/p/configs/a.yaml", WHOLE, options).findings
    assert [f.key for f in found] == [f"trainer.{key}" for key in keys]
    # Hydra reads the file itself, and refuses nothing in it.
    assert {f.stage for f in found} <= {Stage.SILENT}
    part = "actor_rollout_ref: {rollout: {n: 4}}\ntrainer: {profile_steps: [1]}\n"
    found = check_text("/p/configs/a.yaml", part, options).findings
    assert [f.stage for f in found if f.key == "trainer.profile_steps"] == [Stage.HYDRA]


OTHERS = """\
model: {name: a, train_mlp: true, lora_rank: 1}
optim: {lr: 1, lr_scheduler: b}
data: {train_files: a, max_length: 2, micro_batch_size_per_gpu: 1}
trainer: {total_epochs: 1, project_name: a}
"""


@pytest.mark.parametrize(
    ("code", "keys"),
    [
        ("", ["model.name", "model.train_mlp", "optim.lr_scheduler"]),
        ("x = self.config.model.name\n", ["model.train_mlp", "optim.lr_scheduler"]),
        ("x = select(config, 'model.train_mlp')\n", ["model.name", "optim.lr_scheduler"]),
        ("x = config.optim.get('lr_scheduler')\n", ["model.name", "model.train_mlp"]),
        ("x = config.other.name\n", ["model.name", "model.train_mlp", "optim.lr_scheduler"]),
    ],
)
def test_a_config_of_another_trainer_that_the_project_has(code: str, keys: list[str]) -> None:
    options = Options(RELEASE, files=MemoryFiles(PROJECT | {"/p/own/a.py": code}))
    found = check_text("/p/configs/a.yaml", OTHERS, options).findings
    assert [finding.key for finding in found] == keys


@pytest.mark.parametrize(
    ("place", "code", "rules"),
    [
        ("/p/recipe/a/main.py", "x = config.trainer.profile_steps\n", []),
        # Another program's code, and a key deeper down, whose last two names say too little.
        ("/p/recipe/b/main.py", "x = config.trainer.profile_steps\n", ["removed-key"]),
        ("/p/recipe/a/main.py", "x = config.critic.trainer.profile_steps\n", []),
    ],
)
def test_only_code_around_a_config_keeps_what_is_gone(
    place: str, code: str, rules: list[str]
) -> None:
    whole = f"{WHOLE.partition('trainer')[0]}trainer: {{nnodes: 1, profile_steps: [1]}}\n"
    files = PROJECT | {place: code}
    assert _found_in("recipe/a/config/c.yaml", whole, files) == rules
    deep = f"{whole}critic: {{model: {{fsdp_config: {{param_offload: true}}}}}}\n"
    code += "y = config.model.fsdp_config\nz = fsdp_config.param_offload\n"
    found = _found_in("recipe/a/config/c.yaml", deep, PROJECT | {place: code})
    assert found == [*rules, "removed-key"]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("@dataclass\nclass Config:\n    ulysses_degree: int = 1\n", []),
        ("degree = cfg.ulysses_degree\n", ["unknown-key"]),  # perhaps of another library
        ("model.shard(ulysses_degree=5)\n", ["unknown-key"]),
        ("ulysses_degree = 5  # c.ulysses_degree\n", ["unknown-key"]),
        ("degree = cfg.ulysses_degrees\n", ["unknown-key"]),
    ],
)
def test_a_name_in_running_text_that_the_projects_own_code_has(code: str, rules: list[str]) -> None:
    page = "verl: `ulysses_degree` splits a sequence.\n"
    assert _found_in("README.md", page, PROJECT | {"/p/mine/config.py": code}) == rules
    # verl's own code has such names for other things.
    assert _found_in("README.md", page, FORK | {"/p/verl/a.py": code}) == ["unknown-key"]
    # So does a config that is not like verl's.
    config = {"/p/conf/own.yaml": "rollout:\n  ulysses_degree: 5\n"}
    assert _found_in("README.md", page, PROJECT | config) == []
    config["/p/conf/own.yaml"] += "actor_rollout_ref: {}\n"
    assert _found_in("README.md", page, PROJECT | config) == ["unknown-key"]
    # A slip of one of verl's keys stays one where it is set.
    script = f"{START} actor_rollout_ref.rollout.ulysses_degree=5\n"
    assert _found(script, PROJECT | {"/p/mine/config.py": code}) == ["unknown-key"]


VARIABLE_PAGE = "verl: `ulysses_degree` is the number of GPUs of a sequence, see `run.sh`.\n"


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({"/p/README.md": "```bash\nulysses_degree=${TP:-1}\n```\n"}, []),
        ({"/p/README.md": "See `run.sh`.", "/p/run.sh": "  export ulysses_degree=1\n"}, []),
        ({"/p/README.md": "See `run.sh`.", "/p/run.sh": "ulysses_degrees=1\n"}, ["unknown-key"]),
        ({"/p/README.md": "", "/p/run.sh": "ulysses_degree=1\n"}, ["unknown-key"]),
        # Of a call in Python, and an argument of a command.
        ({"/p/README.md": "```python\nf(\n  ulysses_degree=1,\n)\n```\n"}, ["unknown-key"]),
        ({"/p/README.md": "```bash\nf a=1 \\\n  ulysses_degree=1 \\\n```\n"}, ["unknown-key"]),
    ],
)
def test_a_name_in_running_text_that_a_script_on_the_page_sets(
    files: dict[str, str], rules: list[str]
) -> None:
    assert _found_in("README.md", VARIABLE_PAGE, PROJECT | files) == rules
    assert _found_in("README.md", VARIABLE_PAGE, FORK | files) == rules


def test_a_key_in_a_mapping_of_the_projects_own_is_no_slip() -> None:
    config = "actor_rollout_ref: {{rollout: {{{}: {{ulysses_degree: 4, dtype: a}}, n: 4}}}}\n"
    config += "data: {{train_files: a}}\nalgorithm: {{gamma: 1}}\ntrainer: {{nnodes: 1}}\n"
    assert _found_in("conf/own.yaml", config.format("patient_vllm"), PROJECT) == []
    # A slip of one of verl's mappings is one, and so is what lies in verl's own.
    assert "unknown-key" in _found_in("conf/own.yaml", config.format("multi_turns"), PROJECT)
    assert "unknown-key" in _found_in("conf/own.yaml", config.format("val_kwargs"), PROJECT)


@pytest.mark.parametrize(
    ("config", "rules"),
    [
        ("model: {gradient_checkpointing: true}\n", []),
        ("model: {path: a}\n", ["unknown-key"]),
        ("model: {gradient_checkpointing: true}\nactor_rollout_ref: {a: 1}\n", ["unknown-key"]),
        ("model: [gradient_checkpointing\n", ["unknown-key"]),
    ],
)
def test_a_key_on_a_page_that_a_config_beside_it_has(config: str, rules: list[str]) -> None:
    page = "verl:\n\n```yaml\nmodel:\n  gradient_checkpointing: true\n```\n"
    files = PROJECT | {"/p/dpo/config.yaml": config}
    assert _found_in("dpo/README.md", page, files) == rules
    assert _found_in("README.md", page, files) == ["unknown-key"]


@pytest.mark.parametrize(
    ("program", "rules"),
    [
        ("", ["removed-key"]),
        ("@hydra.main('pkg://own.config', 'sft')\ndef main(config): ...\n", []),
        ("@hydra.main('pkg://own.config', 'rl')\ndef main(config): ...\n", ["removed-key"]),
        ("@hydra.main('pkg://other.config', 'sft')\ndef main(config): ...\n", ["removed-key"]),
        (
            "import verl\n@hydra.main('pkg://own.config', 'sft')\ndef main(config): ...\n",
            ["removed-key"],
        ),
    ],
)
def test_a_config_that_a_program_without_verl_starts_from(program: str, rules: list[str]) -> None:
    config = "model: {lora_rank: 1}\noptim: {lr: 1, warmup_steps_ratio: 0.1}\n"
    config += "data: {train_files: a, max_length: 2}\ntrainer: {total_epochs: 1}\n"
    program = program and f"import hydra\n{program}"
    files = PROJECT | {"/p/examples/train.py": program}
    assert _found_in("own/config/sft.yaml", config, files) == rules
    assert _found_in("own/config/sft.yaml", f"defaults: [sft_trainer]\n{config}", files) != []


def test_a_composed_config_that_was_printed_is_no_setting() -> None:
    config = "trainer: {nnode: 1}\nactor_rollout_ref: {rollout: {n: 1}}\n"
    assert _found_in("own/config/mine.yaml", config, PROJECT) == ["unknown-key"]
    assert _found_in("own/config/_generated_mine.yaml", config, PROJECT) == []
    for run in ("run-20260611_1-a", "offline-run-20260611_1-a"):
        assert _found_in(f"wandb/{run}/files/config.yaml", config, PROJECT) == []


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("rewards/math.py", ["unknown-file"]),
        ("./rewards/math.py", ["unknown-file"]),
        ("rewards/code.py", []),
        # Nobody knows the folder, or where it is.
        ("other/math.py", []),
        ("math.py", []),
        ("/data/rewards/math.py", []),
        ("/p/rewards/math.py", []),
        ("$ROOT/rewards/math.py", []),
        ("rewards/$KIND.py", []),
        ("../rewards/math.py", []),
        # The command may start in a folder deeper down, and a model is no file of a project.
        ("rewards/deep.py", []),
        ("rewards/math", []),
    ],
)
def test_a_file_that_a_script_hands_to_verl(path: str, rules: list[str]) -> None:
    files = PROJECT | {"/p/rewards/code.py": "", "/p/inner/rewards/deep.py": ""}
    script = f"{START} custom_reward_function.path={path}\n"
    assert _found_in("scripts/run.sh", script, files, "0.7.0") == rules
    made = f"cp /data/math.py rewards/math.py\n{script}"
    assert _found_in("scripts/run.sh", made, files, "0.7.0") == []
    page = f"```bash\n{script}```\n"
    assert _found_in("README.md", page, files, "0.7.0") == []
    perhaps = f'[ -n "$X" ] && A+=(custom_reward_function.path={path})\n{START} "${{A[@]}}"\n'
    assert _found_in("scripts/run.sh", perhaps, files, "0.7.0") == []


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({}, ["removed-key", "stale-default"]),
        ({"/p/run.sh": "vvla-train data.batch_size=1\n"}, []),
        ({"/p/run.sh": f"{START} data.batch_size=1\n"}, ["removed-key", "stale-default"]),
        ({"/p/run.sh": "vvla-train data.batch=1\n"}, ["removed-key", "stale-default"]),
        ({"/p/own/act.yaml": "defaults: [/sft]\ndata: {batch_size: 1}\n"}, []),
        ({"/p/own/act.yaml": "data: {batches: 1}\n"}, ["removed-key", "stale-default"]),
    ],
)
def test_a_key_that_a_file_has_which_the_page_names(
    files: dict[str, str], rules: list[str]
) -> None:
    page = "verl: `bash run.sh` takes `own/act.yaml`.\n\n| Setting | Default |\n| --- | --- |\n"
    page += "| `data.batch_size` | `32` |\n| `trainer.save_freq` | `500` |\n"
    files = files | {"/p/README.md": page}
    assert _found_in("README.md", page, PROJECT | files, "0.7.1") == rules
    both = ["removed-key", "stale-default"]
    assert _found_in("README.md", page, FORK | files, "0.7.1") == both


@pytest.mark.parametrize(
    ("classes", "rules"),
    [
        ("class ActorConfig:\n    lr: int\n", ["dead-append"]),
        ("class ActorConfig:\n    mine: int\n", []),
        (
            "class ActorConfig:\n    lr: int\nclass FSDPActorConfig(ActorConfig):\n    mine: int\n",
            [],
        ),
        ("class ActorConfig:\n    lr: int\nclass Other:\n    mine: int\n", ["dead-append"]),
    ],
)
def test_a_field_of_a_class_that_builds_on_verls(classes: str, rules: list[str]) -> None:
    files = FORK | {"/p/verl/workers/config/actor.py": classes}
    script = "bash train.sh '+actor_rollout_ref.actor.mine=1'\n"
    assert _found(script, files, "0.7.0") == rules


def test_a_recipe_in_a_fork_that_reads_what_verl_had() -> None:
    whole = f"{WHOLE.partition('trainer')[0]}trainer: {{nnodes: 1, profile_steps: [1]}}\n"
    code = "x = config.trainer.profile_steps\n"
    beside, within = {"/p/recipe/a/main.py": code}, {"/p/verl/trainer/main.py": code}
    assert _found_in("recipe/a/config/c.yaml", whole, FORK | beside) == []
    assert _found_in("recipe/a/config/c.yaml", whole, FORK | within) == ["removed-key"]


@pytest.mark.parametrize(
    ("config", "rules"),
    [
        ("trainer: {project_name: easy_r1}\n", []),
        ("trainer: {project_name: other}\n", ["stale-default"]),
        ("project_name: easy_r1\n", ["stale-default"]),
    ],
)
def test_a_default_that_a_config_gives_which_the_page_names(config: str, rules: list[str]) -> None:
    page = "verl: `trainer.project_name` defaults to `easy_r1` in `examples/config.yaml`.\n"
    files = PROJECT | {"/p/README.md": page, "/p/examples/config.yaml": config}
    assert _found_in("README.md", page, files) == rules


@pytest.mark.parametrize(
    "named", ["/s/config.yaml", "https://github.com/s/config.yaml", "`../s/config.yaml`"]
)
def test_nothing_is_read_outside_of_the_project(named: str) -> None:
    page = f"verl: `trainer.project_name` defaults to `easy_r1` in {named}.\n"
    config = "trainer: {project_name: easy_r1}\n"
    elsewhere = {"/s/config.yaml": config, "/github.com/s/config.yaml": config}
    files = PROJECT | elsewhere | {"/p/README.md": page}
    assert _found_in("README.md", page, files) == ["stale-default"]


@pytest.mark.parametrize(
    ("code", "is_own"),
    [
        ("def f(*, reward_mode: str = 'a'): ...\n", True),
        ("class A:\n    def __init__(self, reward_mode): ...\n", True),
        ("reward_mode = 'a'\n", False),
    ],
)
def test_a_name_that_a_function_of_the_project_takes(code: str, *, is_own: bool) -> None:
    page = (
        'verl takes `actor_rollout_ref.rollout.n=2`. Scoring with `reward_mode="b"` is refused.\n'
    )
    files = PROJECT | {"/p/mine/loop.py": code}
    assert _found_in("AGENTS.md", page, files) == ([] if is_own else ["unknown-key"])
    # A copy of verl has a parameter of nearly each name.
    copy = FORK | {"/p/verl/loop.py": code}
    assert _found_in("AGENTS.md", page, copy) == ["unknown-key"]


def test_a_part_of_the_config_that_verls_worker_is_handed() -> None:
    page = "```python\nself.config.{}.load_format = 'dummy_hf'\nconfig.trainer.nnode = 1\n```\n"
    assert _found_in("a.md", page.format("rollout"), PROJECT) == ["unknown-key"]
    assert _found_in("a.md", page.format("trainer.rollout"), PROJECT) != ["unknown-key"]


OWN_TRAINER = {
    "/p/mine/arguments.py": "class Arguments:\n    actor_rollout_ref: Actor = None\n",
    "/p/mine/main.py": "import torch\n",
}


def test_a_project_with_a_trainer_of_its_own() -> None:
    page = (
        "```bash\npython3 -m mine.main actor_rollout_ref.actor.mine=1\n```\n\n"
        "Beside verl, set `actor_rollout_ref.actor.use_kl_los`; the default of "
        "`actor_rollout_ref.rollout.n` is 8.\n\n"
        "```yaml\nactor_rollout_ref:\n  actor:\n    clip_rati: 1\n```\n"
    )
    assert _found_in("docs/a.md", page, PROJECT | OWN_TRAINER) == []
    assert _found(f"{START} trainer.nnode=1\n", PROJECT | OWN_TRAINER) == ["unknown-key"]
    # What imports verl builds on it, whatever its classes are called.
    builds = OWN_TRAINER | {"/p/mine/main.py": "from verl import DataProto\n"}
    assert "unknown-key" in _found_in("docs/a.md", page, PROJECT | builds)


@pytest.mark.parametrize(
    "code",
    [
        "MINE = 'mine'\n\n@register_policy_loss(MINE)\ndef f(): ...\n",
        "MINE = 'mine'\nif loss_mode == MINE:\n    f()\n",
    ],
)
def test_a_word_that_has_the_name_of_a_constant(code: str) -> None:
    script = f"{START} actor_rollout_ref.actor.policy_loss.loss_mode="
    files = COPY | {ALGOS: code}
    assert _found(f"{script}mine\n", files) == []
    assert _found(f"{script}mines\n", files) == ["invalid-choice"]


def test_a_field_of_the_class_that_a_mapping_is_built_into() -> None:
    config = (
        "actor_rollout_ref:\n  rollout:\n    agent:\n      _target_: mine.config.Flow\n"
        "      {}: 1\n      default_agent_loop: a\n"
    )
    files = PROJECT | {"/p/mine/config.py": "class Flow:\n    default_agent_flow: str = ''\n"}
    assert _found_in("conf/a.yaml", config.format("default_agent_flow"), files) == []
    assert _found_in("conf/a.yaml", config.format("default_agent_flows"), files) == ["unknown-key"]
    config += "  actor:\n    default_agent_flow: 1\n"  # which is built into no such class
    assert _found_in("conf/a.yaml", config.format("default_agent_flow"), files) == ["unknown-key"]


CODE_OF_PAGE = """\
Change verl's code:

```python
    base=self.config.trainer.get('tier_path', None),
    name=config["checkpoint"]["tier_name"],
```
"""
TIER = "actor_rollout_ref.actor.checkpoint.tier_name"


@pytest.mark.parametrize(
    ("page", "setting", "rules"),
    [
        (CODE_OF_PAGE, "trainer.tier_path=a", []),
        (CODE_OF_PAGE, f"{TIER}=a", []),
        (CODE_OF_PAGE, "data.tier_path=a", ["unknown-key"]),  # it reads none of that mapping
        (CODE_OF_PAGE, "trainer.tier_paths=a", ["unknown-key"]),
        (CODE_OF_PAGE.replace("tier_path", "nnode"), "trainer.nnode=1", ["unknown-key"]),
        ("", "trainer.tier_path=a", ["unknown-key"]),
    ],
)
def test_code_that_a_page_shows_reads_a_key(page: str, setting: str, rules: list[str]) -> None:
    """Hydra takes it in the verl that the page tells how to make, as do scripts beside the page."""
    command = f"python3 -m verl.trainer.main_ppo {setting} trainer.nnodes=1"
    assert _found_in("run/README.md", f"{page}\n```bash\n{command}\n```\n", PROJECT) == rules
    assert _found(command, PROJECT | {"/p/run/README.md": page}) == rules
    assert _found(command, PROJECT | {"/p/README.md": page}) == _found(command, PROJECT)


@pytest.mark.parametrize(
    ("models", "rules"),
    [
        ("{'llama', 'qwen2_5_vl'}", []),
        ("{'llama', 'qwen2_vl'}", ["conflicting-settings"]),
    ],
)
def test_a_copy_of_verl_that_packs_more_kinds_of_models(models: str, rules: list[str]) -> None:
    files = FORK | {
        "/p/verl/version/version": "0.2.0.dev\n",
        "/p/verl/models/registry.py": f"_MODELS_SUPPORT_RMPAD = {models}\n",
    }
    model = "actor_rollout_ref.model."
    script = f"{model}path=Qwen/Qwen2.5-VL-7B-Instruct {model}use_remove_padding=True"
    script += " actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8"
    script += " actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=8"
    script += " critic.ppo_micro_batch_size_per_gpu=4"
    script += " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8"
    script = f"python3 -m verl.trainer.main_ppo {script}"
    assert _found(script, files, "0.2.0.post2") == rules


NAIVE = "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8"
NAIVE += " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8"
NAIVE += " reward_model.reward_manager=naive +reward_model.reward_kwargs.verifier=dapo"


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [("self, tokenizer, verifier=None", []), ("self, tokenizer", ["conflicting-settings"])],
)
def test_a_manager_of_the_copy_that_takes_more(arguments: str, rules: list[str]) -> None:
    manager = f"class NaiveRewardManager:\n  def __init__({arguments}): ...\n"
    files = FORK | {
        "/p/verl/version/version": "0.5.0\n",
        "/p/verl/workers/reward_manager/naive.py": manager,
    }
    script = f"python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo {NAIVE}"
    assert [one for one in _found(script, files, "0.5.0") if one == "conflicting-settings"] == rules


GRAPHS_IN = """\
class vLLMRollout(BaseRollout):
  def __init__(self, config):
{0}    ...
class RewardRollout(vLLMRollout):
  def __init__(self, config):
{1}    ...
"""
ASSERTED = f"    {FREED}\n"


@pytest.mark.parametrize(
    ("code", "is_refused"),
    [
        (GRAPHS_IN.format(ASSERTED, ""), True),
        # A class that the fork derives for another part of the config is not the command's.
        (GRAPHS_IN.format("", ASSERTED), False),
        (GRAPHS_IN.format(ASSERTED, ASSERTED), True),
    ],
)
def test_a_check_of_an_earlier_release_in_a_class_of_the_copy(
    code: str, *, is_refused: bool
) -> None:
    files = COPY | {TRAINER: "", ROLLOUT: code, "/p/verl/version/version": "0.4.1.dev\n"}
    assert ("conflicting-settings" in _found(GRAPHS, files, "0.5.0")) == is_refused


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("envs = make(config.data.val_batch_size)\n", []),
        ("envs = make(config['data']['val_batch_size'])\n", []),
        ("envs = make(config.val.val_batch_size)\n", ["deprecated-key"]),
        # A trainer that builds on verl's warns of it.
        ("import verl\nwarn(config.data.val_batch_size)\n", ["deprecated-key"]),
    ],
)
def test_a_deprecated_key_that_the_projects_own_code_reads(code: str, rules: list[str]) -> None:
    script = f"{START} data.val_batch_size=8\n"
    for files in (PROJECT, FORK):
        assert _found(script, files | {"/p/mine/envs.py": code}) == rules
    assert _found(script, FORK | {"/p/verl/envs.py": code}) == ["deprecated-key"]


@pytest.mark.parametrize(
    ("config", "rules"),
    [
        ("reward: {custom_reward_function: {reward_kwargs: {mine: 1}}}", []),
        ("reward: {custom_reward_function: {reward_kwargs: {other: 1}}}", ["needs-plus"]),
        ("reward: {custom_reward_function: {path: a.py}}", ["needs-plus"]),
    ],
)
def test_a_loose_override_of_a_key_that_a_config_of_the_project_adds(
    config: str, rules: list[str]
) -> None:
    page = "```bash\nreward.custom_reward_function.reward_kwargs.mine=2\n```\n"
    own = {"/p/config/mine.yaml": f"defaults: [ppo_trainer, _self_]\n{config}\n"}
    assert _found_in("README.md", page, FORK | own) == rules


@pytest.mark.parametrize(
    ("config", "rules"),
    [
        ('if self.mode == "sync":\n    raise ValueError\n', ["invalid-choice"]),
        ('mode: str = "async"\n', []),
    ],
)
def test_a_word_that_the_copy_refuses_no_more(config: str, rules: list[str]) -> None:
    script = f"{START} actor_rollout_ref.rollout.mode=sync\n"
    version = {"/p/verl/version/version": RELEASE}
    files = FORK | version | {TRAINER: "", "/p/verl/workers/config/rollout.py": config}
    assert _found(script, files) == rules
    assert _found(script, FORK | version) == ["invalid-choice"]
