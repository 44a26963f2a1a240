"""What the pages about the command say that it prints, it prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from snippet_checker import cli

PAGES = Path(__file__).parents[1] / "docs/checker"
SCRIPT = re.compile(r"^```bash\n# train\.sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ snippet-checker (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def cases(page: str) -> list[tuple[str, str]]:
    """The commands on a page that print something there, each with that."""
    text = (PAGES / page).read_text("utf-8")
    blocks = CONSOLE.findall(text)
    return [(command, said) for block in blocks for command, said in COMMAND.findall(block) if said]


@pytest.mark.parametrize("page", ["index.md", "fixes.md", "upgrade.md", "adoption.md"])
def test_a_page_shows_what_is_printed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands run one after another, as a reader would run them."""
    shown = SCRIPT.search((PAGES / page).read_text("utf-8"))
    example = SCRIPT.search((PAGES / "index.md").read_text("utf-8"))
    script = shown or example
    assert script is not None
    monkeypatch.chdir(tmp_path)
    Path("train.sh").write_text(f"# train.sh\n{script[1]}")
    found = [case for case in cases(page) if not case[0].startswith("schema add")]
    assert found
    for command, said in found:
        cli.main(shlex.split(command))
        captured = capsys.readouterr()
        assert captured.out + captured.err == said, command
