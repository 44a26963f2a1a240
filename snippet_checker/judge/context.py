"""What else a document and its project say of a setting, besides its own snippet."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from snippet_checker.projects.page_code import Reads
from snippet_checker.projects.project import NO_PROJECT, Project

_REGISTERED = re.compile(r"""\bregister\w{0,60}\(\s{0,80}(?:name\s?=\s?)?["']([\w-]{1,80})["']""")


class Context(Struct, frozen=True):
    """The project around a document, and whether that starts programs which are not verl's.

    Code that the document shows has `registered` some words with verl, and `reads` some names, each
    out of a mapping of another name.
    """

    project: Project = NO_PROJECT
    starts_other_programs: bool = False
    registered: frozenset[str] = frozenset()
    reads: Reads = frozenset()


def registered_in(texts: Iterable[str]) -> frozenset[str]:
    """The words that code registers: `@register_adv_est("mine")`."""
    return frozenset(word for text in texts for word in _REGISTERED.findall(text))


NO_CONTEXT = Context()
"""A document of which nothing is known."""
