"""What a cross-field rule is, and how it gets at values.

A rule sees resolved values and says nothing where one of them is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from packaging.version import Version

from snippet_checker.hydra.resolved import Resolved
from snippet_checker.hydra.setting import Value

_MOST = 2**63
"""What no machine counts up to; the product of longer numbers may be too long to be written."""


class Conflict(Struct, frozen=True):
    """Keys that do not go together, and why."""

    keys: tuple[str, ...]
    why: str
    missing: bool = False  # the first key would have to be set, because of the others
    anyhow: bool = False  # the first key is wrong, or has to be set, whatever else is set
    instead: str | None = None  # what to set the first key to, where that is known
    outcome: str = "refuses to start"  # what verl does then
    goes_on: bool = False  # nothing stops then
    refusal: frozenset[str] = frozenset()  # the names in verl's check
    files: tuple[str, ...] = ()  # where in the wheel the check may be
    refused_by_copy: bool = False  # by the project's copy of verl, and not by the release
    only_unsaid: bool = False  # none where the command itself sets the first key, a switch
    doubtful: bool = False  # somebody may have meant it
    unread: str | None = None  # a key that nothing in the `files` reads
    made: str | None = None  # the class of what the trainer makes that meets it
    unlisted: str | None = None  # a word that nothing in the `files` lists or takes


class ConfigValues:
    """Typed access to a config's values; None for what is unset, unknown or of another kind.

    A whole number beyond what a machine counts up to is of another kind.
    """

    def __init__(self, config: Resolved) -> None:
        self._config = config

    def is_unknown(self, *keys: str) -> bool:
        return any(self._config.value(key) is Value.UNKNOWN for key in keys)

    def is_unset(self, key: str) -> bool:
        return self._config.value(key) in (None, Value.ABSENT)

    def is_null(self, key: str) -> bool:
        """Whether the key is there, and says `null`."""
        return self._config.value(key) is None

    def is_mandatory(self, key: str) -> bool:
        """Whether the key has no default, and nothing sets it."""
        return self._config.is_mandatory(key)

    def is_absent(self, key: str) -> bool:
        """Whether the config has no such key at all."""
        return self._config.value(key) is Value.ABSENT

    def is_set(self, key: str) -> bool:
        return not self.is_unset(key) and not self.is_unknown(key)

    def is_on(self, key: str) -> bool:
        return self._config.value(key) is True

    def is_off(self, key: str) -> bool:
        return self._config.value(key) in (False, None, Value.ABSENT)

    def word(self, key: str) -> str | None:
        value = self._config.value(key)
        return value if isinstance(value, str) else None

    def last_name(self, key: str) -> str | None:
        """The last name of a path, also of one whose beginning only the launch knows."""
        path = self.word(key)
        return self._config.tail(key) if path is None else path.rstrip("/").rpartition("/")[2]

    def number(self, key: str) -> int | None:
        value = self._config.value(key)
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return value if is_whole and -_MOST < value < _MOST else None

    def is_at_most_zero(self, key: str) -> bool:
        value = self.figure(key)
        return value is not None and value <= 0

    def is_above(self, key: str, most: float) -> bool:
        value = self.figure(key)
        return value is not None and value > most

    def figure(self, key: str) -> float | None:
        """A number, whole or not."""
        value = self._config.value(key)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return value if is_number else None

    def numbers(self, key: str) -> tuple[float, ...] | None:
        """What a list of numbers holds."""
        value = self._config.value(key)
        if not isinstance(value, list):
            return None
        found = [one for one in value if isinstance(one, int | float) and not isinstance(one, bool)]
        return tuple(found) if len(found) == len(value) else None

    def names(self, key: str) -> tuple[str, ...]:
        """What a mapping holds."""
        value = self._config.value(key)
        return tuple(value) if isinstance(value, dict) else ()

    def product(self, *keys: str) -> int | None:
        """The product of whole numbers; None if one is not known."""
        result = 1
        for key in keys:
            number = self.number(key)
            if number is None:
                return None
            result *= number
        return result


TRAINERS = ("verl.trainer.main_ppo", "verl.trainer.main_ppo_sync")
"""The programs whose configs most rules are about."""

VALIDATED = frozenset(
    {"verl/utils/config.py", "verl/workers/config/actor.py", "verl/workers/config/critic.py"}
)
"""What `validate_config` asks lies there."""
VALIDATING = frozenset({"verl.experimental.one_step_off_policy.main_ppo"})
"""Programs with trainers of their own that hand their config to `validate_config`, too."""


class Check(Struct, frozen=True):
    """One cross-field rule and the releases that have it."""

    find: Callable[[ConfigValues], Iterator[Conflict]]
    files: tuple[str, ...]  # where in the wheel it is, in the last of these releases
    since: str
    last: str | None
    reviewed: str  # the last release that was read; a later one is not judged by it
    training_only: bool = False  # only a step of training meets it
    refusal: tuple[str, ...] = ()
    """Names that stand together in one `assert` or `raise`, or in what leads to it, in each of
    these releases: a copy of verl without them has dropped the rule.
    """
    programs: tuple[str, ...] = TRAINERS
    of_class: bool = False
    """From 0.6.0 on, workers make it as they build the dataclass of a role, too."""
    where: str = ""  # the entry, in this package
    keys: tuple[str, ...] = ()  # of an entry that says them
    about: str = ""  # the keys, or the function that finds them

    def is_about(self, program: str) -> bool:
        """Whether one of verl's programs meets the rule."""
        is_validated = self.programs == TRAINERS and self.files[0] in VALIDATED
        return program in self.programs or (is_validated and program in VALIDATING)

    def applies(self, release: str) -> bool:
        """Whether the code of `release` was read, and has the rule."""
        until = Version(self.last or self.reviewed)
        return Version(self.since) <= Version(release) <= until
