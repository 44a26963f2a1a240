"""What a document and its project say of a setting that verl does not have."""

from __future__ import annotations

from dataclasses import dataclass

from snippet_checker.projects.files import NO_FILES
from snippet_checker.projects.own_copy import CopyKeys
from snippet_checker.projects.own_yaml import OwnKeys


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The keys that the project's configs and its copy of verl have, and verl has not.

    A document may be `beside_others`: it starts programs that are not verl's.
    """

    own_keys: OwnKeys
    copy_keys: CopyKeys
    beside_others: bool = False


ALONE = Surroundings(OwnKeys("", NO_FILES), CopyKeys("", NO_FILES))
"""A document of which nothing is known."""
