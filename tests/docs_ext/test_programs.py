"""The reference shows each program whole: what it adds to the first one, and what it changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from bs4 import BeautifulSoup
from omegaconf import OmegaConf

from snippet_checker.verl.release import Primary, load
from tests.configured import VERL
from tests.docs_ext.conftest import ROOT
from tests.parts import every_nth_fast
from verl_docs import facts, reference

RELEASE = load(VERL)
FIRST = "verl.trainer.main_ppo"
MODULES = [entry.module for entry in RELEASE.facts.entries]
PAGES = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs/reference").glob("*.md"))
SHOWN = set(re.findall(r"^```\{verl:keys\} (\S+)$", PAGES, re.MULTILINE))


def primary_of(module: str) -> Primary:
    primary = RELEASE.entry(module)
    assert primary is not None
    return primary


@cache
def composed(module: str) -> dict[str, Any]:
    """Each leaf that the program composes, references followed where OmegaConf can.

    A mapping that another key holds is that other key's to tell.
    """
    primary = primary_of(module)
    composed = RELEASE.composed(primary)
    config = OmegaConf.create(RELEASE.composer(primary).compose(primary.config_name))
    found: dict[str, Any] = {}
    for key in composed.dotted_keys():
        raw = composed.value(key)
        if (isinstance(raw, dict) and raw) or key.endswith("_target_"):
            continue
        is_open = raw == "???" or "${oc.env" in str(raw) or "${now" in str(raw)
        value = raw if is_open else OmegaConf.select(config, key)
        if not (isinstance(raw, str) and OmegaConf.is_dict(value)):
            found[key] = value
    return found


@pytest.mark.parametrize("module", MODULES)
def test_every_program_has_its_place_in_the_reference(module: str) -> None:
    assert primary_of(module) in {primary_of(shown) for shown in SHOWN}


@pytest.mark.parametrize("module", every_nth_fast(2, sorted(SHOWN - {FIRST})))
def test_what_a_program_composes_in_another_way_is_shown(
    build: Callable[[str], tuple[BeautifulSoup, str]], module: str
) -> None:
    ours, first = composed(module), composed(FIRST)
    page, _ = build(f"```{{verl:keys}} {module}\n```")
    added = {row["id"].removeprefix("key-") for row in page.select("table.config-reference tr[id]")}
    if "actor_rollout_ref.actor.strategy" not in ours:
        assert added >= ours.keys()  # a configuration of its own, with all of its keys
        return
    known = reference.of_program(RELEASE, FIRST).keys
    assert added >= ours.keys() - known.keys()
    differing = {key for key in ours.keys() & first.keys() if ours[key] != first[key]}
    without_plus = {key for key in ours.keys() & known.keys() if known[key].needs_plus}
    rows = {row.select("th, td")[0].text: row for row in page.select("table.changed-keys tbody tr")}
    assert rows.keys() == differing | without_plus
    for key in differing:
        there, here = (cell.select_one("code") for cell in rows[key].select("th, td")[1:])
        assert (there and there.text) == facts.shown(first[key])
        assert (here and here.text) == facts.shown(ours[key])
    for key in without_plus:
        assert "append it with +" in rows[key].select("th, td")[1].text
        assert "append it with +" not in rows[key].select("th, td")[2].text
