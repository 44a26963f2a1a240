"""The exit statuses of the command."""

from __future__ import annotations

CLEAN, FOUND, USAGE, NOTHING_TO_CHECK, NOT_CHECKED = 0, 1, 2, 3, 4
READER_LEFT, BY_SIGNAL = 141, 128
LEFT_WITHOUT_SHUTDOWN = 1  # of the language server, as its protocol asks
"""The number of a signal is added to `BY_SIGNAL`."""
