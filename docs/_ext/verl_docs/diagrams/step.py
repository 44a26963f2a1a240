"""The phases of a step of the default trainer, from top to bottom, and who works in each."""

from __future__ import annotations

from collections.abc import Mapping

from verl_docs.diagrams import svg

ALT = (
    "The phases of one training step from top to bottom. The engine servers generate, then they"
    " sleep. The training workers compute log-probabilities, values and the updates. The trainer"
    " process computes the advantages. At the end the training workers hand the new weights to the"
    " engine servers."
)
LABELS = {
    "timed": "Timed by",
    "engine": "Engine servers",
    "workers": "Training workers",
    "trainer": "Trainer process",
    "generate": "generate, compute rewards",
    "old": "log-probabilities of the actor",
    "ref": "log-probabilities of the reference",
    "values": "values",
    "advantages": "advantages",
    "critic": "update the critic",
    "actor": "update the actor",
    "weights": "hand over the new weights",
    "wake": "wake up",
    "sleep": "asleep",
    "note": "Dashed: only with a critic, or only with a KL term. Heights say nothing about time.",
}
_PHASES = (
    # metric, lane, label, optional
    ("gen", 0, "generate", False),
    ("old_log_prob", 1, "old", False),
    ("ref", 1, "ref", True),
    ("values", 1, "values", True),
    ("adv", 2, "advantages", False),
    ("update_critic", 1, "critic", True),
    ("update_actor", 1, "actor", False),
    ("update_weights", 1, "weights", False),
)
_LANES = (("engine", 150, 190), ("workers", 350, 230), ("trainer", 590, 160))
_TOP, _ROW, _HEIGHT = 44, 50, 40


def draw(alt: str, labels: Mapping[str, str]) -> str:
    end = _TOP + len(_PHASES) * _ROW
    left = _LANES[0][1] - 8
    parts = [svg.text(0, 24, labels["timed"], left, style="strong")]
    for lane, x, width in _LANES:
        middle = x + width / 2
        parts.append(svg.text(middle, 24, labels[lane], width, anchor="middle", style="strong"))
        parts.append(svg.line(middle, 34, middle, end, "guide"))
    for number, (metric, lane_number, label, optional) in enumerate(_PHASES):
        y = _TOP + number * _ROW
        lane, x, width = _LANES[lane_number]
        tone = f"{lane}-optional" if optional else lane
        parts.append(svg.text(0, y + _HEIGHT / 2 + 5, metric, left, style="code"))
        parts.append(svg.box(x, y, width, _HEIGHT, labels[label], tone))
    _lane, x, width = _LANES[0]
    last = _TOP + (len(_PHASES) - 1) * _ROW
    parts.append(svg.box(x, _TOP + _ROW, width, last - _TOP - _ROW - 10, labels["sleep"], "asleep"))
    parts.append(svg.box(x, last, width, _HEIGHT, labels["wake"], "engine"))
    parts.append(svg.arrow(_LANES[1][1], last + _HEIGHT / 2, x + width, last + _HEIGHT / 2))
    parts.append(svg.paragraph(0, end + 16, 750, labels["note"], style="muted"))
    return svg.picture(750, svg.end_of_paragraph(end + 16, 750, labels["note"]), alt, parts)
