"""What occupies a GPU's memory in which phase, when rollout and training share it."""

from __future__ import annotations

from collections.abc import Mapping

from verl_docs.diagrams import svg

ALT = (
    "Memory of one GPU in three phases. Trained weights and optimizer states are there in all of"
    " them, unless offloading moves them to the CPU. During generation the engine's weights and KV"
    " cache come on top. During log-probabilities and updates these are gone; activations and"
    " logits take their place, and in updates gradients too. CUDA graphs stay."
)
LABELS = {
    "generation": "Generation",
    "scoring": "Log-probabilities, values",
    "update": "Updates",
    "cache": "KV cache",
    "engine": "engine's weights",
    "graphs": "CUDA graphs, buffers",
    "weights": "trained weights",
    "optimizer": "optimizer states",
    "gradients": "gradients",
    "activations": "activations",
    "logits": "logits, entropy",
    "free": "free",
    "note": "Not to scale. Dashed: param_offload and optimizer_offload move it to the CPU where"
    " it is not needed.",
}
# Height of each part, from the bottom up.
_COLUMNS = (
    ("generation", (("graphs", 30, "engine"), ("weights", 40, "workers-optional"),
                    ("optimizer", 60, "workers-optional"), ("engine", 60, "engine"),
                    ("cache", 110, "engine"))),
    ("scoring", (("graphs", 30, "engine"), ("weights", 40, "workers"),
                 ("optimizer", 60, "workers-optional"), ("activations", 40, "trainer"),
                 ("logits", 50, "trainer"), ("free", 80, "free"))),
    ("update", (("graphs", 30, "engine"), ("weights", 40, "workers"),
                ("optimizer", 60, "workers"), ("gradients", 40, "workers"),
                ("activations", 70, "trainer"), ("logits", 60, "trainer"))),
)  # fmt: skip
_TOP, _HEIGHT, _WIDTH, _GAP = 54, 300, 225, 35


def draw(alt: str, labels: Mapping[str, str]) -> str:
    parts: list[str] = []
    for number, (title, stack) in enumerate(_COLUMNS):
        x = number * (_WIDTH + _GAP)
        parts.append(
            svg.text(x + _WIDTH / 2, 34, labels[title], _WIDTH, anchor="middle", style="strong")
        )
        y = float(_TOP + _HEIGHT)
        for label, height, tone in stack:
            y -= height
            parts.append(svg.box(x, y, _WIDTH, height - 2, labels[label], tone))
    width = 3 * _WIDTH + 2 * _GAP
    y = _TOP + _HEIGHT + 26
    parts.append(svg.paragraph(0, y, width, labels["note"], style="muted"))
    return svg.picture(width, svg.end_of_paragraph(y, width, labels["note"]), alt, parts)
