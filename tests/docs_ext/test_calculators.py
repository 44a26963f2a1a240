"""Forms show results for what can be, and a sentence for what cannot."""

from __future__ import annotations

import pytest

from verl_docs.calculators import CALCULATORS
from verl_docs.calculators.form import GIB


@pytest.mark.parametrize("name", CALCULATORS)
def test_the_example_is_possible(name: str) -> None:
    assert CALCULATORS[name].refused(CALCULATORS[name].defaults()) is None


@pytest.mark.parametrize(
    ("changed", "matrices"),
    [({"fsdp": 1}, 2), ({"fsdp": 2}, 1), ({"fsdp": 1, "tied": 1}, 1), ({"fsdp": 2, "tied": 1}, 1)],
)
def test_fsdp2_gathers_embedding_and_output_layer_one_by_one(
    changed: dict[str, float], matrices: int
) -> None:
    form = CALCULATORS["micro-batch"]
    values = {**form.defaults(), **changed}
    matrix = values["vocabulary"] * values["hidden"]
    own = matrix * (1 if values["tied"] else 2)
    layer = (values["parameters"] * 1e9 - own) / values["layers"]
    gathered = (4 * matrices * matrix + 12 * layer) / GIB
    assert form.compute(values)["gathered"] == pytest.approx(gathered)


@pytest.mark.parametrize(
    ("name", "changed", "refused"),
    [
        ("kv-cache", {"tp": 16, "gpus": 8}, "tp"),
        ("kv-cache", {"tp": 3, "gpus": 8}, "tp"),
        ("kv-cache", {"tp": 8, "gpus": 8}, None),
        ("token-budget", {"sp": 16, "gpus": 8}, "sp"),
        ("token-budget", {"sp": 3, "gpus": 8}, "sp"),
        ("token-budget", {"mean": 4097, "length": 4096}, "mean"),
        ("token-budget", {"mean": 4096, "length": 4096}, None),
        ("micro-batch", {"parameters": 1}, "parameters"),
        ("micro-batch", {"parameters": 1, "tied": 1}, None),
    ],
)
def test_what_cannot_be_is_refused(
    name: str, changed: dict[str, float], refused: str | None
) -> None:
    form = CALCULATORS[name]
    assert form.refused({**form.defaults(), **changed}) == refused
    assert refused is None or f"refused={refused}" in form.labels()
