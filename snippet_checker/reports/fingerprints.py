"""What tells a finding from another one, for services that compare one report with the next."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator


def fingerprints(issues: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """A digest for each issue's path, rule and message; lines above it may come and go.

    Of issues that are alike, the second one counts as the second.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    for issue in issues:
        seen[issue] += 1
        text = "\0".join([*issue, str(seen[issue])])
        yield hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
