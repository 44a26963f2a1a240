"""The right default is named: that of the program that most readers start, read in verl's wheel."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text
from snippet_checker.projects.files import MemoryFiles


@pytest.mark.parametrize(
    ("text", "right"),
    [
        # 30 in ppo_trainer.yaml of 0.9.1, 4 in sft_trainer_engine.yaml.
        ("The default of `trainer.total_epochs` is 7.", "30"),
        # 8 and 1; null nowhere.
        ("`trainer.n_gpus_per_node` (default: 5)", "8"),
        ("`actor_rollout_ref.rollout.max_num_seqs` (default: 1024)", "256"),
        ("`actor_rollout_ref.rollout.max_model_len` (default: 4096)", "null"),
        # 1e-6 in actor.yaml; 1e-3 in the files of optim/, which other programs take as they are.
        ("`actor_rollout_ref.actor.optim.lr` (default: 0.5)", "1e-06"),
        ("`trainer.total_epochs` (default: 30)", None),
        ("`trainer.total_epochs` (default: 4)", None),  # in supervised fine-tuning
    ],
)
def test_the_default_of_the_usual_program_comes_first(text: str, right: str | None) -> None:
    findings = check_text("page.md", f"{text}\n", Options("0.9.1")).findings
    assert [f.suggestion for f in findings if f.rule == "stale-default"] == (
        [right] if right else []
    )


TABLE = """\
`run_mine.sh` trains with verl.

| Key | Default |
| --- | --- |
| `rollout.n` | 8 |
"""
SET = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.n={}\n"


@pytest.mark.parametrize(
    ("script", "is_its"),
    [
        (SET.format("8"), True),
        ("N=8\n" + SET.format("$N"), True),
        ('export N="${N:-8}"\n' + SET.format("${N}"), True),
        (SET.format("${N:-8}"), True),
        (SET.format("16"), False),
        ("N=80\n" + SET.format("$N"), False),
        ("NN=8\n" + SET.format("$N"), False),
        (SET.format("8").replace("rollout.n", "rollout.nn"), False),
    ],
)
def test_a_default_that_a_script_on_the_page_gives(script: str, *, is_its: bool) -> None:
    files = {"/p/.git/HEAD": "", "/p/run/README.md": TABLE, "/p/run/run_mine.sh": script}

    def rules() -> list[str]:
        options = Options("0.9.1", files=MemoryFiles(files))
        return [one.rule for one in check_text("/p/run/README.md", TABLE, options).findings]

    assert rules() == ([] if is_its else ["stale-default"])
    files["/p/run/README.md"] = TABLE.replace("`run_mine.sh`", "It")  # which is another's page
    assert rules() == ["stale-default"]


@pytest.mark.parametrize(
    ("others", "is_verls"),
    [
        ("", True),
        ("| `use_dynamic_bsz` | False |", True),
        ("| `use_dynamic_batchsize` | False |", True),  # a slip
        ("| `actor.mine` | False |", True),  # one below a section of verl's
        ("| `max_turns` | 0 |", False),
        ("| `--n` | 0 |", False),
    ],
)
def test_a_single_name_in_a_table_is_verls_where_the_others_are(
    others: str, *, is_verls: bool
) -> None:
    rows = f"| `max_prompt_length` | 7 |\n{others}"
    assert _stale_in_table(rows) == (["max_prompt_length"] if is_verls else [])


@pytest.mark.parametrize(
    ("others", "is_verls"),
    [
        ("| `optim.lr` | 1e-6 |", True),
        ("| `actor.mine` | False |", True),
        ("| `trainer.nnode` | 1 |", True),  # a slip
        ("| `engine_of_mine.effort` | high |", False),
    ],
)
def test_a_table_with_sections_that_verl_has_not_is_anothers(
    others: str, *, is_verls: bool
) -> None:
    rows = f"| `data.max_prompt_length` | 7 |\n{others}"
    assert _stale_in_table(rows) == (["data.max_prompt_length"] if is_verls else [])


def _stale_in_table(rows: str) -> list[str | None]:
    """The keys whose stated default is stale, in a table of a page about verl."""
    text = f"| Parameter | Default |\n| --- | --- |\n{rows}\n\nverl has `data.train_files`.\n"
    findings = check_text("page.md", text, Options("0.9.1")).findings
    return [one.key for one in findings if one.rule == "stale-default"]
