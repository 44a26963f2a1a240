"""What a document and its project say of a setting that verl does not have."""

from __future__ import annotations

from dataclasses import dataclass

from snippet_checker.projects.files import NO_FILES, ProjectFiles
from snippet_checker.projects.own_checks import OwnChecks
from snippet_checker.projects.own_copy import CopyKeys
from snippet_checker.projects.own_names import OwnNames
from snippet_checker.projects.own_reads import OwnReads
from snippet_checker.projects.own_schema import OwnSchema
from snippet_checker.projects.own_types import OwnTypes
from snippet_checker.projects.own_words import OwnWords
from snippet_checker.projects.own_yaml import OwnKeys
from snippet_checker.projects.programs import OwnStart


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The keys that the project's configs and its copy of verl have, and verl has not.

    So are the flags of its programs, the words that it takes, what it reads, the settings that
    its classes declare, the kinds of values that its copy takes, and the checks that this has left
    out. A document may be `beside_others`: it starts programs that are not verl's.
    """

    own_keys: OwnKeys
    copy_keys: CopyKeys
    own_names: OwnNames
    own_words: OwnWords
    own_reads: OwnReads
    own_schema: OwnSchema
    own_start: OwnStart
    own_types: OwnTypes
    own_checks: OwnChecks
    beside_others: bool = False


def around(path: str, files: ProjectFiles, *, beside_others: bool = False) -> Surroundings:
    """What is around the document at `path`."""
    return Surroundings(
        OwnKeys(path, files),
        CopyKeys(path, files),
        OwnNames(path, files),
        OwnWords(path, files),
        OwnReads(path, files),
        OwnSchema(path, files),
        OwnStart(path, files),
        OwnTypes(path, files),
        OwnChecks(path, files),
        beside_others,
    )


ALONE = around("", NO_FILES)
"""A document of which nothing is known."""
