"""Where the engine, the training workers and a reward model stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verl_docs.diagrams import svg

ALT = (
    "Three topologies. Taking turns: each GPU holds an engine and a training worker, and weights"
    " stay on the GPU. Separate: training workers and engines have GPUs of their own; responses go"
    " one way, weights the other way over the network. Reward pool: a reward model on further GPUs"
    " scores responses while others are still being generated."
)
LABELS = {
    "together": "Taking turns on the same GPUs: sync, colocate_async",
    "apart": "GPUs of their own: separate_async",
    "pool": "A pool for the reward model, beside either",
    "engine": "engine",
    "worker": "training worker",
    "reward": "reward model",
    "responses": "responses",
    "weights": "weights",
    "scores": "scores",
    "within": "weights stay on the GPU",
}
_GPU, _GAP, _HEIGHT = 112, 12, 96
_STEP = _GPU + _GAP


def draw(alt: str, labels: Mapping[str, str]) -> str:
    width = 6 * _STEP
    parts = [svg.text(0, 18, labels["together"], width, style="strong")]
    parts += _gpus(0, 34, 4, [("engine", labels["engine"]), ("workers", labels["worker"])])
    parts.append(svg.paragraph(4 * _STEP + 20, 80, 200, labels["within"], style="muted"))

    y = 178
    parts.append(svg.text(0, y, labels["apart"], width, style="strong"))
    parts += _gpus(0, y + 16, 2, [("workers", labels["worker"])])
    parts += _gpus(4 * _STEP, y + 16, 2, [("engine", labels["engine"])])
    left, right = 2 * _STEP + 10, 4 * _STEP - 16
    parts += _arrow(left, right, y + 44, labels["weights"])
    parts += _arrow(right, left, y + 88, labels["responses"])

    y = 342
    parts.append(svg.text(0, y, labels["pool"], width, style="strong"))
    parts += _gpus(0, y + 16, 2, [("engine", labels["engine"])])
    parts += _gpus(4 * _STEP, y + 16, 2, [("trainer", labels["reward"])])
    parts += _arrow(left, right, y + 44, labels["responses"])
    parts += _arrow(right, left, y + 88, labels["scores"])
    return svg.picture(width, y + 16 + _HEIGHT + 8, alt, parts)


def _gpus(x: float, y: float, count: int, held: Sequence[tuple[str, str]]) -> list[str]:
    """GPUs in a row, each with what it holds from top to bottom."""
    parts = []
    for number in range(count):
        left = x + number * _STEP
        parts.append(svg.box(left, y, _GPU, _HEIGHT, tone="gpu"))
        height = (_HEIGHT - 12) / len(held)
        for row, (tone, label) in enumerate(held):
            top = y + 6 + row * height
            parts.append(svg.box(left + 6, top, _GPU - 12, height - 2, label, tone))
    return parts


def _arrow(start: float, end: float, y: float, label: str) -> list[str]:
    middle, room = (start + end) / 2, abs(end - start)
    return [svg.text(middle, y - 7, label, room, anchor="middle"), svg.arrow(start, y, end, y)]
