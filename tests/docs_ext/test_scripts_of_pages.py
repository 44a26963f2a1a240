"""The search and the key finder as readers meet them, run without a browser on small sites.

What has to come out was settled by reading the pages and the wheels, not by asking the scripts.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from snippet_checker.suggest.weights import WEIGHTS
from tests.docs_ext.conftest import ROOT, Project
from tests.docs_ext.javascript import Engine

STATIC = ROOT / "docs/_static"
MESSAGES = STATIC / "messages.js"
FIRST = "```{verl:keys} verl.trainer.main_ppo"


def new_project(folder: Path) -> Project:
    source = folder / "source"
    source.mkdir()
    return Project(source)


# -- Search ---------------------------------------------------------------------------------------

# What stands around the index in a search page. Loading the index hands it over.
SEARCH_PAGE = """
const Search = { setIndex(index) { this._index = index; } };
const SearchResultKind = { object: "object", text: "text", title: "title" };
"""
PADDING = "Other words that stand here only to make all pages of a length."


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """The search of a site whose pages differ in one thing at a time."""
    project = new_project(tmp_path_factory.mktemp("search"))
    lists = ("guide", "recipes", "reference", "reference/history", "checker/rules", "contributing")
    for folder in lists:
        (project.source / folder).mkdir(parents=True, exist_ok=True)
        project.write(**{f"{folder}/kiwi": f"Some kiwi, 顕微鏡. {PADDING}"})
    project.write(
        index="Start.",
        titled=f"Something. {PADDING}\n\n## Part\n\nMore.",
        headed=f"Something. {PADDING}\n\n## Banana\n\nMore.",
        mentioned=f"Something with banana in it. {PADDING}",
        shouted=f"Cherry, cherry, cherry, cherry, cherry and cherry. {PADDING}",
        cherry=f"Something. {PADDING}",
        often=f"Mango, mango, mango and mango. {PADDING}",
        once=f"A mango. {PADDING}",
        explained=f"{PADDING}\n\n```{{verl:settings}}\nactor_rollout_ref.rollout.max_num_seqs\n```",
        named=f"Set max_num_seqs. {PADDING}",
        rows=f"{FIRST}\nactor_rollout_ref.rollout.*\ncritic.*\n```",
        both=f"Apples and pears. {PADDING}",
        one=f"Apples and apples. {PADDING}",
        turnip=f"A turnip and a wardrobe. {PADDING}",
        **{
            "guide/troubles": (
                "## Starts\n\n| Message | Setting |\n| --- | --- |\n"
                "| `No room for … of 12 boats` | more |\n\n"
                "## Ends\n\nIt says `BoatSunkError`, `ValueError`, or `no empty_cupboard_x here`."
            )
        },
    )
    for name, title in {"titled": "Banana", "cherry": "Cherry"}.items():
        page = project.source / f"{name}.md"
        page.write_text(page.read_text("utf-8").replace("# Page", f"# {title}", 1), "utf-8")
    html = project.build().html
    static = html / "_static"
    stemmers = (static / "base-stemmer.js", static / "english-stemmer.js")
    data = (static / "language_data.js", static / "word-counts.js", html / "searchindex.js")
    messages = (static / "message-list.js", MESSAGES)
    return Engine(SEARCH_PAGE, *stemmers, *data, *messages)


def answers(search: Engine, question: str) -> list[tuple[str, str]]:
    """Page and anchor of each result, the best one first."""
    items = search.call("(question) => Ranking.answer(question).items", question)
    return [(item[0], item[2]) for item in items]


@pytest.mark.parametrize("question", ["kiwi", "顕微鏡"])
def test_what_explains_comes_before_what_lists(search: Engine, question: str) -> None:
    """Six pages have the same text: their folders decide. Contributors' are not for readers."""
    found = [page.removesuffix("/kiwi") for page, _ in answers(search, question)]
    assert found[0] == "guide"
    assert {*found[1:3]} == {"recipes", "reference"}
    assert found[3:] == ["checker/rules", "reference/history"]


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("banana", [("titled", ""), ("headed", "#banana"), ("mentioned", "")]),
        ("cherry", [("cherry", ""), ("shouted", "")]),  # a title tells more than any repetition
        ("mango", [("often", ""), ("once", "")]),
        ("apples pears", [("both", ""), ("one", "")]),
    ],
)
def test_titles_headings_and_how_often_decide(
    search: Engine, question: str, best: list[tuple[str, str]]
) -> None:
    assert answers(search, question) == best


