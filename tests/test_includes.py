"""Files that documents take in are checked once, in their own place, and only inside the tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippet_checker import statuses
from snippet_checker.cli import main

WRONG = "python3 -m verl.trainer.main_ppo trainer.nnode=1\n"


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in `project`, with a page in `docs/guide`, and a script beside the project."""
    root = tmp_path / "project"
    for folder in ("docs/guide", "examples"):
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").write_text(
        "[tool.snippet-checker]\nexclude = ['examples/old.sh']\ncache = '.cache'\n"
    )
    for name in ("examples/train.sh", "examples/old.sh", "docs/near.sh", "../outside.sh"):
        (root / name).write_text(WRONG)
    (root / "examples/linked.sh").symlink_to(tmp_path / "outside.sh")
    monkeypatch.chdir(root)
    return root


def check(page: str, text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The files with findings, when only the page is named; asked twice, as the cache is."""
    Path(page).write_text(text)
    for _ in range(2):
        status = main(["check", "--format", "concise", page])
        lines = capsys.readouterr().out.splitlines()[:-1]
        assert status == (statuses.FOUND if lines else statuses.CLEAN)
    return [line.partition(":")[0] for line in lines]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("docs/guide/a.rst", ".. literalinclude:: ../../examples/train.sh\n   :language: bash\n"),
        ("docs/guide/a.rst", "   .. include:: /examples/train.sh\n"),
        ("docs/guide/a.md", "```{literalinclude} ../../examples/train.sh\n```\n"),
        ("docs/guide/a.md", ":::{include} /examples/train.sh\n:::\n"),
        ("docs/guide/a.md", '```bash\n--8<-- "examples/train.sh"\n```\n'),
        ("docs/guide/a.md", "    # --8<-- 'examples/train.sh:2:3'\n"),
        ("docs/guide/a.md", '--8<-- "examples/train.sh:part"\n'),
        ("docs/guide/a.md", "--8<--\nnowhere.sh\nexamples/train.sh\n--8<--\n"),
        ("docs/guide/a.mdx", "```{include} ../../examples/train.sh\n```\n"),
    ],
)
def test_an_included_file_is_checked(
    page: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(page, text, capsys) == ["examples/train.sh"]


@pytest.mark.parametrize(
    "path",
    [
        "../../../outside.sh",
        "../../examples/linked.sh",
        "../../examples/old.sh",
        "../../examples/missing.sh",
        "../../examples",
        "/etc/passwd",
        "https://example.org/train.sh",
        "train\0.sh",
        "a" * 5000 + ".sh",
    ],
)
def test_no_other_file_is(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = f'.. include:: {path}\n\n--8<-- "{path}"\n\n--8<-- ";examples/train.sh"\n'
    assert check("docs/guide/a.rst", text, capsys) == []


def test_includes_are_followed_and_each_file_is_checked_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("docs/b.md").write_text("```{include} guide/a.md\n```\n```{include} near.sh\n```\n")
    text = "```{include} ../b.md\n```\n```{include} ../near.sh\n```\n"
    assert check("docs/guide/a.md", text, capsys) == ["docs/near.sh"]
    assert main(["check", "."]) == statuses.FOUND
    found = capsys.readouterr().out.splitlines()[:-1]
    assert [line.partition(":")[0] for line in found].count("docs/near.sh") == 1
