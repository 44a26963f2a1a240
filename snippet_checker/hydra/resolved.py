"""The values of a composed config, with references to other keys followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from snippet_checker.hydra import references
from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.hydra.setting import Value

_SELECT = re.compile(r"\$\{oc\.select:\s*(\.*)(\w[\w.]*)\s*(?:,([^${}]*))?\}")
_DEEPEST = 10
_WORDS: dict[str, Any] = {"null": None, "true": True, "false": False, "": None}
_MANDATORY = "???"


class Resolved:
    """What keys of a config come to.

    `unknown` are keys whose values may be others at launch. `Value.UNKNOWN` stands for those,
    and for references that only OmegaConf resolves; `Value.ABSENT` for keys that are not there.
    `tails` are what some of their values end with.
    """

    def __init__(
        self,
        config: ComposedConfig,
        unknown: Iterable[str] = (),
        tails: Mapping[str, str] | None = None,
    ) -> None:
        self._config = config
        self._unknown = frozenset(unknown)
        self._tails = tails or {}

    def tail(self, key: str) -> str | None:
        """The last name of the path at `key`, where only that is known."""
        return self._tails.get(key)

    def value(self, key: str) -> Any:
        """The value at `key`."""
        return self._resolve(key, _DEEPEST)

    def is_mandatory(self, key: str) -> bool:
        """Whether the config has no value at `key` until somebody sets one: `???`."""
        return not self._is_unknown(key) and bool(self._config.value(key) == _MANDATORY)

    def source(self, key: str) -> str | None:
        """The key whose value the one at `key` takes, if it only refers to one."""
        value = self._config.value(key)
        if not isinstance(value, str):
            return None
        found = references.WHOLE.fullmatch(value) or _SELECT.fullmatch(value)
        return references.absolute(key, found[1], found[2]) if found is not None else None

    def _is_unknown(self, key: str) -> bool:
        """Whether the key, or a mapping around it, may have another value at launch."""
        if not self._unknown:
            return False
        while key and key not in self._unknown:
            key = key.rpartition(".")[0]
        return bool(key)

    def _resolve(self, key: str, depth: int) -> Any:
        if depth == 0 or self._is_unknown(key):
            return Value.UNKNOWN
        value = self._config.value(key, Value.ABSENT)
        if not isinstance(value, str) or "${" not in value:
            return Value.UNKNOWN if value == _MANDATORY else value
        source, select = self.source(key), _SELECT.fullmatch(value)
        found = self._resolve(source, depth - 1) if source is not None else Value.UNKNOWN
        if found is Value.ABSENT:
            return _default((select[3] or "").strip()) if select else Value.UNKNOWN
        return found


def _default(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return int(text)
    except ValueError:
        return text
