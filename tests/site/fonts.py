"""A browser on a system with other fonts than this one's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.site.conftest import CHROMIUM, CHROMIUM_ARGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

FOLDERS = {
    # Widest letters, and none of the families of code that the style sheet names.
    "DejaVu": ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/opentype/noto"),
    "Liberation": ("/usr/share/fonts/truetype/liberation", "/usr/share/fonts/opentype/noto"),
}
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  {folders}
  <cachedir>{cache}</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
</fontconfig>
"""


@contextmanager
def browser_with(playwright: Playwright, name: str, folder: Path) -> Iterator[Browser]:
    """A browser that finds the fonts of that name, and Chinese and Japanese ones, only."""
    folders = "".join(f"<dir>{path}</dir>" for path in FOLDERS[name])
    file = folder / f"{name}.conf"
    file.write_text(CONFIGURATION.format(folders=folders, cache=folder / "cache"), "utf-8")
    started = playwright.chromium.launch(
        executable_path=CHROMIUM,
        args=CHROMIUM_ARGS,
        env={**os.environ, "FONTCONFIG_FILE": str(file)},
    )
    yield started
    started.close()