@pytest.mark.parametrize("question", ["max_num_seqs", "MAX_NUM_SEQS", "ｍａｘ＿ｎｕｍ＿ｓｅｑｓ"])
def test_a_key_then_its_explanation_then_a_mention(search: Engine, question: str) -> None:
    found = answers(search, question)
    assert found[0] == ("rows", "#key-actor_rollout_ref.rollout.max_num_seqs")
    pages = [page for page, anchor in found if not anchor.startswith("#key-")]
    assert pages.index("explained") < pages.index("named")


@pytest.mark.parametrize(
    "key", ["critic.strategy", "actor_rollout_ref.rollout.n", "critic", "critic.use_dynamic_bsz"]
)
def test_a_full_key_finds_its_row_first(search: Engine, key: str) -> None:
    assert answers(search, key)[0] == ("rows", f"#key-{key}")


def test_what_no_page_has_finds_nothing(search: Engine) -> None:
    assert answers(search, "zzzz") == answers(search, "葡萄酒") == answers(search, "?!") == []


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "ERROR 12:01 No room  for 'x y' of 7 boats, sorry",
            ("guide/troubles", "#message-no-room-for-of-12-boats"),
        ),
        ("no room for many", None),
        ("empty_cupboard_x", None),  # a name that stands in a message is no message
        ("no room for … of 12", ("guide/troubles", "#message-no-room-for-of-12-boats")),
        ("module.BoatSunkError: all hands", ("guide/troubles", "#ends")),
        ("ValueError", None),  # every program has it
    ],
)
def test_a_pasted_message_leads_to_the_row_that_explains_it(
    search: Engine, question: str, found: tuple[str, str] | None
) -> None:
    told = search.call("(text) => Messages.find(text)", question)
    assert [(m["page"], f"#{m['anchor']}") for m in told] == ([found] if found else [])
    if found:
        assert answers(search, question)[0] == found


def test_a_word_that_is_nowhere_is_taken_for_a_slip(search: Engine) -> None:
    for slip in ("wardobe", "wardorbe", "wardrobee", "wadrrobe"):
        assert answers(search, slip)[0] == ("turnip", "")
    assert answers(search, "wxyzrobe") == []


# -- The key finder -------------------------------------------------------------------------------


FINDER = [STATIC / name for name in ("key-words.js", "key-likeness.js", "key-finder.js")]


@pytest.fixture(scope="module")
def finder_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = new_project(tmp_path_factory.mktemp("finder"))
    mappings = ("actor_rollout_ref.rollout.*", "actor_rollout_ref.actor.*", "critic", "trainer.*")
    project.write(index=f"{FIRST}\n" + "\n".join((*mappings, "reward_model.*", "skip")) + "\n```")
    return project.build().html / "_static/verl-keys.js"


@pytest.fixture(scope="module")
def finder(finder_data: Path) -> Engine:
    return Engine(finder_data, finder_data.with_name("message-list.js"), MESSAGES, *FINDER)


WATCH = """
const taken = [];
verlKeys.weights = new Proxy(verlKeys.weights, {
  get(weights, name) {
    if (!(name in weights)) throw new Error(`there is no weight ${name}`);
    taken.push(name);
    return weights[name];
  },
});
"""


def test_each_weight_comes_from_the_data(finder_data: Path) -> None:
    messages = (finder_data.with_name("message-list.js"), MESSAGES)
    taken = Engine(finder_data, WATCH, *messages, *FINDER).call("() => taken")
    assert sorted(taken) == sorted(to_builtins(WEIGHTS))


