"""`unknown-engine-option`: an option that the engine of the rollout does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from msgspec import Struct
from packaging.version import Version

from snippet_checker.findings import Problem, Severity, Stage
from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.judge.conflicts.engines import OF_REQUESTS
from snippet_checker.judge.verdict import Accepted
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.text.closest import closest, is_misspelling
from snippet_checker.verl import engine_options
from snippet_checker.verl.engine_options import EngineOptions, Way

_ROLLOUT = "actor_rollout_ref.rollout."
_NODE = _ROLLOUT + "engine_kwargs."
_OPTION = re.compile(rf"{re.escape(_NODE)}(vllm|sglang)(?:\.([\w-]+))?(?=\.|$)")
_TITLES = {"sglang": "SGLang", "vllm": "vLLM"}
_OFF = ("disable_", "disable-", "no_", "no-")
_STAND_IN = re.compile(
    r"(?:any|custom|my|other|some|your)[_-].*|(?:arg|argument|flag|key|name|option|param|setting)s?"
)  # as documents call an option of the reader's


class _Engines(Struct, frozen=True):
    """The releases of an engine that a run may have, and whether they are the project's choice."""

    name: str
    releases: tuple[str, ...]
    are_asked_for: bool


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    if judged.mentions is not None:
        return
    for verdict in judged.verdicts_of(Accepted):
        for key in verdict.keys:
            found = _OPTION.match(key) if key.startswith(_NODE) else None
            if found is not None and verdict.setting.operator is not Operator.DELETE:
                for name, value in _given(found[2], verdict.setting):
                    yield from _problems(found[1], name, value, verdict.setting, judged)


def _given(name: str | None, setting: Setting) -> Iterator[tuple[str, object]]:
    """The options that a setting gives, one by one or as a mapping."""
    if name is not None:
        is_whole = setting.key.endswith(f".{name}") or setting.key == name
        yield name, setting.value if is_whole else {"": setting.value}
    elif isinstance(setting.value, dict):
        yield from ((str(one), value) for one, value in setting.value.items())


def _problems(
    engine: str, name: str, value: object, setting: Setting, judged: JudgedSnippet
) -> Iterator[Problem]:
    chosen = _said(judged, _ROLLOUT + "name")
    is_another = isinstance(chosen, str) and chosen != engine
    if not judged.snippet.block.whole_file and _STAND_IN.fullmatch(name):
        return
    mode = _said(judged, _ROLLOUT + "mode")
    ways = engine_options.ways(engine, judged.release.name, mode)
    if is_another or not ways or name in OF_REQUESTS or _is_left_out(engine, value, ways):
        return
    engines = _engines(engine, judged)
    known = engine_options.known(engine)
    has = [release for release, one in known.items() if _takes(one, name, ways)]
    if not engines.releases or not set(has).isdisjoint(engines.releases):
        return
    copy = judged.project.verl_copy
    if copy.reads_in(engine_options.HANDED_ON_IN, f"engine_kwargs.{name}"):
        return
    last = engines.releases[-1]
    later = [release for release in has if Version(release) > Version(last)]
    is_open = chosen is Value.UNKNOWN or judged.snippet.starts_project_program
    meant = _meant(engine, name, known[last], ways)
    refused = "its server refuses the flag" if ways == {"flags"} else "it is refused"
    parts = (
        f"{_no_option(engines, name, judged)}: {refused}, and the run stops as the engine starts",
        _elsewhere(_TITLES[engine], has, later),
        f"did you mean '{meant}'{_turned(name, meant)}?" if meant is not None else "",
    )
    suggestion = f"+{_NODE}{engine}.{meant}".partition("=")[0] if meant is not None else None
    severity = Severity.WARNING if later or is_open else None
    message = "; ".join(filter(None, parts))
    yield Problem(setting.span, message, setting.key, suggestion, severity=severity)


def _said(judged: JudgedSnippet, key: str) -> object:
    """What a key is, as far as the snippet says."""
    settings = [one.setting for one in judged.verdicts_of(Accepted) if key in one.keys]
    if any(setting.value is Value.UNKNOWN or not setting.sure for setting in settings):
        return Value.UNKNOWN
    if settings:
        return settings[-1].value
    config = judged.config_as_run
    return config.value(key) if config is not None else None


def _is_left_out(engine: str, value: object, ways: Set[Way]) -> bool:
    """Whether verl drops an option for its value: vLLM gets no `null`, and no flag for `False`."""
    if engine == "sglang":
        return False
    is_no_flag = value is False or value in ([], Value.UNKNOWN)  # 0 is one, though `0 == False`
    return value is None or ("flags" in ways and is_no_flag)


def _engines(engine: str, judged: JudgedSnippet) -> _Engines:
    """Which releases a run may have: the one that the project asks for, or what goes with verl."""
    asked = judged.project.engine_asked_for(engine)
    bounds = [bound for one in asked for bound in one]
    exact = [bound.version for bound in bounds if bound.sign == "==" and not bound.of_all]
    if exact:
        near = [engine_options.around(engine, version) for version in exact]
        releases = {release for one in near for release in one} if all(near) else set()
        order = tuple(name for name in engine_options.known(engine) if name in releases)
        return _Engines(engine, order, are_asked_for=True)
    usual = engine_options.those_of(engine, judged.release.name)
    wide = {*usual, *engine_options.within(engine, asked)} if usual else set()
    order = tuple(name for name in engine_options.known(engine) if name in wide)
    return _Engines(engine, order, are_asked_for=False)


def _takes(options: EngineOptions, name: str, ways: Set[Way]) -> bool:
    """Whether a release takes an option in one of some ways.

    A flag may be shortened, and one that is on by default has a form with `no`.
    """
    if "keywords" in ways and name in options.keywords:
        return True
    flag = name.replace("-", "_")
    names = (flag, flag.removeprefix("no_"))
    return "flags" in ways and any(one.startswith(names) for one in options.flags)


def _no_option(engines: _Engines, name: str, judged: JudgedSnippet) -> str:
    title, first, last = _TITLES[engines.name], engines.releases[0], engines.releases[-1]
    whose = "this project asks for" if engines.are_asked_for else None
    if first == last:
        whose = whose or f"goes with verl {judged.release.name}"
        return f"{title} {first}, which {whose}, has no option '{name}'"
    whose = whose or f"go with verl {judged.release.name}"
    return f"no {title} from {first} to {last}, which {whose}, has an option '{name}'"


def _elsewhere(title: str, has: list[str], later: list[str]) -> str:
    """Which other release has an option: the first `later` one, else the last of all."""
    if later:
        return f"{title} {later[0]} has it"
    return f"{title} {has[-1]} was the last with it" if has else ""


def _meant(engine: str, name: str, options: EngineOptions, ways: Set[Way]) -> str | None:
    place = engine_options.SUCCESSORS.get((engine, name))
    known = options.flags if "flags" in ways else options.keywords
    if place is not None and place.partition("=")[0] in known:
        return place
    best = closest(name, known)
    return best if is_misspelling(name, best) else None


def _turned(name: str, meant: str) -> str:
    """What to say where one of two switches turns off what the other one turns on."""
    is_turned = name.startswith(_OFF) != meant.startswith(_OFF)
    return ", with another value" if is_turned and "=" not in meant else ""


RULE = Rule(
    "unknown-engine-option",
    Stage.VERL,
    "An option that the rollout's engine does not have.",
    _check,
)
