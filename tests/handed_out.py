"""Which tests go to one process together, where several run."""

from __future__ import annotations

import pytest
from xdist.scheduler import LoadGroupScheduling


class FileByFile(LoadGroupScheduling):
    """Groups as they are marked, and of the other tests those of a file; in their order.

    With each test that is done, xdist counts all that its process was ever given. If each of six
    thousand tests were handed out alone, that would take as long as a twentieth of the tests.
    """

    def __init__(self, config: pytest.Config, log: object) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # or a file of one long test would come last

    def _split_scope(self, nodeid: str) -> str:
        group: str = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if group == nodeid else group
