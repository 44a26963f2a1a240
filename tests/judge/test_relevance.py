"""What a document is about is decided with one look at each of its blocks."""

from __future__ import annotations

import re

import pytest

from snippet_checker.judge import relevance
from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL


class Counting:
    """A pattern that counts how often it is looked for."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.looks = 0

    def search(self, text: str) -> re.Match[str] | None:
        self.looks += 1
        return self.pattern.search(text)


def test_a_block_of_many_documents_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    name = Counting(relevance._NAME)
    monkeypatch.setattr(relevance, "_NAME", name)
    result = check_text("a.yaml", "# verl\n" + "trainer: {nnodes: 1}\n---\n" * 50, Options(VERL))
    assert (result.counts.settings, name.looks) == (50, 1)


def test_a_page_that_names_verl_and_no_key_may_name_a_file_of_it() -> None:
    page = "# verl\n\nThe loop is in `verl/trainer/fsdp_sft_trainer.py`.\n"
    assert [one.rule for one in check_text("a.md", page, Options(VERL)).findings] == [
        "unknown-file"
    ]


@pytest.mark.parametrize(
    "fragment",
    [
        "gradient_checkpointing: true",
        "training: {gradient_checkpointing: true}",
        "training: {max_grad_norm: 1.0}",
        "training: {entropy_coef: 0.01, learning_rate: 1e-6}",
    ],
)
def test_what_other_trainers_call_a_key_says_nothing_where_verl_is_not_named(fragment: str) -> None:
    page = (
        f"# Out of memory\n\n```yaml\n{fragment}\n```\n\n```yaml\ntraining: {{seq_len: 2}}\n```\n"
    )
    assert check_text("a.md", page, Options(VERL)).findings == ()


@pytest.mark.parametrize(
    "fragment", ["trainer: {nnode: 2}", "critic: {gradient_checkpointing: true}"]
)
def test_what_begins_as_verls_keys_do_is_verls(fragment: str) -> None:
    page = f"# Out of memory\n\n```yaml\n{fragment}\n```\n"
    assert check_text("a.md", page, Options(VERL)).findings


@pytest.mark.parametrize(
    ("beside", "rules"),
    [
        ("It falls back to trl.", []),
        ("Set `data.train_batch_size`, too.", ["unknown-key"]),
        ("```bash\npython3 -m verl.trainer.main_ppo trainer.nnodes=1\n```", ["unknown-key"]),
        ("Set `enable_grad_checkpointing`, too.", []),
    ],
)
def test_another_trainers_word_where_nothing_shows_verls_config(
    beside: str, rules: list[str]
) -> None:
    page = f"# Training with verl\n\n- Enable `gradient_checkpointing`\n\n{beside}\n"
    assert [f.rule for f in check_text("a.md", page, Options(VERL)).findings] == rules