@pytest.mark.parametrize("script", FINDER, ids=lambda script: script.name)
def test_the_finder_has_no_weights_of_its_own(script: Path) -> None:
    """Numbers that count, double or number a bit are no weights."""
    code = re.sub(r"(?m)//.*$|/[^/\n]+/[gs]*(?=[.,)])", "", script.read_text("utf-8"))
    assert set(re.findall(r"(?<![\w.])\.?\d[\d._e]*", code)) <= {"0", "1", "2", "10", "32", "128"}


@pytest.mark.parametrize(
    ("typed", "verdict", "keys"),
    [
        # See truth/history.toml and truth/reference.toml for where the wheels say so.
        ("trainer.nnodes", "found", ["trainer.nnodes"]),
        ("critic.model.fsdp_config.param_offload", "gone", ["critic.fsdp.param_offload"]),
        ("trainer.val_generations_to_log_to_wandb", "gone", ["trainer.log_val_generations"]),
        ("actor_rollout_ref.rollout.skip_dump_dir", "gone", ["skip.rollout.dump_dir"]),
        ("critic.megatron.grad_offload", "gone", ["critic.megatron.param_offload"]),
        ("trainer.use_legacy_worker_impl", "gone", []),
        ("trainer.nnode=2", "unknown", ["trainer.nnodes"]),
        ("trainer.nnode", "containing", ["trainer.nnodes"]),  # it is still being typed
        (
            "actor_rollout_ref.actor.use_dynamic_batchsize",
            "unknown",
            ["actor_rollout_ref.actor.use_dynamic_bsz"],
        ),
        ("max_num_seq", "containing", ["actor_rollout_ref.rollout.max_num_seqs"]),
        ("constructor", "unknown", []),
    ],
)
def test_a_name_is_told_what_became_of_it(
    finder: Engine, typed: str, verdict: str, keys: list[str]
) -> None:
    found = look(finder, typed)
    assert found["verdict"] == verdict
    assert found["keys"][: max(1, len(keys))] == keys


def look(finder: Engine, typed: str) -> dict[str, Any]:
    """What the finder says of the only key in a text."""
    ask = "(text) => { const { keys, part } = KeyFinder.read(text);"
    ask += " return keys.map((key) => KeyFinder.look(key, part)); }"
    [found] = finder.call(ask, typed)
    return dict(found)


def test_a_key_that_is_gone_is_told_with_its_last_release(finder: Engine) -> None:
    assert look(finder, "trainer.use_legacy_worker_impl")["last"] == "0.7.1"
    assert look(finder, "trainer.val_generations_to_log_to_wandb")["last"] == "0.3.0.post1"


YAML = """
# a comment: with a colon
trainer:
  nnodes: 2  # two
  "logger": [console]
  v1:
    trainer_mode: sync
data:
    seed: 1
"""
COMMAND = """
python3 -m verl.trainer.main_ppo \\
    trainer.nnodes=2 'trainer.logger=[console]' +trainer.extra.name=x \\
    NAME=value ~critic.optim
# trainer.commented=1
"""


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (YAML, ["trainer.nnodes", "trainer.logger", "trainer.v1.trainer_mode", "data.seed"]),
        (COMMAND, ["trainer.nnodes", "trainer.logger", "trainer.extra.name"]),
        ("`trainer.nnodes`, (trainer.logger) and others", ["trainer.nnodes", "trainer.logger"]),
        ("nnodes", ["nnodes"]),
        ("What is this?", []),
    ],
    ids=["yaml", "command", "text", "name", "question"],
)
def test_the_keys_of_a_text_are_read(finder: Engine, text: str, keys: list[str]) -> None:
    assert finder.call("(text) => KeyFinder.read(text).keys", text) == keys


