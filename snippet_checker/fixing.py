"""Files with the fixes of their findings, and what that would change in them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from snippet_checker import files
from snippet_checker.cache import digest_of
from snippet_checker.findings import Checked, Failure
from snippet_checker.fixes.apply import FixedText, apply_fixes
from snippet_checker.options import Options
from snippet_checker.runner import check_bytes, internal_error

_NO_LINE_END = "\\ No newline at end of file"


class Fixer(Struct):
    """Fixes files as they are checked; `fixed` counts the findings that are gone for it.

    One that is not `writing` changes no file; `differences` has what would change, in the lines
    of a unified diff. Without `unsafe`, only what is certain is fixed.
    """

    options_of: Callable[[Path], Options]
    writing: bool
    unsafe: bool
    fixed: int = 0
    differences: list[str] = field(default_factory=list)

    def fix(self, path: Path, checked: Checked) -> Checked:
        """What a file comes to after its fixes; it stays as it is where it cannot be written."""
        if not any(finding.fix is not None for finding in checked.findings):
            return checked
        try:
            data = files.read(path)
            text = files.text_of(data)
        except files.UnreadableFile:
            return checked
        if digest_of(data) != checked.digest:
            return checked  # it has changed since it was checked
        result = self.fixed_text(path, text, checked)
        if result.text == text:
            return result.checked
        if self.writing:
            try:
                files.replace(path, data, result.text.encode("utf-8"))
            except OSError as error:
                why = f"it cannot be written: {error.strerror or error}; it is as it was"
                return replace(checked, failure=Failure(path.as_posix(), why))
        self.fixed += result.count
        return result.checked if self.writing else checked

    def fixed_text(self, path: Path, text: str, checked: Checked) -> FixedText:
        """A text of a file with its fixes, whose difference is noted; as it was if that fails."""
        name = path.as_posix()
        try:
            check = partial(_check, name, options=self.options_of(path))
            result = apply_fixes(text, checked, check, unsafe=self.unsafe)
            self.differences += [*_difference(name, text, result.text)]
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # our own mistake must not cost the other files theirs
            why = f"{internal_error(error)}; this file was not mended, please report it"
            return FixedText(text, replace(checked, failure=Failure(name, why)), 0)
        return result


def _check(name: str, text: str, options: Options) -> Checked:
    return check_bytes(name, text.encode("utf-8"), options)


def _difference(name: str, old: str, new: str) -> Iterator[str]:
    """The lines of a unified diff that `git apply` takes."""
    for line in difflib.unified_diff(
        _lines(old), _lines(new), f"a/{name}", f"b/{name}", lineterm=""
    ):
        yield from line.split("\n")


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1]:
        lines[-1] += f"\n{_NO_LINE_END}"
    else:
        lines.pop()
    return lines
