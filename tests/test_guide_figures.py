"""The figures that the guide and the recipes work out are right."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
RECIPES = sorted(path.stem for path in (DOCS / "recipes").glob("*.sh"))
MEMORY = (DOCS / "guide/memory.md").read_text("utf-8")

# "| update, sum | 59.5 of 84.8 GB |", "| gathered: 4 × 0.545 + 12 × 0.23 | 5.0 GB |"
ROW = re.compile(r"^\| (?P<what>[^|]+) \| (?P<value>[\d.]+)(?: of (?P<card>[\d.]+))? GB \|$", re.M)
FACTOR = r"(?:(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?)"
PRODUCT = rf"{FACTOR}(?: [a-z]+)?(?: [×/] {FACTOR}(?: bytes)?)+"
SUM = re.compile(rf"(?:.*: )?(?:[A-Za-z ]+ )?({PRODUCT}(?: \+ {PRODUCT})*)(?:, in place of .*)?")


def result(arithmetic: str) -> float:
    """What "49,152 tokens × 540,672 bytes" or "4 × 1.09 + 12 × 0.23" comes to."""
    total = 0.0
    for product in arithmetic.split(" + "):
        first, *rest = re.findall(rf"[×/]|{FACTOR}", product)
        value = number(first)
        for sign, factor in zip(rest[::2], rest[1::2], strict=True):
            value = value * number(factor) if sign == "×" else value / number(factor)
        total += value
    return total


def number(text: str) -> float:
    return float(text.replace(",", ""))


def rows(recipe: str) -> list[re.Match[str]]:
    return [*ROW.finditer((DOCS / f"recipes/{recipe}.md").read_text("utf-8"))]


@pytest.mark.parametrize("recipe", RECIPES)
def test_each_row_of_memory_is_what_its_arithmetic_comes_to(recipe: str) -> None:
    """The factors are rounded as well, so the last digit may differ."""
    assert rows(recipe)
    for row in rows(recipe):
        if arithmetic := SUM.fullmatch(row["what"]):
            value = result(arithmetic[1])
            gigabytes = value / 1e9 if value > 1e6 else value
            assert gigabytes == pytest.approx(number(row["value"]), abs=0.105), row[0]


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_sum_of_an_update_is_that_of_the_rows_above_it(recipe: str) -> None:
    found = rows(recipe)
    totals = [place for place, row in enumerate(found) if row["card"]]
    assert len(totals) == 1
    above = sum(number(row["value"]) for row in found[: totals[0]])
    assert number(found[totals[0]]["value"]) == pytest.approx(above, abs=0.105)


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_gathers_what_its_strategy_gathers_at_once(recipe: str) -> None:
    """FSDP1 holds embedding and output head together, FSDP2 one of them."""
    gathered = [row["what"] for row in rows(recipe) if row["what"].startswith("gathered:")]
    if not gathered:
        pytest.skip("no FSDP over several GPUs, or LoRA")
    index = (DOCS / "recipes/index.md").read_text("utf-8")
    script = (DOCS / f"recipes/{recipe}.sh").read_text("utf-8")
    [size] = set(re.findall(r"\bmodel\.path=\S*Qwen2\.5-(\d+B)", script))
    shape = re.search(rf"^\| \[Qwen2\.5-{size}\]\S+ \|(.+)\|$", index, re.M)
    assert shape
    _, together, largest, layer, *_ = (cell.strip() for cell in shape[1].split("|"))
    at_once = largest if "strategy=fsdp2" in script else together
    assert gathered == [f"gathered: 4 × {at_once} + 12 × {layer}"]


# -- bfloat16 ----------------------------------------------------------------------------------


def bfloat16(value: float) -> float:
    """The nearest number that bfloat16 has."""
    bits: int = struct.unpack(">I", struct.pack(">f", value))[0]
    bits += 0x7FFF + (bits >> 16 & 1)
    rounded: float = struct.unpack(">f", struct.pack(">I", bits & 0xFFFF0000))[0]
    return rounded


def smallest_update(weight: float) -> float:
    """What has to be added to a bfloat16 weight to change it, to 1 % or better."""
    update = weight * 1e-4
    while bfloat16(weight + update) == weight:
        update *= 1.01
    return update


def test_updates_that_bfloat16_rounds_away() -> None:
    weights = [bfloat16(0.01 * 1.01**step) for step in range(140)]  # two powers of two
    relative = [smallest_update(weight) / weight for weight in weights]
    assert f"{min(relative) * 100:.1f} to {max(relative) * 100:.1f} % of a weight" in MEMORY
    assert f"at a weight of 0.02 that is {smallest_update(bfloat16(0.02)):.5f}" in MEMORY


def test_rotary_frequencies_in_bfloat16() -> None:
    frequencies = [10_000 ** (-2 * pair / 128) for pair in range(64)]
    relative = max(abs(bfloat16(f) / f - 1) for f in frequencies)
    angle = max(abs(bfloat16(f) - f) * 4096 for f in frequencies)
    assert f"up to {relative * 100:.1f} %" in MEMORY
    assert f"angles at position 4,096 by up to {angle:.0f} radians" in MEMORY
