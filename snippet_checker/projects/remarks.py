"""Files that say what to install, without their remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator

_REMARK = re.compile(r"(?:^|(?<=\s))#")  # the `#egg=verl` of an address is none


def lines_without_remarks(text: str) -> Iterator[str]:
    """The lines of a file, without what stands behind a blank and `#`."""
    return (_REMARK.split(line, maxsplit=1)[0] for line in text.splitlines())
