"""What changes for a command on a newer release, though that accepts it."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

from snippet_checker.text.places import Span

MANDATORY = "???"
T = TypeVar("T")


class DefaultChange(Struct, frozen=True):
    """A default that is another one in the newer release, or one of a key that came with it.

    `old_key` is what the older release called the key. `since` is the first release with the new
    default, None where the releases' usual programs do not tell. A key that `must_be_set` has no
    default any more. `keep` is the override that keeps the old value, None where the newer
    release refuses each that is known. Of a key that the older release has not got, `why`
    says what its default changes, and `old` is the value that changes nothing.
    """

    key: str
    old_key: str
    old: Any
    new: Any
    since: str | None
    keep: str | None
    why: str | None = None

    @property
    def must_be_set(self) -> bool:
        return bool(self.new == MANDATORY)


class RequiredOverride(Struct, frozen=True):
    """An override that is needed beside what took the place of an old key, and why."""

    override: str
    why: str

    @property
    def key(self) -> str:
        return self.override.partition("=")[0]


class MeaningChange(Struct, frozen=True):
    """A value that a command sets, and that means something else from the release `since` on.

    `keep` is the override that does what it did, None where there is none.
    """

    key: str
    value: Any
    since: str
    keep: str | None
    why: str


class CommandChanges(Struct, frozen=True):
    """What changes for the command that stands at `span`: its defaults by their keys, and meanings.

    `beside` is what has to be set beside its own settings, and `beyond` says what no override does.
    """

    span: Span
    defaults: tuple[DefaultChange, ...] = ()
    meanings: tuple[MeaningChange, ...] = ()
    beside: tuple[RequiredOverride, ...] = ()
    beyond: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.defaults or self.meanings or self.beside or self.beyond)

    def with_those_of(self, other: CommandChanges) -> CommandChanges:
        """The changes of two launches of one command, each told once."""
        return CommandChanges(
            self.span,
            tuple(sorted(_all(self.defaults, other.defaults), key=lambda default: default.key)),
            _all(self.meanings, other.meanings),
            _all(self.beside, other.beside),
            _all(self.beyond, other.beyond),
        )


def _all(these: tuple[T, ...], those: tuple[T, ...]) -> tuple[T, ...]:
    return (*these, *(one for one in those if one not in these))
