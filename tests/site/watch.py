"""Browsers that cannot stop the tests: one that does not answer is ended, and says where.

Most calls to a browser have no limit of their own. One that never returns would cost all that its
process has yet to test.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from greenlet import greenlet

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).resolve().parents[2]
HUNG = ROOT / "build/tested/browsers-that-hung.txt"
LIMIT = 300.0  # seconds; beside other work the longest test takes 160

CHROMIUM = Path("/usr/bin/chromium")
# The browser must not talk to anybody either, or "no external request" would prove nothing.
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class Browsers:
    """Starts a browser when one is asked for, and another one when the first was ended.

    `environment` is set in the browser's process beside our own. What is known of a browser that
    had to be ended is added to `report`.
    """

    def __init__(
        self,
        playwright: Playwright,
        environment: Mapping[str, str] | None = None,
        report: Path = HUNG,
    ) -> None:
        self._playwright = playwright
        self._environment = {**os.environ, **(environment or {})}
        self._report = report
        self._running: tuple[Browser, int] | None = None

    @contextmanager
    def watched(self, what: str, limit: float = LIMIT) -> Iterator[Browser]:
        """A browser that is killed where the block takes longer than `limit` seconds.

        What then waits for it raises TargetClosedError.
        """
        if self._running is None or not self._running[0].is_connected():
            self._running = self._start()
        browser, process = self._running
        said = f"{what}: no end after {limit:g} s"
        watch = threading.Timer(limit, _end, (process, said, self._report))
        watch.start()
        try:
            yield browser
        finally:
            watch.cancel()

    def close(self) -> None:
        if self._running is not None and self._running[0].is_connected():
            with self.watched("closing a browser") as browser:
                browser.close()

    def _start(self) -> tuple[Browser, int]:
        browser = self._playwright.chromium.launch(
            executable_path=CHROMIUM, args=CHROMIUM_ARGS, env=self._environment
        )
        session = browser.new_browser_cdp_session()
        found = session.send("SystemInfo.getProcessInfo")["processInfo"]
        session.detach()
        return browser, next(each["id"] for each in found if each["type"] == "browser")


def _end(process: int, what: str, report: Path) -> None:
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    try:
        known = f"{_processes_of(process)}{_waiting()}"
        report.parent.mkdir(parents=True, exist_ok=True)
        with report.open("a", encoding="utf-8") as file:
            file.write(f"{what}, {now}\n{known}\n")
    finally:  # whatever is wrong with the report
        os.kill(process, signal.SIGKILL)


def _processes_of(browser: int) -> str:
    """The processes of a browser: their kind, their state and the processor time they took."""
    lines = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_text("utf-8", "replace")
            # After the name: state, parent, group, … and, as 12th and 13th, times.
            fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(fields[2]) == browser:
            kind = re.search(r"--type=([\w-]+)", command)
            name = kind[1] if kind else "browser"
            lines.append(f"  {folder.name} {name}: state {fields[0]}, ticks {fields[11:13]}\n")
    return "".join(lines)


def _waiting() -> str:
    """Where tests wait: each runs in a greenlet beside the one that talks to the browser."""
    frames = (each.gr_frame for each in gc.get_objects() if isinstance(each, greenlet))
    places = ("".join(traceback.format_stack(frame)[-12:]) for frame in frames if frame)
    return "\n".join(places)
