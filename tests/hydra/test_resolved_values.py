"""References between values, followed as OmegaConf follows them."""

from __future__ import annotations

from typing import Any

import pytest
from omegaconf import OmegaConf

from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.hydra.resolved import Resolved

CONFIG: dict[str, Any] = {
    "one": {"two": 3, "off": False, "none": None, "text": "words", "list": [1, 2]},
    "deep": {"er": {"here": 5, "up": "${..near}", "side": "${.here}"}, "near": 7},
}


@pytest.mark.parametrize(
    "value",
    [
        "${one.two}",
        "${one.off}",
        "${one.text}",
        *(f"${{oc.select:one.{name},9}}" for name in ("two", "off", "none", "text", "gone")),
        *(
            f"${{oc.select:gone,{word}}}"
            for word in ("null", "false", "False", "TRUE", "16", "-1", "x")
        ),
        "${oc.select:gone}",
        "${oc.select: one.two , 9}",
    ],
)
def test_a_value_comes_to_what_omegaconf_makes_of_it(value: str) -> None:
    config = {**CONFIG, "asked": value}
    expected = OmegaConf.select(OmegaConf.create(config), "asked")
    found = Resolved(ComposedConfig(config)).value("asked")
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(("key", "expected"), [("deep.er.up", 7), ("deep.er.side", 5)])
def test_dots_go_up(key: str, expected: int) -> None:
    assert Resolved(ComposedConfig(CONFIG)).value(key) == expected
    assert OmegaConf.select(OmegaConf.create(CONFIG), key) == expected
