"""`wrong-type`: a value of a kind that verl cannot use for this key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.setting import Setting
from snippet_checker.judge.verdict import Accepted
from snippet_checker.rules.advice import of_value
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.suggest import likeness
from snippet_checker.text.places import Span
from snippet_checker.verl import lifecycle, values

_MEANT = {
    "none": "null",
    "nil": "null",
    "yes": "True",
    "on": "True",
    "no": "False",
    "off": "False",
}
_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number with a fraction",
    str: "text",
    list: "a list",
    dict: "a mapping",
}

_WRAPPED = "wrap_policy.transformer_layer_cls_to_wrap"
_ONE_WORD = re.compile(r"[\w.+-]+", re.ASCII)
_OF_RAYS_WORKERS = "ray_kwargs.ray_init.runtime_env.env_vars."
_WITHOUT_SHELL = (BlockKind.YAML, BlockKind.PYTHON, BlockKind.JSON, BlockKind.TOML)


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    for verdict in judged.with_values():
        setting = verdict.setting
        if _is_cut_into_letters(judged, setting):
            yield _cut_into_letters(setting)
            continue
        if setting.key.startswith(_OF_RAYS_WORKERS):
            if not (isinstance(setting.value, str) or judged.project.code.iterates("env_vars")):
                yield _no_text_for_ray(judged, setting)
            continue
        fits = values.takes(judged.release, verdict.keys, setting.value)
        if fits and not _is_pythons_none(judged, verdict):
            continue
        if not judged.snippet.block.whole_file and values.leaves_number_open(setting.value):
            continue
        if judged.mentions is not None and "." not in setting.key and setting.value == "None":
            continue  # a paragraph says of a name that it is not set, as Python does
        if _is_taken(judged, verdict) or not judged.is_surely_verls(verdict):
            continue
        if judged.project.copy_configs.accepts_value(setting.value, verdict.keys, judged.release):
            continue
        wanted = values.kinds(judged.release, verdict.keys)
        if wanted == {values.Kind.MAPPING}:
            yield _not_a_mapping(judged, setting)
        else:
            yield _misfit(setting, wanted)


def _is_cut_into_letters(judged: JudgedSnippet, setting: Setting) -> bool:
    """Whether FSDP1 gets one class to wrap as a text, through whose letters it goes.

    FSDP2 takes a text as well: verl/utils/fsdp_utils.py
    """
    if not (setting.key.endswith(_WRAPPED) and isinstance(setting.value, str)):
        return False
    said = [s.value for s in judged.snippet.settings if s.key.endswith("strategy")]
    config = judged.judgement.config
    if config is not None:
        said.append(config.value(f"{setting.key.partition('.fsdp')[0]}.strategy") or "fsdp")
    return all(value == "fsdp" for value in said)


def _cut_into_letters(setting: Setting) -> Problem:
    new = f"[{setting.value}]"
    message = f"'{setting.key}' takes a list, and {_shown(setting.value)} is text, through whose "
    message += f"letters FSDP1 goes, so verl stops; write {new}"
    return of_value(setting, message, new, Stage.VERL)


def _no_text_for_ray(judged: JudgedSnippet, setting: Setting) -> Problem:
    """An environment variable for Ray, which takes text alone: parse_and_validate_env_vars there.

    verl passes on what Hydra made of the value: verl/trainer/main_ppo.py
    """
    block, name = judged.snippet.block, setting.key.removeprefix(_OF_RAYS_WORKERS)
    message = f"Ray takes text alone for '{name}', and {_shown(setting.value)} is not text for "
    message += "Hydra, so verl stops at its start; "
    written, meant = _written(block, setting.value_span), None
    if written is not None:
        meant = f'"{written}"' if block.kind in _WITHOUT_SHELL else f"'\"{written}\"'"
    message += f"write {meant}" if meant else "write it in quotes that reach Hydra"
    return of_value(setting, message, meant, Stage.VERL, writes=False)


def _written(block: Block, span: Span | None) -> str | None:
    """A value as the variable is to have it: `true` is another text than `True`."""
    if span is None:
        return None
    text = block.at(span).strip("\"'")
    return text if _ONE_WORD.fullmatch(text) else None


def _misfit(setting: Setting, wanted: frozenset[values.Kind]) -> Problem:
    is_quoted = values.is_quoted(setting.value, wanted)
    meant = str(setting.value) if is_quoted else _meant(str(setting.value), wanted)
    takes = " or ".join(sorted(wanted)) or "null or a value"
    message = (
        f"'{setting.key}' takes {takes}, and {_shown(setting.value)} is "
        f"{_NAMES[type(setting.value)]}"
    )
    if is_quoted:
        message += ", because of quotes that reach Hydra: leave them out"
    else:
        message += "; Hydra accepts it all the same" + (f"; write {meant}" if meant else "")
    return of_value(setting, message, meant)


def _not_a_mapping(judged: JudgedSnippet, setting: Setting) -> Problem:
    """A switch or a name is often meant for what has become a mapping: `multi_turn=True`."""
    names = {bool: "enable", str: "name"}
    meant = f"{setting.key}.{names.get(type(setting.value), '')}"
    is_known = judged.release.has_key(meant)
    message = (
        f"'{setting.key}' holds further keys, and {_shown(setting.value)} takes their place, so "
        f"verl fails later; " + (f"set '{meant}'" if is_known else "set those")
    )
    return of_value(setting, message, meant if is_known else None, writes=False)


def _is_taken(judged: JudgedSnippet, verdict: Accepted) -> bool:
    """Whether the program, or one that may be meant, makes a number of the value."""
    value, release = verdict.setting.value, judged.release
    modules = (judged.module,) if judged.module else release.modules
    return any(lifecycle.takes_value(key, value, release.name, modules) for key in verdict.keys)


def _is_pythons_none(judged: JudgedSnippet, verdict: Accepted) -> bool:
    """Whether `None` is written for null where the default is null: Hydra takes it for text."""
    if verdict.setting.value != "None":
        return False
    defaults = judged.defaults(verdict)
    return bool(defaults) and all(default is None for default in defaults)


def _meant(text: str, wanted: frozenset[values.Kind]) -> str | None:
    """The word that a text stands for: `None` for null, `Flase` for False."""
    known = _MEANT.get(text.lower())
    if known in ("True", "False") and values.Kind.SWITCH not in wanted:
        return None
    if known is None and values.Kind.SWITCH in wanted:
        return next(
            (w for w in ("True", "False") if likeness.is_typo(text.lower(), w.lower())), None
        )
    return known


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


RULE = Rule("wrong-type", Stage.SILENT, "A value of a kind that the key cannot use.", _check)
