"""Generated projects that build on a small verl: their configs, and overrides for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml
from hypothesis import strategies as st
from msgspec.structs import replace

from snippet_checker.hydra.config_file import ConfigFile
from snippet_checker.verl.release import Release, load, newest

FOLDER = "verl/trainer/config"
VERLS = {
    "ppo_trainer": {
        "defaults": [
            {"actor@actor_rollout_ref.actor": "fsdp"},
            {"data@data": "plain"},
            "_self_",
        ],
        "actor_rollout_ref": {"rollout": {"n": 1, "mode": "async"}},
        "trainer": {"nnodes": 1, "logger": ["console"]},
    },
    "sft_trainer": {"defaults": ["ppo_trainer", "_self_"], "trainer": {"sft": True}},
    "actor/fsdp": {"lr": 0.5, "optim": {"name": "adam"}},
    "actor/megatron": {"defaults": [{"parts@parts": "a"}], "lr": 1, "tp": 2},
    "actor/parts/a": {"size": 1},
    "data/plain": {"files": "x", "shuffle": True},
    "data/other": {"files": None},
}
_OPTIONS = {
    "extra": ("x", "y", ["x", "y"], "deep/x"),
    "/extra": ("x", "y"),
    "actor": ("fsdp", "megatron", "own", ["fsdp", "own"]),
    "/actor": ("fsdp", "megatron", "own"),
    "data": ("plain", "other", "own"),
    "extra/deep": ("x",),
}
_PACKAGES = ("", "@_global_", "@_here_", "@trainer.more", "@actor_rollout_ref.actor", "@data")
_HEADERS = (None, None, None, "_global_", "mine.part", "actor_rollout_ref.actor", "_group_")
_BODIES: tuple[dict[str, Any], ...] = (
    {},
    {"trainer": {"nnodes": 2, "own": {"a": None}}},
    {"actor_rollout_ref": {"actor": {"lr": 3, "optim": {"own": 1}}}},
    {"mine": {"a": 1, "b": {"c": "${trainer.nnodes}"}}, "lr": 4},
    {"trainer": None, "data": {"files": ["a", "b"]}},
    {"trainer": 5},
)
_KEYS = (
    *("trainer.nnodes", "trainer.node", "trainer.own.a", "trainer.own", "trainer.more.lr", "lr"),
    *("actor_rollout_ref.actor.lr", "actor_rollout_ref.actor.tp", "mine.a", "mine.b.c", "mine.d"),
    *(
        "actor_rollout_ref.actor.optim.own",
        "data.files",
        "data.shuffle",
        "extra.lr",
        "size",
        "mine",
    ),
)
_CHOICES = ("actor@actor_rollout_ref.actor", "data@data", "extra", "extra@trainer.more")
_choice_key = st.sampled_from((*_CHOICES[:2] * 4, *_CHOICES[2:]))


@dataclass(frozen=True)
class Project:
    """The texts of a project's configs by their paths below its config folder, and a command."""

    configs: Mapping[str, str]
    overrides: tuple[str, ...]


@cache
def small_verl() -> Release:
    """A release whose programs compose a few configs only, so that Hydra is quick."""
    facts = load(newest()).facts
    files = {name: _file(dict(config)) for name, config in VERLS.items()}
    entries = tuple(entry for entry in facts.entries if entry.config_dir == FOLDER)
    small = replace(facts, configs={FOLDER: files}, entries=entries, closed_sets=())
    return Release(replace(small, declarations={}))


def _file(config: dict[str, Any]) -> ConfigFile:
    defaults = config.pop("defaults", [])
    return ConfigFile(None, tuple(defaults), config)


@st.composite
def projects(draw: st.DrawFn) -> Project:
    """A primary config that may inherit verl's over another one, groups, and overrides."""
    primary = draw(_config(_lists(["ppo_trainer", "base", "sft_trainer"], most=2)))
    primary["hydra"] = {"searchpath": [draw(st.sampled_from(["file://", "pkg://"])) + FOLDER]}
    if primary["hydra"]["searchpath"][0].startswith("pkg"):
        primary["hydra"]["searchpath"] = [f"pkg://{FOLDER.replace('/', '.')}"]
    texts = {"mine": _dumped(primary, None)}
    texts["base"] = _dumped(draw(_config(_lists(["ppo_trainer"], most=1))), draw(_header))
    for name in ("extra/x", "extra/y", "extra/deep/x", "actor/own", "data/own"):
        inner = draw(_config(_inner_lists))
        texts[name] = _dumped(inner, draw(_header))
    overrides = draw(st.lists(_setting() | _choice(), max_size=2))
    return Project(texts, tuple(overrides))


_header = st.sampled_from(_HEADERS)


@st.composite
def _config(draw: st.DrawFn, lists: st.SearchStrategy[list[Any]]) -> dict[str, Any]:
    defaults = draw(lists)
    return ({"defaults": defaults} if defaults else {}) | draw(st.sampled_from(_BODIES))


@st.composite
def _lists(draw: st.DrawFn, configs: list[str], most: int = 3) -> list[Any]:
    """A defaults list: configs, groups, choices for groups of configs before, and `_self_`."""
    found: list[Any] = draw(st.lists(st.sampled_from(configs), min_size=most > 1, max_size=1))
    found += draw(st.lists(_group(), max_size=most))
    if draw(st.booleans()):
        found.insert(draw(st.integers(0, len(found))), "_self_")
    found += draw(st.lists(_overriding(), max_size=most // 2))
    return found


_inner_lists = st.sampled_from([[], [], [], ["_self_"], ["/data/own"], [{"/extra/deep@more": "x"}]])


@st.composite
def _group(draw: st.DrawFn) -> dict[str, Any]:
    word = draw(st.sampled_from(["", "", "", "optional "]))
    group, package = draw(st.sampled_from(sorted(_OPTIONS))), draw(st.sampled_from(_PACKAGES))
    return {f"{word}{group}{package}": draw(_option(group))}


def _option(group: str) -> st.SearchStrategy[Any]:
    """An option of a group, now and then none, or one that it does not have."""
    return st.sampled_from([*_OPTIONS[group] * 4, None, "nope"])


@st.composite
def _overriding(draw: st.DrawFn) -> dict[str, Any]:
    slash, key = draw(st.sampled_from(["", "/"])), draw(_choice_key)
    return {f"override {slash}{key}": draw(_option(key.partition("@")[0]))}


@st.composite
def _setting(draw: st.DrawFn) -> str:
    operator = draw(st.sampled_from(["", "", "", "+", "++", "~"]))
    key = draw(st.sampled_from(_KEYS))
    return f"~{key}" if operator == "~" else f"{operator}{key}={draw(st.sampled_from('12a'))}"


@st.composite
def _choice(draw: st.DrawFn) -> str:
    operator = draw(st.sampled_from(["", "", "+", "~"]))
    key = draw(_choice_key)
    option = str(draw(_option(key.partition("@")[0]))).replace(" ", "").replace("'", "")
    return f"~{key}" if operator == "~" else f"{operator}{key}={option}"


def _dumped(config: dict[str, Any], header: str | None) -> str:
    comment = f"# @package {header}\n" if header else ""
    return comment + yaml.safe_dump(config, sort_keys=False)
