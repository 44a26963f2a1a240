"""Diagrams: well-formed, with a text alternative, and every label within the picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import polib
import pytest

from tests.docs_ext.conftest import ROOT
from verl_docs import diagrams
from verl_docs.diagrams import dynamic_batch, packing, svg

SVG = "{http://www.w3.org/2000/svg}"


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
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    assert root.attrib["aria-label"]
    for text in root.iter(f"{SVG}text"):
        size, x = float(text.attrib["font-size"]), float(text.attrib["x"])
        is_code = text.attrib.get("class") == "text-code"
        measure = svg.code_width if is_code else svg.text_width
        length = measure(text.text or "", size)
        left = x - {"start": 0.0, "middle": length / 2, "end": length}[text.attrib["text-anchor"]]
        assert left >= 0, text.text
        assert left + length <= width, text.text
        assert float(text.attrib["y"]) <= height, text.text


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
