"""Settings without a command: accepted where some program of the release accepts them."""

from __future__ import annotations

from msgspec.structs import replace
from packaging.version import Version

from snippet_checker.documents.block import DirectiveWord
from snippet_checker.hydra.composed_config import Status
from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.judge import hydra_node
from snippet_checker.judge.context import Context
from snippet_checker.judge.diagnosis import (
    APPENDING,
    KeyContext,
    appended,
    diagnose,
    is_another_programs,
    is_read_where_new,
)
from snippet_checker.judge.evidence import apply_evidence
from snippet_checker.judge.relevance import is_meant_as_key, without_code_prefix
from snippet_checker.judge.subject import Basis, Subject
from snippet_checker.judge.verdict import (
    Accepted,
    Future,
    Gap,
    Missing,
    NeedsPlus,
    Removed,
    Unjudged,
    Unknown,
    Verdict,
    of_status,
)
from snippet_checker.snippets.snippet import Fragment, Mentions, Snippet
from snippet_checker.suggest.likeness import name_likeness, nearly
from snippet_checker.suggest.weights import WEIGHTS
from snippet_checker.verl import drift, key_index
from snippet_checker.verl.keyspace import KeySpace
from snippet_checker.verl.release import Primary, Release, load
from snippet_checker.work import Work

_STEPS_FOR_A_PATTERN, _STEPS_FOR_ITS_CHARACTER = 1_000, 10

_COLUMNS = frozenset({"reward_model.style", "reward_model.ground_truth"})
"""What each row of the training data holds: verl's columns, and no settings."""


