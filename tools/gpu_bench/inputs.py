"""What a run needs and no network gives: models, prompts, conversations, a reward."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from gpu_bench.settings import load

_SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
_WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "lazy", "dogs"]
_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_REWARD = """\
import zlib


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs):
    return zlib.crc32(solution_str.encode()) % 1000 / 1000
"""
# The shapes of Qwen2.5; the weights are random.
_COMMON = {
    "vocab_size": 151936,
    "max_position_embeddings": 32768,
    "rope_theta": 1e6,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
SHAPES: dict[str, dict[str, Any]] = {
    "model-1.5b": {
        "hidden_size": 1536,
        "intermediate_size": 8960,
        "num_hidden_layers": 28,
        "num_attention_heads": 12,
        "num_key_value_heads": 2,
        "tie_word_embeddings": True,
    },
    "model-7b": {
        "vocab_size": 152064,
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_hidden_layers": 28,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "tie_word_embeddings": False,
    },
}


def make(folder: Path, weights: list[str], device: str = "cuda") -> None:
    """Write all inputs into a folder; of the models, those in `weights` get weights.

    An engine of vLLM whose `load_format` is `dummy` reads none.
    """
    for name, shape in SHAPES.items():
        model = folder / name
        model.mkdir(parents=True, exist_ok=True)
        _save_tokenizer(model)
        _save_model(model, {**_COMMON, **shape}, device if name in weights else None)
    _save_rows(folder / "prompts.parquet", _prompts(1024))
    _save_rows(folder / "conversations.parquet", _conversations(512))
    (folder / "reward.py").write_text(_REWARD, "utf-8")


def _save_tokenizer(model: Path) -> None:
    """One token a byte and some words; the template of ChatML."""
    tokenizers, transformers = load("tokenizers"), load("transformers")
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=_SPECIAL,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    made.train_from_iterator([" ".join(_WORDS)] * 50, trainer)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=_SPECIAL[2], pad_token=_SPECIAL[0]
    )
    fast.chat_template = _TEMPLATE
    fast.save_pretrained(model)


def _save_model(model: Path, shape: dict[str, Any], device: str | None) -> None:
    torch, transformers = load("torch"), load("transformers")
    config = transformers.Qwen2Config(**shape)
    if device is None:
        config.architectures, config.dtype = ["Qwen2ForCausalLM"], "bfloat16"
        config.save_pretrained(model)
        return
    torch.manual_seed(0)
    with torch.device(device):
        transformers.Qwen2ForCausalLM(config).to(torch.bfloat16).save_pretrained(model)


def _prompts(count: int) -> list[dict[str, Any]]:
    chance = random.Random(0)
    return [
        {
            "data_source": "synthetic",
            "prompt": [{"role": "user", "content": _text(chance, 20, 120)}],
            "ability": "none",
            "reward_model": {"style": "rule", "ground_truth": "1"},
            "extra_info": {"index": index},
        }
        for index in range(count)
    ]


def _conversations(count: int) -> list[dict[str, Any]]:
    chance = random.Random(1)
    return [
        {
            "messages": [
                {"role": "user", "content": _text(chance, 20, 120)},
                {"role": "assistant", "content": _text(chance, 20, 800)},
            ]
        }
        for _ in range(count)
    ]


def _text(chance: random.Random, least: int, most: int) -> str:
    return " ".join(chance.choices(_WORDS, k=chance.randint(least, most)))


def _save_rows(file: Path, rows: list[dict[str, Any]]) -> None:
    load("pandas").DataFrame(rows).to_parquet(file)
