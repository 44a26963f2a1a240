"""What speaks for a key, and how much: each number once.

They were tuned together, on the lists in `tests/suggest`. The key finder of the site gets them as
data, so that it ranks as the checker does.
"""

from __future__ import annotations

from msgspec import Struct


class Weights(Struct, frozen=True, rename=str.upper):
    """The weights and limits of likeness that the checker and the key finder share.

    A likeness is from 0 to 1; what says more than any likeness has more than 1.
    """

    # A score: its parts, and what is taken off.
    name_counts: float = 0.62
    parents_count: float = 0.34
    live_counts: float = 0.05  # the program composes the key
    whole: float = 0.35  # all parts of the one asked for are there, in their order
    contradiction: float = 0.15
    not_spoken_of: float = 0.12
    legacy: float = 0.1

    # The likeness of a name.
    same_name: float = 1.4
    same_common: float = 1.15  # a name that stands in many places
    same_words: float = 1.1  # be they of one part or of several
    same_meaning: float = 1.6  # what other trainers call so
    deeper: float = 0.3  # and what they do in that place, for each part
    meant_too: float = 0.05  # to be like it and meant
    later: float = 0.02  # what each further meaning lies behind
    in_parents: float = 0.85  # a word that stands in the name here, and in the parents there

    # The likeness of parents.
    asked_counts: float = 0.65  # what of the ones asked for is found
    found_counts: float = 0.35  # what of the ones found is asked for
    same_role: float = 0.9  # whose settings stand in them, said in other words
    role_among_others: float = 0.6
    role_weight: float = 2.0
    root_weight: float = 0.4  # the shared root says nothing, and is often left out

    # Limits.
    worth_naming: float = 0.7
    enough: float = 0.65  # what a key with parents has to reach: below it, most guesses are wrong
    alike: float = 0.4  # what the parents of a name that is soon found have to reach
    alike_in: float = (
        0.8  # from here on, a name in an open mapping is rather a misspelling of a real one
    )
    nearly: float = 0.86  # from here on, a name is taken for a misspelling of another one
    nearly_longer: int = 2  # characters by which a misspelling of a name may be longer or shorter
    many_places: int = 6  # keys of one last name from which on the name alone says nothing
    few_words: int = 2  # that two names share; fewer say little
    deepest: int = 3  # parts at the end of a key that may mean something together
    deepest_known: int = 2  # the same for verl's own keys
    as_likely: float = 0.06  # what a further guess may lie behind the first
    most: int = 3  # guesses
    digits: int = 3  # of scores, to which they are compared


WEIGHTS = Weights()
