"""Diagrams: well-formed, with a text alternative, and every label within the picture."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree as ET

import polib
import pytest

from tests.docs_ext.conftest import ROOT
from verl_docs import diagrams
from verl_docs.diagrams import dynamic_batch, packing, svg

SVG = "{http://www.w3.org/2000/svg}"


@cache
def translations(language: str) -> dict[str, str]:
    """Every message of a language that is translated."""
    found = {}
    for catalog in (ROOT / "locales" / language).rglob("*.po"):
        found |= {entry.msgid: entry.msgstr for entry in polib.pofile(str(catalog)) if entry.msgstr}
    return found


@pytest.mark.parametrize("language", ["en", "zh_CN", "ja"])
@pytest.mark.parametrize("name", diagrams.names())
def test_labels_stay_within_the_picture(name: str, language: str) -> None:
    drawing = diagrams.load(name)
    said = {} if language == "en" else translations(language)
    labels = {key: said.get(text, text) for key, text in drawing.LABELS.items()}
    root = ET.fromstring(drawing.draw(drawing.ALT, labels))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert root.attrib["aria-label"]
    for text in root.iter(f"{SVG}text"):
        size, x = float(text.attrib["font-size"]), float(text.attrib["x"])
        style = text.attrib.get("class", "").removeprefix("text-")
        length = svg.text_width(text.text or "", size, style)
        start = x - {"start": 0.0, "middle": length / 2, "end": length}[text.attrib["text-anchor"]]
        assert start >= left, text.text
        assert start + length <= left + width, text.text
        assert float(text.attrib["y"]) <= top + height, text.text


def test_a_label_that_is_too_long_is_smaller_and_stays_in_its_box() -> None:
    long = "incomprehensibilities of a kind that nobody expects"
    group = ET.fromstring(svg.box(0, 0, 110, 40, long))
    texts = [*group.iter("text")]
    assert " ".join(text.text or "" for text in texts) == long
    sizes = [float(text.attrib["font-size"]) for text in texts]
    assert svg._SMALLEST <= min(sizes) == max(sizes) < svg.SIZE
    for text, size in zip(texts, sizes, strict=True):
        assert svg.text_width(text.text or "", size) <= 110
        assert 0 < float(text.attrib["y"]) - size * 0.7 < float(text.attrib["y"]) < 40


def test_a_line_that_is_too_long_is_smaller() -> None:
    whole, narrow = (ET.fromstring(svg.text(0, 0, "a heading", room)) for room in (500, 50))
    assert float(whole.attrib["font-size"]) == svg.SIZE
    assert svg.text_width("a heading", float(narrow.attrib["font-size"])) <= 50.01


@pytest.mark.parametrize("name", diagrams.names())
def test_every_label_is_drawn(name: str) -> None:
    drawing = diagrams.load(name)
    marks = {key: f"label{number}" for number, key in enumerate(drawing.LABELS)}
    drawn = set(re.findall(r"label\d+", drawing.draw(drawing.ALT, marks)))
    assert drawn == set(marks.values())


def test_lines_break_where_the_language_allows() -> None:
    assert svg.wrap("update the actor", 80) == ["update the", "actor"]
    assert svg.wrap("更新策略模型的权重。", 70) == ["更新策略模", "型的权重。"]
    assert all(not line.startswith("。") for line in svg.wrap("一二三四五。", 70))


def test_the_numbers_in_the_texts_are_those_of_the_drawings() -> None:
    lengths = packing._LENGTHS
    places, used = len(lengths) * max(lengths), sum(lengths)
    assert f"{places} places" in packing.LABELS["padded"]
    assert f"{used} places" in packing.LABELS["packed"]
    assert f"{places - used} places" in packing.ALT
    assert f"{sum(dynamic_batch.LENGTHS):,} tokens" in dynamic_batch.ALT
    parts = [sum(dynamic_batch.LENGTHS[n] for n in part) for part in dynamic_batch.even_parts(3)]
    assert max(parts) <= dynamic_batch.BUDGET
    assert f"{dynamic_batch.BUDGET:,}" in dynamic_batch.LABELS["dynamic"]
