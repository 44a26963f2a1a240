"""Models and cards whose numbers a form fills in. The models' are those of their config.json."""

from __future__ import annotations

from verl_docs.calculators.form import Preset, Values


def model(
    layers: int,
    hidden: int,
    inner: int,
    heads: int,
    kv: int,
    vocabulary: int,
    *,
    experts: int = 1,
    active: int = 1,
    head_size: int | None = None,
    tied: bool = False,
) -> Values:
    """`inner` is the size of one expert."""
    return {
        "layers": layers,
        "hidden": hidden,
        "feed_forward": inner,
        "heads": heads,
        "kv_heads": kv,
        "head_size": head_size or hidden // heads,
        "vocabulary": vocabulary,
        "experts": experts,
        "active": active,
        "tied": tied,
    }


QWEN3 = 151936
MODELS = (
    Preset("Qwen2.5-0.5B", model(24, 896, 4864, 14, 2, QWEN3, tied=True)),
    Preset("Qwen2.5-1.5B", model(28, 1536, 8960, 12, 2, QWEN3, tied=True)),
    Preset("Qwen2.5-3B", model(36, 2048, 11008, 16, 2, QWEN3, tied=True)),
    Preset("Qwen2.5-7B", model(28, 3584, 18944, 28, 4, 152064)),
    Preset("Llama-3.1-8B", model(32, 4096, 14336, 32, 8, 128256)),
    Preset("Qwen2.5-14B", model(48, 5120, 13824, 40, 8, 152064)),
    Preset("Qwen2.5-32B", model(64, 5120, 27648, 40, 8, 152064)),
    Preset("Qwen2.5-72B", model(80, 8192, 29568, 64, 8, 152064)),
    Preset(
        "Qwen3-30B-A3B",
        model(48, 2048, 768, 32, 4, QWEN3, experts=128, active=8, head_size=128),
    ),
    Preset(
        "Qwen3-235B-A22B",
        model(94, 4096, 1536, 64, 4, QWEN3, experts=128, active=8, head_size=128),
    ),
)
# GiB that a card has for programs: what it is sold as, less what the driver keeps.
CARDS = (
    Preset("24 GB (RTX 4090, L4)", {"memory": 22}),
    Preset("40 GB (A100)", {"memory": 39}),
    Preset("48 GB (L40S, A6000)", {"memory": 44}),
    Preset("80 GB (A100, H100)", {"memory": 79}),
    Preset("96 GB (H20)", {"memory": 95}),
    Preset("141 GB (H200)", {"memory": 139}),
)
