"""What a document and its project say of a setting that verl does not have."""

from __future__ import annotations

from dataclasses import dataclass

from snippet_checker.projects.files import NO_FILES
from snippet_checker.projects.own_yaml import OwnKeys


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Whether the document starts programs that are not verl's, and the project's own keys."""

    own_keys: OwnKeys
    beside_others: bool = False


ALONE = Surroundings(OwnKeys("", NO_FILES))
"""A document of which nothing is known."""
