"""A system with other fonts than this one's, for a browser."""

from __future__ import annotations

from pathlib import Path

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


def environment_with(name: str, folder: Path) -> dict[str, str]:
    """What makes a program find the fonts of that name, and Chinese and Japanese ones, only.

    Its files are written to the folder.
    """
    folders = "".join(f"<dir>{path}</dir>" for path in FOLDERS[name])
    file = folder / f"{name}.conf"
    file.write_text(CONFIGURATION.format(folders=folders, cache=folder / "cache"), "utf-8")
    return {"FONTCONFIG_FILE": str(file)}
