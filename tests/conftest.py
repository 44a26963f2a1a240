"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes says more of the machine than of the code.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
