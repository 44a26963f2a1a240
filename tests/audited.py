"""Check files under Python's audit hook: `python -m tests.audited WARM FOLDER FILE…`.

The files of WARM are checked first, so that everything is loaded that a document may need. What
happens afterwards and is not on the short lists below is printed, a line each.
"""

from __future__ import annotations

import os
import pkgutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from snippet_checker.pipeline import Options
from snippet_checker.runner import check_paths, find_files
from snippet_checker.verl.release import load, releases
from tests.configured import VERL

PACKAGE = Path(sys.modules["snippet_checker"].__file__ or "").parent
DANGEROUS = (
    *(
        "subprocess.",
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.fork",
        "os.startfile",
    ),
    *("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.", "ctypes.", "sqlite3."),
    *("exec", "compile", "import", "code.__new__", "cpython.run_", "marshal.load", "pickle."),
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"),
    *("os.chmod", "os.chown", "os.utime", "os.putenv", "os.kill", "shutil.", "tempfile.", "glob."),
)


class Watch:
    """Keeps what happens from `start` on and should not."""

    def __init__(self, folder: Path) -> None:
        self._folders = (str(folder), str(PACKAGE))
        self.is_on = False
        self._annotations = annotations()
        self.seen: dict[str, None] = {}

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        if event == "open":
            self._opened(arguments[0], arguments[1])
        elif event == "compile" and arguments[0] in self._annotations:
            return  # a fact of ours, from a snapshot, that is only parsed
        elif event.startswith(DANGEROUS):
            self.seen[f"{event} {str(arguments)[:200]}"] = None

    def _opened(self, path: object, mode: object) -> None:
        if isinstance(path, int):
            return
        place = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
        is_known = place.startswith(self._folders)
        if not is_known or (mode is not None and set(str(mode)) & set("wax+")):
            self.seen[f"open {place} {mode}"] = None


def annotations() -> frozenset[bytes]:
    """The types of settings in the snapshots, which `ast.parse` reads."""
    declared = (d for name in releases() for d in load(name).facts.declarations.values())
    fields = (field for declaration in declared for field in declaration.fields.values())
    return frozenset(field.annotation.encode() for field in fields)


def load_everything() -> None:
    """Import the modules of the package that are otherwise loaded when first needed."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "snippet_checker."):
        if "snapshot_builder" not in module.name and not module.name.endswith("__main__"):
            import_module(module.name)


def main(warm: Path, folder: Path, names: list[str]) -> None:
    options = Options(VERL, strict=True)
    load_everything()
    result = check_paths(find_files([warm], warm), options)
    assert not result.failures
    files = [Path(name) for name in names] or find_files([folder], folder)
    watch = Watch(folder.resolve())
    sys.addaudithook(watch.hook)
    watch.is_on = True
    for start in range(0, len(files), 20):  # so few that no other process is started
        result = check_paths(files[start : start + 20], options)
        assert not result.failures, result.failures
    watch.is_on = False
    print("\n".join([f"checked {len(files)} files", *watch.seen]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