class FragmentJudge:
    """Settings without a command, judged against the program that fits them best."""

    def __init__(
        self,
        snippet: Snippet,
        release: Release,
        primary: Primary | None,
        work: Work,
        context: Context,
    ) -> None:
        self._snippet = snippet
        self._release = release
        self._mount = snippet.block.argument(DirectiveWord.MOUNT)
        if self._mount is None and isinstance(snippet, Fragment):
            self._mount = snippet.package
        self._work = work
        self._named = primary is not None
        self._is_mention = isinstance(snippet, Mentions)
        self._is_placed = isinstance(snippet, Fragment) and snippet.package is not None
        keys = () if self._is_mention else (self._full(s.key) for s in snippet.settings)
        self._key_context = KeyContext(release, beside=frozenset(keys))
        self._subject = Subject(Basis.LOOSE, snippet, release, context, names_program=self._named)
        self.primary = primary or self._best_fit()

    def _best_fit(self) -> Primary:
        keys = [self._full(setting.key) for setting in self._snippet.settings]
        fewest, best = len(keys) + 1, self._release.primaries[0]
        for primary, space in zip(self._release.primaries, self._release.spaces, strict=True):
            misses = sum(key not in space for key in keys)
            if misses < fewest:
                fewest, best = misses, primary
            if not misses:
                break
        return best

    def _full(self, key: str) -> str:
        if self._mount:
            return f"{self._mount}.{key}"
        return without_code_prefix(key) if self._is_mention else key

    def judge(self, setting: Setting) -> Verdict:
        key = self._full(setting.key)
        if self._mount:
            setting = replace(setting, key=key)
        if hydra_node.is_hydras(key) and not self._is_mention:
            return hydra_node.judge((setting,), self._work, is_open=True)[0]
        return apply_evidence(self._judged_by_release(setting, key), key, self._subject)

    def _judged_by_release(self, setting: Setting, key: str) -> Verdict:
        """The verdict without what the project says."""
        if key == "defaults":
            return Accepted(setting)
        if key in _COLUMNS:
            return Unjudged(setting, Gap.NO_KEY)
        if self._group_option(setting):
            return Accepted(setting)
        if self._exists(key):
            return of_status(setting, self._appended_to(key, setting), self._meant(key))
        if setting.operator in APPENDING:
            return appended(
                setting, key, self._key_context, self._nearest_to(key), read_elsewhere=True
            )
        may_be_appended = self._may_be_appended(key)
        if self._is_mention and not may_be_appended and not is_meant_as_key(setting, self._release):
            return Unjudged(setting, Gap.NO_KEY)
        if may_be_appended:
            if self._snippet.is_config or setting.value is Value.ABSENT:
                return Accepted(setting, (key,))
            return NeedsPlus(setting, (key,))
        if self._snippet.is_config and self._is_below_own_root(key):
            return Unjudged(setting, Gap.OTHER_PROGRAM)
        verdict = diagnose(setting, key, self._key_context)
        if self._is_on_page and isinstance(verdict, Unknown | Future):
            verdict = self._as_end(verdict, key)
        if isinstance(verdict, Removed) and is_another_programs(key, self._release):
            return Unjudged(setting, Gap.OTHER_PROGRAM)
        return verdict

    @property
    def _may_shorten(self) -> bool:
        """Whether a key may be the end of the one that is meant, as on a page about a part."""
        return not self._is_placed and (self._is_mention or self._snippet.is_config)

    @property
    def _is_on_page(self) -> bool:
        """Whether it is a part that a document shows, and no config in a file of its own."""
        return self._may_shorten and (self._is_mention or not self._snippet.block.whole_file)

    def _as_end(self, verdict: Unknown | Future, key: str) -> Missing:
        """The verdict on a key of several parts that another release has as the end of one."""
        if "." not in key or "*" in key:
            return verdict
        release = self._release
        if isinstance(verdict, Unknown):
            last = key_index.last_before(f"*.{key}", release.name)
            full = load(last).expand(key) if last is not None else ()
            if full:
                return diagnose(verdict.setting, full[0], self._key_context)
        first = key_index.first_after(f"*.{key}", release.name)
        if first is None:
            return verdict
        if isinstance(verdict, Future):
            return replace(verdict, first=min(first, verdict.first, key=Version))
        return Future(verdict.setting, (), first)

    def _is_below_own_root(self, key: str) -> bool:
        """Whether a YAML key lies below a name that verl never had, nor one like it: `gateway`."""
        root, dot, _ = key.partition(".")
        if not dot or drift.is_wrong_root(root) or nearly(root, self._release):
            return False
        if any(name_likeness(root, other) >= WEIGHTS.nearly for other in self._release.roots):
            return False
        return root not in self._release.by_leaf and not key_index.releases_with(root)

    def _exists(self, key: str) -> bool:
        if self._named:
            return key in self._release.space(self.primary)
        if key in self._release.keys:
            return True
        if not self._may_shorten:
            return False
        if "*" in key:
            return bool(self._glob(key)) or self._is_open(key.partition("*")[0] + "*")
        return self._is_shortened(key)

    def _meant(self, key: str) -> tuple[str, ...]:
        """The full keys that a key, perhaps shortened, stands for."""
        if key in self._release.keys:
            return (key,)
        found = self._glob(key) if "*" in key else self._release.expand(key)
        return tuple(full for full in found if not drift.is_legacy(full)) or found

    def _glob(self, pattern: str) -> tuple[str, ...]:
        """The full keys that a pattern stands for; raises TooMuchWork."""
        self._work.judging.spend(_STEPS_FOR_A_PATTERN + _STEPS_FOR_ITS_CHARACTER * len(pattern))
        return self._release.glob(pattern)

    def _is_open(self, key: str) -> bool:
        """Whether `key`, perhaps shortened, lies in a mapping whose keys verl passes on."""
        parent, _, leaf = key.rpartition(".")
        fulls = [f"{full}.{leaf}" for full in (parent, *self._release.expand(parent)) if parent]
        spaces = self._candidates()
        return any(space.is_open(full) for full in fulls for space in spaces)

    def _is_shortened(self, key: str) -> bool:
        """Whether `key` is the end of a real one; a name known as drift has to name its parent."""
        known_drift = drift.find(key)
        if known_drift is not None and known_drift.wrong == key:
            return False
        return bool(self._release.expand(key))

    def _may_be_appended(self, key: str) -> bool:
        if drift.moved(key) is not None:
            return False  # what some dataclass still takes there, nothing reads
        if any(space.accepts_appended(key) for space in self._candidates()):
            return True
        group = key.removesuffix(".*")
        return is_read_where_new(group, self._release, self._release.composed(self.primary))

    def _candidates(self) -> tuple[KeySpace, ...]:
        """The programs that may be meant, by their keys."""
        return (self._release.space(self.primary),) if self._named else self._release.spaces

    def _nearest_to(self, key: str) -> KeySpace:
        """The program that has most of a key; where several have, the one that fits the rest."""
        best = self._release.space(self.primary)
        return max((best, *self._candidates()), key=lambda space: len(space.nearest(key)))

    def _appended_to(self, key: str, setting: Setting) -> Status:
        if setting.operator is not Operator.ADD:
            return Status.ACCEPTED
        config = self._release.composed(self.primary)
        return config.apply(setting) if config.has(key) else Status.ACCEPTED

    def _group_option(self, setting: Setting) -> bool:
        composer = self._release.composer(self.primary)
        return composer.is_group(setting.key) and not isinstance(setting.value, dict)
