"""Decoded files as frozen types; errors name the fields as the file spells them."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from snippet_checker.text.closest import closest

T = TypeVar("T", bound=msgspec.Struct)


class Mismatch(ValueError):
    """A table is not what its type says; the message is the end of a line that says where."""


def read(table: Mapping[str, Any], kind: type[T], place: str, **filled: object) -> T:
    """A table as a type, with `filled` in the fields that no file may set; raises Mismatch.

    `place` is what the table is called. What a field must be is told by the `description` of its
    type, if that has one, and by its `limit` where only the characters of a string do not fit.
    """
    known = [name for name in kind.__struct_encode_fields__ if name not in filled]
    for key in table:
        if key not in known:
            like = closest(key, known)
            hint = f"; did you mean '{like}'?" if like is not None else ""
            raise Mismatch(f"{place} has no '{key}'; it has {', '.join(known)}{hint}")
    try:
        return msgspec.convert({**table, **filled}, kind)
    except msgspec.ValidationError:
        raise Mismatch(place + next(_faults(table, kind))) from None


def fits(value: object, kind: Any) -> bool:
    """Whether a value is of a type."""
    return _why_not(value, kind) is None


def text_of(data: object) -> str:
    """Types as the text of a JSON file: one fact a line."""
    return json.dumps(msgspec.to_builtins(data), indent=1, ensure_ascii=False) + "\n"


def _faults(table: Mapping[str, Any], kind: type[msgspec.Struct]) -> Iterator[str]:
    """What is wrong with the fields of a table: those that are there, then those that are not."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key, value in table.items():
        reason = _why_not(value, fields[key].type)
        if reason is not None:
            wanted = _description(fields[key].type, with_limit="regex" in reason)
            said = f"must be {wanted}" if wanted else f"cannot be {value!r}: {reason}"
            yield f": '{key}' {said}"
    for name, field in fields.items():
        if field.required and name not in table:
            yield f" lacks '{name}'"


def _why_not(value: object, kind: Any) -> str | None:
    """Why a value is not of a type, in the library's words."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return None


def _description(kind: Any, *, with_limit: bool) -> str | None:
    """What a type, or the first of those in a union, is described as."""
    options = (kind, *typing.get_args(kind))
    metas = (meta for option in options for meta in getattr(option, "__metadata__", ()))
    meta = next((meta for meta in metas if isinstance(meta, msgspec.Meta)), None)
    limit = (meta.extra or {}).get("limit") if meta is not None and with_limit else None
    described = meta.description if meta is not None else None
    return f"{described}, {limit}" if described and limit else described