@pytest.mark.parametrize(
    ("word", "other", "alike"),
    [
        # Twice the longest common subsequence over both lengths, counted by hand.
        ("abcd", "abcd", 1.0),
        ("abcd", "abxd", 0.75),  # abd: 6 of 8
        ("nnode", "nnodes", 10 / 11),
        ("abc", "xyz", 0.0),
        ("", "", 1.0),
        ("a" * 40, "a" * 35 + "b" * 5, 0.875),  # too long for the bits of a number
    ],
)
def test_likeness_is_the_common_share(finder: Engine, word: str, other: str, alike: float) -> None:
    assert finder.call("KeyWords.ratio", word, other) == pytest.approx(alike)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hiddenSize", ["hidden", "size"]),
        ("max_steps", ["max", "step"]),
        ("loss", ["loss"]),  # no plural
        ("train_batch_size", ["bsz", "trainer"]),
    ],
)
def test_names_are_cut_into_words(finder: Engine, name: str, words: list[str]) -> None:
    assert (
        json.loads(json.dumps(sorted(finder.call("(n) => [...KeyWords.words(n)]", name)))) == words
    )


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (
            "Could not override 'critic.strateg'.\nTo append to your config use +critic.strateg=4\n"
            "Key 'strateg' is not in struct\n    full_key: critic.strateg\n    object_type=dict",
            ["critic.strateg"],
        ),
        ("omegaconf.errors.ConfigAttributeError: Key 'stratgy' is not in struct", ["stratgy"]),
        ("Missing mandatory value: critic.strategy", ["critic.strategy"]),
        (
            "Value 'x' of type 'str' could not be converted to Integer\n full_key: trainer.nnodes",
            ["trainer.nnodes"],
        ),
        ("Could not append to config. An item is already at 'trainer.nnodes'.", ["trainer.nnodes"]),
        ("A.__init__() got an unexpected keyword argument 'wrap'", ["wrap"]),
        ("RuntimeError: stack.overflow in some.module", []),  # of another program
        ("ValueError: set trainer.nnodes", ["trainer.nnodes"]),
    ],
)
def test_a_pasted_error_names_the_keys_that_it_is_about(
    finder: Engine, text: str, keys: list[str]
) -> None:
    read = finder.call("(text) => KeyFinder.read(text)", text)
    assert (read["keys"], read["isMessage"]) == (keys, True)


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("python3 -m verl.trainer.main_ppo trainer.nnodes=1", "verl.trainer.main_ppo"),
        ("python verl/trainer/main_ppo.py trainer.nnodes=1", "verl.trainer.main_ppo"),
        ("torchrun -m verl.trainer.fsdp_sft_trainer x.y=1", "verl.trainer.fsdp_sft_trainer"),
        ("torchrun train.py trainer.nnodes=1", None),
    ],
)
def test_the_program_of_a_command_is_known(finder: Engine, text: str, program: str | None) -> None:
    assert finder.call("(text) => KeyFinder.read(text).program", text) == program


def test_a_key_that_the_program_named_does_not_have_is_not_called_good(finder: Engine) -> None:
    look = "(key, program) => KeyFinder.look(key, 'none', data.started[program])"
    look = look.replace("data", "verlKeys")
    for program, verdict in {
        "verl.trainer.main_ppo": "found",
        "verl.trainer.sft_trainer": "elsewhere",
        "verl.trainer.main_eval": "elsewhere",
    }.items():
        found = finder.call(look, "actor_rollout_ref.rollout.n", program)
        assert found["verdict"] == verdict, program
    assert finder.call("() => verlKeys.started['verl.trainer.fsdp_sft_trainer']") is None


def test_a_key_without_effect_is_not_called_a_key(finder: Engine) -> None:
    look = "(key) => KeyFinder.look(key, 'none')"
    assert finder.call(look, "critic.grad_clip")["verdict"] == "ineffective"
    assert finder.call(look, "critic.grad_clip")["keys"] == ["critic.optim.clip_grad"]


def test_flags_of_other_trainers_are_looked_up(finder: Engine) -> None:
    text = "accelerate launch --num_processes 8 grpo.py --num_generations 8 --learning-rate=1e-6"
    flags = finder.call("(text) => KeyFinder.read(text).flags", text)
    assert flags[-2:] == ["num_generations", "learning_rate"]
    found = finder.call("(flag) => KeyFinder.lookUpFlag(flag)", "num_generations")
    assert found["keys"][0] == "actor_rollout_ref.rollout.n"
    assert finder.call("(flag) => KeyFinder.lookUpFlag(flag)", "colour_of_the_sky") is None
