"""The tiny model and the few rows that stand for what a launch command would download."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
from tokenizers import Tokenizer, models, pre_tokenizers

_WORDS = ("<unk>", "<pad>", "<s>", "</s>", "user", "assistant", "hello", "world")
_ROWS = 4096  # a step of every recipe fits


def write(folder: Path) -> None:
    """`model/` and `rows.parquet` in `folder`."""
    _model(folder / "model")
    question, answer = (
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": "world"},
    )
    row = {
        "prompt": [question],
        "messages": [question, answer],
        "data_source": "openai/gsm8k",
        "reward_model": {"style": "rule", "ground_truth": "world"},
    }
    pandas.DataFrame([row] * _ROWS).to_parquet(folder / "rows.parquet")


def _model(folder: Path) -> None:
    """A Qwen2 of two layers without weights, and a tokenizer that splits at blanks."""
    folder.mkdir(exist_ok=True)
    vocabulary = {word: number for number, word in enumerate(_WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    _json(
        folder / "tokenizer_config.json",
        tokenizer_class="PreTrainedTokenizerFast",
        unk_token="<unk>",
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        chat_template="{% for m in messages %}{{ m.role }} {{ m.content }} {% endfor %}",
    )
    _json(
        folder / "config.json",
        architectures=["Qwen2ForCausalLM"],
        model_type="qwen2",
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        vocab_size=len(_WORDS),
        bos_token_id=vocabulary["<s>"],
        eos_token_id=vocabulary["</s>"],
        pad_token_id=vocabulary["<pad>"],
    )


def _json(path: Path, **content: object) -> None:
    path.write_text(json.dumps(content), "utf-8")
