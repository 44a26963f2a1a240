"""The exit statuses of the command."""

from __future__ import annotations

CLEAN, FOUND, USAGE, NOTHING_TO_CHECK, NOT_CHECKED = 0, 1, 2, 3, 4
READER_LEFT, BY_SIGNAL = 141, 128
"""The number of a signal is added to the last one."""
