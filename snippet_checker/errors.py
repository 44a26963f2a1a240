"""What ends the command with a line for its user, wherever it is found."""

from __future__ import annotations


class UserError(Exception):
    """What the user can fix; the message says what is wrong and what to do."""


class DataError(Exception):
    """The checker's own data is not what it has to be; the message says where and why."""
