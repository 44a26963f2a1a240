"""Add the schema of the newest release of verl, where the checker does not know it yet.

Run each week by .github/workflows/new-verl.yml. Printed is the name of the release, or nothing
where it is known; the report says what changes, which checks fail, and what is left for people.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import parse_wheel_filename
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
_MOST = 12_000  # characters of one command's output; a pull request takes 65,536 in all
_CHECKER = (sys.executable, "-m", "snippet_checker")
_CHECKS = (("make", "lint"), ("make", "html"), ("make", "test"))


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has run, and all that it printed."""

    command: Sequence[str]
    status: int
    output: str

    def section(self, title: str) -> str:
        """What it came to, as Markdown that nothing in the output leaves."""
        text = self.output.strip()
        if len(text) > _MOST:
            text = f"{text[:_MOST]}\n… ({len(text) - _MOST} characters more)"
        fence = "`" * 3
        while fence in text:
            fence += "`"
        return f"## {title}\n\n{fence}text\n{text}\n{fence}\n"


def run(*command: str) -> Done:
    """Run a command in the repository."""
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return Done(command, done.returncode, done.stdout)


def newest() -> str:
    """The newest release of verl that pip brings; exits with a line where it brings none."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
        done = run(*pip, "--no-deps", "--only-binary=:all:", "--dest", folder, "verl")
        wheels = [file.name for file in Path(folder).glob("*.whl")]
    if done.status or len(wheels) != 1:
        last = (done.output.strip().splitlines() or ["no wheel came"])[-1]
        sys.exit(f"cannot find out the newest release of verl: {last}")
    _, version, _, _ = parse_wheel_filename(wheels[0])
    return str(version)


def known() -> list[str]:
    """The releases that the checker knows, the oldest first."""
    return run(*_CHECKER, "schema", "list").output.split()


def is_new(release: str, known: Sequence[str]) -> bool:
    """Whether a release is newer than all that are known."""
    return all(Version(release) > Version(name) for name in known)


def report(release: str, added: Done, ours: Done, checks: Sequence[Done]) -> str:
    """The text of the pull request."""
    named = [(" ".join(check.command), check) for check in checks]
    results = [f"- `{name}`: {'failed' if c.status else 'passed'}" for name, c in named]
    parts = [
        f"verl {release} is out. This adds its schema; "
        "“Add a release of verl” in CONTRIBUTING.md says what is left to do, from its step 3 on.",
        "The guide still describes the release before. No workflow has run for this pull request "
        "yet: close it and open it again to start them.",
        "\n".join(results),
        added.section("What changes, and what has to be read again"),
        ours.section(f"Our own pages, checked against verl {release}"),
        *(check.section(f"`{name}` failed") for name, check in named if check.status),
    ]
    return "\n\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("report", type=Path, help="the file that the report is written to")
    options = parser.parse_args()
    release = newest()
    if not is_new(release, known()):
        print(f"verl {release} is known", file=sys.stderr)
        return 0
    added = run(*_CHECKER, "schema", "add", release)
    if added.status:
        print(added.output, file=sys.stderr)
        return 1
    ours = run(*_CHECKER, "check", "--verl", release)
    text = report(release, added, ours, [run(*check) for check in _CHECKS])
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text(text, "utf-8")
    print(release)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
