"""What becomes of one setting: one type for each answer, with what a report needs to say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from snippet_checker.hydra.composed_config import Status
from snippet_checker.hydra.setting import Setting
from snippet_checker.work import TooMuchWork, Work

_STEPS_FOR_A_SETTING, _STEPS_FOR_A_SUGGESTION, _STEPS_FOR_THE_SAME = 60, 4_000, 1_000


class Gap(StrEnum):
    """Why nothing can be said of a setting, by a name that programs may rely on."""

    NOT_VERL = "not-verl"
    OTHER_PROGRAM = "other-program"
    LAUNCH = "known-at-launch"
    OWN_KEY = "own-config"
    NO_KEY = "not-a-key"
    PLUGIN = "hydra-plugin"
    WORK = "too-much-work"


_REASONS: dict[str, str] = {
    Gap.NOT_VERL: "nothing shows that it is about verl",
    Gap.OTHER_PROGRAM: "it belongs to a program or a config outside verl's package",
    Gap.LAUNCH: "it depends on what is known at launch only",
    Gap.OWN_KEY: "a config of the project's own may add it",
    Gap.NO_KEY: "it does not look like a configuration key",
    Gap.PLUGIN: "a plugin of Hydra may bring it",
    Gap.WORK: "the file needs too much work",
}


def reason(gap: str) -> str:
    """A gap for people."""
    return _REASONS.get(gap, gap)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one setting; the subclass says what."""

    setting: Setting


@dataclass(frozen=True, slots=True)
class Unjudged(Verdict):
    """Nothing can be said of it."""

    gap: Gap


@dataclass(frozen=True, slots=True)
class Accepted(Verdict):
    """Hydra takes it. `keys` are the full keys that it sets: several where text shortens."""

    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeadAppend(Verdict):
    """Hydra appends it, but the class `refused_by` lacks the field, or (None) nothing reads it.

    `candidates`, here and below, are what may have been meant, the best first.
    """

    refused_by: str | None
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused(Verdict):
    """Hydra does not take it."""


@dataclass(frozen=True, slots=True)
class AlreadyThere(Refused):
    """`+` on a key that is there, maybe only in the project's copy of verl (`in_copy`)."""

    in_copy: bool = False


@dataclass(frozen=True, slots=True)
class TakenAway(Refused):
    """An earlier override of the command replaced what holds the key."""


@dataclass(frozen=True, slots=True)
class NotApplicable(Refused):
    """Another override that Hydra cannot apply; `status` is its own verdict."""

    status: Status


@dataclass(frozen=True, slots=True)
class NotAGroup(Refused):
    """`key@package` where no such config group exists."""


@dataclass(frozen=True, slots=True)
class UnknownGroup(Refused):
    """A config group that no defaults list chooses."""

    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownOption(Refused):
    """A config group without this option; `candidates` are all that it has.

    `later` is the one that took its place, with which the rest of the command is judged.
    """

    candidates: tuple[str, ...] = ()
    later: str | None = None


@dataclass(frozen=True, slots=True)
class Missing(Refused):
    """The key is not there, and only `+` may add one; the subclass says why."""

    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NeedsPlus(Missing):
    """verl reads it, but only `+` can bring it in."""


@dataclass(frozen=True, slots=True)
class Removed(Missing):
    """An earlier release had it, `last` of all."""

    last: str = ""


@dataclass(frozen=True, slots=True)
class Future(Missing):
    """A later release has it, `first` of all."""

    first: str = ""


@dataclass(frozen=True, slots=True)
class OtherChoice(Missing):
    """Another choice of config groups has it: `choice`, if it is one of a single group."""

    choice: str | None = None


@dataclass(frozen=True, slots=True)
class OtherProgram(Missing):
    """Another program of the release has it, the one that starts from `config`."""

    config: str = ""


@dataclass(frozen=True, slots=True)
class Misplaced(Missing):
    """Its last name exists, elsewhere."""


@dataclass(frozen=True, slots=True)
class LostInCopy(Missing):
    """The release has it, and the project's copy of verl, in which the command runs, has not."""


@dataclass(frozen=True, slots=True)
class Unknown(Missing):
    """No release ever had it."""


def of_status(setting: Setting, status: Status, keys: tuple[str, ...] = ()) -> Verdict:
    """The verdict that Hydra's own amounts to; `keys` are set where it accepts."""
    if status is Status.ACCEPTED:
        return Accepted(setting, keys)
    simple: dict[Status, type[Refused]] = {
        Status.PRESENT: AlreadyThere,
        Status.NOT_A_GROUP: NotAGroup,
    }
    if status in simple:
        return simple[status](setting)
    return NotApplicable(setting, status)


def paid(setting: Setting, judge: Callable[[Setting], Verdict], work: Work) -> Verdict:
    """The verdict of `judge`; none where the steps for it are used up."""
    try:
        work.judging.spend(_STEPS_FOR_A_SETTING)
        verdict = judge(setting)
    except TooMuchWork:
        return Unjudged(setting, Gap.WORK)
    if not isinstance(verdict, Accepted | Unjudged):
        again = setting.key in work.wrong_keys
        work.judging.take(_STEPS_FOR_THE_SAME if again else _STEPS_FOR_A_SUGGESTION)
        work.wrong_keys.add(setting.key)
    return verdict
