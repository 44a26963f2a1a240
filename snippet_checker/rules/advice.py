"""What messages about keys have in common: who refuses a key, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from snippet_checker.findings import Change, Problem, Severity, Stage
from snippet_checker.hydra.setting import Setting
from snippet_checker.rules.base import JudgedSnippet
from snippet_checker.suggest import meanings
from snippet_checker.suggest.by_value import is_turned
from snippet_checker.verl import drift, lifecycle, values

_REFERENCE = re.compile(r"\$\{(?:oc\.select:)?([\w.]+)(?:,[^{}]*)?\}")


class Advice(Struct, frozen=True):
    """The end of a message, and the key or value to write, if there is one.

    It `leaves_out` a setting where what was meant is set already. No fix knows the value where the
    key takes another one.
    """

    text: str
    suggestion: str | None = None
    leaves_out: bool = False
    other_value: bool = False

    def change(self, setting: Setting, *, is_safe: bool = False) -> Change | None:
        """What to write for the setting."""
        if self.other_value:
            return None
        return (
            left_out(setting)
            if self.leaves_out
            else new_key(setting, self.suggestion, is_safe=is_safe)
        )


def lacks(key: str, judged: JudgedSnippet) -> str:
    """The beginning of a message on a key that is not there: what its reader meets."""
    if judged.successor_program is not None:
        return f"'{judged.successor_program}' has no '{key}'"
    if judged.command is not None:
        return f"Hydra refuses '{key}'"
    return f"verl {judged.release.name} has no '{key}'"


def referred(key: str, judged: JudgedSnippet) -> str | None:
    """The key to set instead of one below a node that only refers to another: `${a.b}`."""
    config = judged.judgement.config
    parts = key.split(".")
    for end in range(1, len(parts)) if config is not None else ():
        value = config.value(".".join(parts[:end])) if config is not None else None
        reference = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
        if reference is not None and config is not None:
            meant = ".".join([reference[1], *parts[end:]])
            return meant if config.has(meant) else None
    return None


def advise(
    judged: JudgedSnippet,
    candidates: Sequence[str],
    wrong: str,
    *,
    certain: str | None = None,
    is_misplaced: bool = False,
    is_other_measure: bool = False,
) -> Advice:
    """To write the first of some keys, the likeliest, unless the snippet sets that already.

    Where it is `certain` what to do instead of what is `wrong`, that says how: `write`, `set`.
    Where the first `is_other_measure`, it takes another value.
    """
    if not candidates:
        return Advice("")
    if is_misplaced and (set_here := _set_one_level_off(wrong, judged)) is not None:
        return Advice(f"; leave it out: '{set_here}' is set already", leaves_out=True)
    if _is_in_vain(candidates[0], judged):
        return Advice("")
    if judged.snippet.is_config:  # where a new key needs no plus
        candidates = [candidate.lstrip("+") for candidate in candidates]
    best = candidates[0]
    if judged.is_set(best.lstrip("+")):
        text = f"; leave it out: '{best.lstrip('+')}' is set already"
        return Advice(text, leaves_out=True)
    quoted = [f"'{candidate}'" for candidate in candidates]
    if certain is not None:
        return Advice(f"; {certain} {' or '.join(quoted)}", best)
    if is_other_measure or _takes_other_value(wrong, best, judged):
        text = f"; did you mean {quoted[0]}, with another value?"
        return Advice(text, best, other_value=True)
    others = f" (or {' or '.join(quoted[1:])})" if len(quoted) > 1 else ""
    return Advice(f"; did you mean {quoted[0]}?{others}", best)


def _takes_other_value(wrong: str, best: str, judged: JudgedSnippet) -> bool:
    is_known = drift.takes_other_value(wrong) or meanings.takes_other_value(wrong, best)
    return is_known or is_turned(wrong, best.lstrip("+"), judged.release)


def _set_one_level_off(wrong: str, judged: JudgedSnippet) -> str | None:
    """The key that a command sets, and that a wrong one has with one mapping too many or too few.

    `critic.model.x` beside `critic.x`, of the same root and with the same last name.
    """
    command = judged.command
    parts = wrong.split(".")
    for setting in command.settings if command is not None else ():
        other = setting.key.split(".")
        longer, shorter = max(parts, other, key=len), min(parts, other, key=len)
        if len(longer) != len(shorter) + 1 or not judged.is_set(setting.key):
            continue
        if any(longer[:n] + longer[n + 1 :] == shorter for n in range(1, len(longer) - 1)):
            return setting.key
    return None


def _is_in_vain(key: str, judged: JudgedSnippet) -> bool:
    """Whether it was read that the program does not look at a key, nor at one in its place."""
    note = lifecycle.ineffective(key.lstrip("+"), judged.release.name, judged.module)
    return note is not None and note.is_reviewed(judged.release.name) and note.successor is None


def lacks_word(judged: JudgedSnippet, setting: Setting, successor: str | None) -> str:
    """That the key to set instead does not take the word, so that moving it is not all."""
    if successor is None or successor.startswith("+") or not values.is_known(setting.value):
        return ""
    sets = values.closed_sets(judged.release, successor, judged.classes_around(successor))
    wrong = values.wrong_words(setting.value, sets)
    if not sets or not wrong or judged.project.code.accepts_word(wrong[0], sets, judged.release):
        return ""
    words = sorted({word for one in sets for word in one.values if not word.endswith("+")})
    return f" (which does not take '{wrong[0]}' but {', '.join(words)})"


def new_key(setting: Setting, key: str | None, *, is_safe: bool = False) -> Change | None:
    """To write another key in the place of a setting's own, if there is one."""
    return Change(key, setting.key, is_safe) if key is not None else None


def new_text(text: str | None) -> Change | None:
    """To write something else in the place of a problem, if there is something."""
    return Change(text, None) if text is not None else None


def of_value(
    setting: Setting,
    message: str,
    meant: str | None = None,
    stage: Stage | None = None,
    severity: Severity | None = None,
    *,
    writes: bool = True,
) -> Problem:
    """The problem of a setting's value, which `meant` takes the place of if a fix `writes` it."""
    span = setting.value_span
    change = new_text(meant) if span is not None and writes else None
    return Problem(span or setting.span, message, setting.key, meant, stage, severity, change)


def left_out(setting: Setting) -> Change:
    """To set nothing in the place of a setting."""
    return Change(None, setting.key)
