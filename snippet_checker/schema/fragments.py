"""Settings without a command: accepted where some program of the release accepts them."""

from __future__ import annotations

from dataclasses import replace

from snippet_checker.model import BlockKind, Context, Operator, Setting, Snippet, Value
from snippet_checker.schema import drift
from snippet_checker.schema.likeness import is_slip
from snippet_checker.schema.release import Primary, Release
from snippet_checker.schema.relevance import is_meant_as_key, without_code_prefix
from snippet_checker.schema.tree import Status
from snippet_checker.schema.verdict import (
    APPENDING,
    Absence,
    Verdict,
    appended,
    diagnose,
    is_mapping,
)

_ADDED = frozenset({Absence.UNKNOWN, Absence.MISPLACED, Absence.FUTURE})
"""What a key is, as far as verl knows, that somebody's own config adds."""


class Fragment:
    """Settings without a command: judged against the program that fits them best."""

    def __init__(
        self, snippet: Snippet, release: Release, primary: Primary | None, mount: str | None
    ) -> None:
        self._snippet = snippet
        self._release = release
        self._mount = mount
        self._named = primary is not None
        self.primary = primary or self._best_fit()

    def _best_fit(self) -> Primary:
        def misses(primary: Primary) -> int:
            space = self._release.space(primary)
            return sum(self._full(setting.key) not in space for setting in self._snippet.settings)

        return min(self._release.primaries, key=misses)

    def _full(self, key: str) -> str:
        if self._mount:
            return f"{self._mount}.{key}"
        return without_code_prefix(key) if self._snippet.context is Context.MENTION else key

    def judge(self, setting: Setting) -> Verdict:
        key = self._full(setting.key)
        if self._mount:
            setting = replace(setting, key=key)
        if key.startswith(("hydra.", "hydra/")) or key == "defaults":
            return Verdict(setting, Status.UNJUDGED)
        if self._group_option(setting):
            return Verdict(setting, Status.ACCEPTED)
        if self._exists(key):
            return Verdict(setting, self._appended_to(key, setting))
        if setting.operator in APPENDING:
            return appended(setting, self._release, key, self._release.space(self.primary))
        if self._snippet.context is Context.MENTION and not is_meant_as_key(setting, self._release):
            return Verdict(setting, Status.UNJUDGED)
        if self._may_be_appended(key):
            if self._snippet.block.kind is BlockKind.YAML or setting.value is Value.ABSENT:
                return Verdict(setting, Status.ACCEPTED)
            return Verdict(setting, Status.MISSING, Absence.NEEDS_PLUS, candidates=(key,))
        verdict = diagnose(setting, self._release, key)
        if self._extends and verdict.absence in _ADDED:
            slip = is_slip(key, self._release)
            return verdict if slip else Verdict(setting, Status.UNJUDGED)
        return verdict

    @property
    def _extends(self) -> bool:
        """Whether this is a config with a defaults list of its own, which may add any key."""
        return self._is_yaml and any(s.key == "defaults" for s in self._snippet.settings)

    def _exists(self, key: str) -> bool:
        if self._named:
            return key in self._release.space(self.primary)
        if key in self._release.keys:
            return True
        if self._snippet.context is Context.FRAGMENT and not self._is_yaml:
            return False
        if "*" in key:
            return bool(self._release.glob(key))
        return self._is_shortened(key)

    @property
    def _is_yaml(self) -> bool:
        return self._snippet.block.kind is BlockKind.YAML

    def _is_shortened(self, key: str) -> bool:
        """Whether `key` is the end of a real one; a name known as drift has to name its parent."""
        known_drift = drift.find(key)
        if known_drift is not None and known_drift.wrong == key:
            return False
        return bool(self._release.expand(key))

    def _may_be_appended(self, key: str) -> bool:
        return any(
            self._release.space(primary).accepts_appended(key) for primary in self._candidates()
        )

    def _candidates(self) -> tuple[Primary, ...]:
        return (self.primary,) if self._named else self._release.primaries

    def _appended_to(self, key: str, setting: Setting) -> Status:
        if setting.operator is not Operator.ADD:
            return Status.ACCEPTED
        tree = self._release.tree(self.primary)
        return tree.apply(setting) if tree.has(key) else Status.ACCEPTED

    def _group_option(self, setting: Setting) -> bool:
        composer = self._release.composer(self.primary)
        return composer.is_group(setting.key) and not is_mapping(setting)
