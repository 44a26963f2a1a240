"""Settings that verl refuses together: the cross-field rules of its own validation.

Each rule mirrors a check in verl's code (`validate_config`, the `__post_init__` of a dataclass, or
the start of a worker) and says for which releases it was read there. For a later one it is silent:
what it asks for may have another name by then, and a key that is not there looks like one unset.

The rules are the entries of `conflicts.toml`; one that computes something names a function of a
module here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.hydra.resolved import Resolved
from snippet_checker.judge.conflicts import declared, roles
from snippet_checker.judge.conflicts.checks import VALIDATING, Check, ConfigValues, Conflict

__all__ = ["Applicability", "Conflict", "conflicts", "every_check", "programs"]


@cache
def every_check() -> tuple[Check, ...]:
    """All rules."""
    return tuple(declared.checks())


@cache
def programs() -> frozenset[str]:
    """The programs about which there are rules."""
    return VALIDATING.union(program for check in every_check() for program in check.programs)


class Applicability(Struct, frozen=True):
    """Which checks a program meets, where that is not one of a release of verl as it is.

    A program that is only like it says whether a check `applies`. A copy of verl may have checks
    of other `releases`, and says of a conflict whether that `is_in_copy`.
    """

    applies: Callable[[Check, Conflict], bool] = lambda check, conflict: True
    releases: frozenset[str] = frozenset()
    is_in_copy: Callable[[Conflict], bool] = lambda conflict: False


AS_RELEASED = Applicability()


def conflicts(
    config: Resolved, release: str, program: str, applicability: Applicability = AS_RELEASED
) -> Iterator[Conflict]:
    """Every cross-field rule of one of the release's programs that the config breaks."""
    if program not in programs():
        return
    values = ConfigValues(config)
    for check, conflict in _broken(values, _checks(release, program)):
        if applicability.applies(check, conflict):
            yield conflict
    for check, conflict in _broken(values, _others(release, program, applicability.releases)):
        if applicability.applies(check, conflict) and applicability.is_in_copy(conflict):
            yield replace(conflict, refused_by_copy=True)


def _broken(values: ConfigValues, checks: Iterable[Check]) -> Iterator[tuple[Check, Conflict]]:
    trains = roles.surely_trains(values)
    for check in checks:
        if trains or not check.training_only:
            for conflict in check.find(values):
                complete = replace(conflict, refusal=frozenset(check.refusal), files=check.files)
                yield check, complete


@cache
def _checks(release: str, program: str) -> tuple[Check, ...]:
    """The rules of one of the release's programs."""
    return tuple(one for one in every_check() if one.is_about(program) and one.applies(release))


@cache
def _others(release: str, program: str, releases: frozenset[str]) -> tuple[Check, ...]:
    """The rules of other releases that the release has in no form, where code can tell of them."""
    known = {check.refusal for check in _checks(release, program)}
    return tuple(
        check
        for check in every_check()
        if check.refusal
        and check.is_about(program)
        and any(map(check.applies, releases))
        and check.refusal not in known
    )
