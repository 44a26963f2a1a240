"""The names of other programs than verl, as running text writes them: the only list of them."""

from __future__ import annotations

import re

# Regular expressions, so that the ways to write one name stand together. None is a word of its
# language in this spelling.
_NAMES = (
    # what verl runs on, or what runs it
    r"vLLM|SGLang|LMDeploy|TensorRT-LLM|TRT-LLM",
    r"PyTorch(?: Lightning)?|Lightning|torchrun|torchtune|torchtitan|TorchTitan",
    r"Hugging ?Face|HF|[Tt]ransformers|Accelerate|PEFT",
    r"Megatron(?:-(?:LM|Core|Bridge))?|MCore|MindSpeed(?:-(?:LLM|RL))?",
    r"DeepSpeed|Colossal-?AI|[Ff]lash-?[Aa]ttn|Flash-?Attention|Ray(?: Train)?|Slurm|SLURM",
    # other trainers
    r"TRL|OpenRLHF|NeMo(?:[- ](?:RL|Aligner))?|LL[Aa]MA-?Factory|Axolotl|Unsloth|ms-swift|slime",
    r"AReaL|ROLL|RLinf|RL-Factory|rllm|rLLM|EasyR1|Search-R1|SkyRL|AgentFly|prime-rl",
)
OTHERS = rf"(?:{'|'.join(_NAMES)})"
"""A regular expression of all names; it has no groups, and no boundaries around it."""

_NEAR = 40  # characters from a program's name to the number of its release
_SOMEBODY = re.compile(
    rf"(?<![\w./-])(?:(?P<other>{OTHERS}|torch)|verl)(?!\w)", re.ASCII | re.IGNORECASE
)
_NAMED = re.compile(rf"(?<![\w./-]){OTHERS}(?![\w/]|\.\w)", re.ASCII)


def is_named(text: str) -> bool:
    """Whether a text names another program; `vllm.x` and `transformers/` are code."""
    return _NAMED.search(text) is not None


def is_release_of_another(text: str, start: int) -> bool:
    """Whether the number at `start` of a text is another program's release: `vllm==0.8.5`."""
    before = list(_SOMEBODY.finditer(text, max(0, start - _NEAR), start))
    return bool(before) and before[-1]["other"] is not None
