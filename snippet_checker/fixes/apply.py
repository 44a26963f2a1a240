"""A text with as many of its findings fixed as can be, each proved by checking again.

A fix is kept if its finding is gone then, no new one has come, and no setting is lost. So a rename
that breaks the YAML around it, or a guess that Hydra refuses as well, is not made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from snippet_checker.findings import Checked, Fix
from snippet_checker.fixes import texts

Check = Callable[[str], Checked]
"""Checks the text of a file."""

_MOST_CHECKS, _FEWEST_CHECKS = 300, 20  # of one file
_MOST_CHECKED = 20_000_000  # characters, where a file is checked again and again


@dataclass(frozen=True, slots=True)
class FixedText:
    """A text after its fixes, what it comes to then, and how many findings are gone."""

    text: str
    checked: Checked
    count: int


class _State:
    """What is fixed so far; `left` counts the checks that it may still make."""

    def __init__(self, text: str, checked: Checked, check: Check) -> None:
        self.now = FixedText(text, checked, 0)
        affordable = max(_FEWEST_CHECKS, _MOST_CHECKED // max(len(text), 1))
        self.left = min(_MOST_CHECKS, affordable)
        self._check = check
        self._failed: set[Fix] = set()

    def fixes(self, *, unsafe: bool) -> list[Fix]:
        """The fixes to try together next."""
        found = dict.fromkeys(
            finding.fix
            for finding in self.now.checked.findings
            if finding.fix is not None and (unsafe or finding.fix.is_safe)
        )
        return texts.apart([fix for fix in found if fix not in self._failed])

    def forget_failures(self) -> None:
        self._failed.clear()

    def make(self, fixes: Sequence[Fix]) -> bool:
        """Make fixes, or of those that do not go together some; returns whether any was made.

        Those that are left out then are tried again, since the places of some have changed.
        """
        if not self.left:
            return False
        if self._made(fixes):
            return True
        if len(fixes) == 1:
            self._failed.update(fixes)
            return False
        half = len(fixes) // 2
        return self.make(fixes[:half]) or self.make(fixes[half:])

    def _made(self, fixes: Sequence[Fix]) -> bool:
        try:
            text = texts.apply(self.now.text, fixes)
        except texts.Misplaced:
            return False
        self.left -= 1
        before, after = self.now.checked, self._check(text)
        if not _is_better(before, after, removes=any(fix.removes for fix in fixes)):
            return False
        fixed = self.now.count + len(before.findings) - len(after.findings)
        self.now = FixedText(text, after, fixed)
        return True


def apply_fixes(text: str, checked: Checked, check: Check, *, unsafe: bool = False) -> FixedText:
    """Fix what can be fixed; without `unsafe`, only what is certain.

    What did not fix anything is tried again once others did: it may have been in their way.
    """
    state = _State(text, checked, check)
    fixed = -1
    while state.left and state.now.count > fixed:
        fixed = state.now.count
        state.forget_failures()
        while state.left and (fixes := state.fixes(unsafe=unsafe)):
            state.make(fixes)
    return state.now


def _is_better(before: Checked, after: Checked, *, removes: bool) -> bool:
    """Whether less is wrong, nothing new is, and no setting is lost.

    Where settings are removed, no more may be lost than findings are gone: a word may be handed on
    as several settings.
    """
    fixed = len(before.findings) - len(after.findings)
    lost = before.counts.settings - after.counts.settings
    old, new = (
        Counter((finding.rule, finding.key) for finding in checked.findings)
        for checked in (before, after)
    )
    is_whole = (
        after.failure is None
        and lost <= (fixed if removes else 0)
        and after.counts.unchecked <= before.counts.unchecked
    )
    return is_whole and not new - old and fixed > 0
