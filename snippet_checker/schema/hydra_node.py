"""Overrides of Hydra's own settings (`hydra.run.dir=…`), judged by Hydra itself.

Hydra brings its own config, whose types it checks; that config is part of the library that this
package depends on, so it needs no snapshot.
"""

from __future__ import annotations

import re
import warnings
from functools import cache
from typing import Any

from snippet_checker.model import Operator, Setting, Value
from snippet_checker.schema.suggestions import likeness
from snippet_checker.schema.tree import Status, dotted_keys
from snippet_checker.schema.verdict import Absence, Gap, Verdict, unjudged

_PLAIN = re.compile(r"[A-Za-z_][\w./:-]*", re.ASCII)
_COPIES_ENVIRONMENT = re.compile(r"env_copy[=:]\[[^\]]")
_NOT_IN_ENVIRONMENT = "KeyError"
_EMPTY_CONFIG = "snippet_checker_empty"


def is_hydras(key: str) -> bool:
    """Whether a key or a config group is Hydra's own."""
    return re.match(r"hydra(?:[./]|$)", key) is not None


def judge(setting: Setting) -> Verdict:
    """What Hydra does with an override of one of its own settings."""
    if setting.value is Value.UNKNOWN:
        return unjudged(setting, Gap.LAUNCH)
    text = _text(setting)
    refusal = _refusal(text)
    if refusal in (None, _NOT_IN_ENVIRONMENT) and _COPIES_ENVIRONMENT.search(text):
        return unjudged(setting, Gap.LAUNCH)  # not for the environment here to say
    if refusal is None:
        return Verdict(setting, Status.ACCEPTED)
    if refusal == "MissingConfigException":
        return unjudged(setting, Gap.PLUGIN)
    is_group = "/" in setting.key
    if setting.operator is Operator.SET and not is_group and setting.key not in _keys():
        best = likeness.closest(setting.key, _keys())
        candidates = (best,) if best else ()
        return Verdict(setting, Status.MISSING, Absence.UNKNOWN, candidates=candidates)
    return Verdict(setting, Status.REFUSED)


def _text(setting: Setting) -> str:
    operator = "" if setting.operator is Operator.SET else str(setting.operator)
    package = "" if setting.package is None else f"@{setting.package}"
    value = "" if setting.value is Value.ABSENT else f"={_value_text(setting.value)}"
    return f"{operator}{setting.key}{package}{value}"


def _value_text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace("'", "\\'")
        return value if _PLAIN.fullmatch(value) else f"'{escaped}'"
    if isinstance(value, list):
        return "[" + ",".join(map(_value_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{_value_text(v)}" for k, v in value.items()) + "}"
    return str(value)


@cache
def _refusal(override: str) -> str | None:
    """The name of the exception with which Hydra refuses an override, or None."""
    try:
        _load([override])
    except Exception as error:  # whatever Hydra stumbles over stops the launch, too
        return type(error).__name__
    return None


@cache
def _keys() -> frozenset[str]:
    from omegaconf import OmegaConf

    plain = OmegaConf.to_container(_load([]), resolve=False)
    assert isinstance(plain, dict)
    return frozenset(k for k in dotted_keys(plain) if "/" not in k)  # type: ignore[arg-type]


def _load(overrides: list[str]) -> Any:
    from hydra import version
    from hydra._internal.config_loader_impl import ConfigLoaderImpl
    from hydra._internal.utils import create_config_search_path
    from hydra.core.config_store import ConfigStore
    from hydra.core.plugins import Plugins
    from hydra.types import RunMode

    Plugins.instance()
    version.setbase(None)  # as verl's programs say
    # Without a config to start from, Hydra passes over what is appended to its defaults list.
    ConfigStore.instance().store(_EMPTY_CONFIG, node={})
    loader = ConfigLoaderImpl(create_config_search_path(None))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a search path that is not there
        return loader.load_configuration(_EMPTY_CONFIG, overrides, RunMode.RUN)
