"""What becomes of one setting: one type for each answer, with what a report needs to say it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct

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


class Verdict(Struct, frozen=True):
    """What becomes of one setting; the subclass says what."""

    setting: Setting


class Unjudged(Verdict, frozen=True):
    """Nothing can be said of it."""

    gap: Gap


class Accepted(Verdict, frozen=True):
    """Hydra takes it. `keys` are the full keys that it sets: several where text shortens."""

    keys: tuple[str, ...] = ()


class DeadAppend(Verdict, frozen=True):
    """Hydra appends it; then the class `refused_by` refuses it, or it is unread where that is None.

    `candidates`, here and below, are what may have been meant, the best first.
    """

    refused_by: str | None
    candidates: tuple[str, ...] = ()


class Refused(Verdict, frozen=True):
    """Hydra does not take it."""


class AlreadyThere(Refused, frozen=True):
    """`+` on a key that is there, maybe only in the project's copy of verl (`in_copy`)."""

    in_copy: bool = False


class Overwritten(Refused, frozen=True):
    """An earlier override of the command replaced what holds the key."""


class NotApplicable(Refused, frozen=True):
    """Another override that Hydra cannot apply; `status` is its own verdict."""

    status: Status


class NotAGroup(Refused, frozen=True):
    """`key@package` where no such config group exists."""


class UnknownGroup(Refused, frozen=True):
    """A config group that no defaults list chooses."""

    candidates: tuple[str, ...] = ()


class UnknownOption(Refused, frozen=True):
    """A config group without this option; `candidates` are all that it has.

    `later` is the one that took its place, with which the rest of the command is judged.
    """

    candidates: tuple[str, ...] = ()
    later: str | None = None


class Missing(Refused, frozen=True):
    """The key is not there, and only `+` may add one; the subclass says why."""

    candidates: tuple[str, ...] = ()


class NeedsPlus(Missing, frozen=True):
    """verl reads it, but only `+` can bring it in."""


class Removed(Missing, frozen=True):
    """An earlier release had it, `last` of all."""

    last: str = ""


class Future(Missing, frozen=True):
    """A later release has it, `first` of all."""

    first: str = ""


class OtherChoice(Missing, frozen=True):
    """Another choice of config groups has it: `choice`, if it is one of a single group."""

    choice: str | None = None


class OtherProgram(Missing, frozen=True):
    """Another program of the release has it, the one that starts from `config`."""

    config: str = ""


class Misplaced(Missing, frozen=True):
    """Its last name exists, elsewhere."""


class LostInCopy(Missing, frozen=True):
    """The release has it, and the project's copy of verl, in which the command runs, has not."""


class Unknown(Missing, frozen=True):
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


def within_budget(setting: Setting, judge: Callable[[Setting], Verdict], work: Work) -> Verdict:
    """The verdict of `judge`; none where the steps for it are used up."""
    try:
        work.judging.spend(_STEPS_FOR_A_SETTING)
        verdict = judge(setting)
    except TooMuchWork:
        return Unjudged(setting, Gap.WORK)
    if not isinstance(verdict, Accepted | Unjudged):
        again = setting.key in work.wrong_keys
        work.judging.count(_STEPS_FOR_THE_SAME if again else _STEPS_FOR_A_SUGGESTION)
        work.wrong_keys.add(setting.key)
    return verdict


NEW = (Unknown, Misplaced, Future)
"""The verdicts on keys that are new to every release up to this one."""
