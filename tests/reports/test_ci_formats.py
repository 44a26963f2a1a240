"""What continuous integration reads: annotations of GitHub, code quality of GitLab."""

from __future__ import annotations

import json
import re

import pytest
from msgspec.structs import replace

from snippet_checker import reports
from snippet_checker.findings import Failure, Result
from snippet_checker.links import Links
from snippet_checker.pipeline import Options, check_text
from snippet_checker.reports.fingerprints import fingerprints
from snippet_checker.results import result_of
from tests.configured import VERL

SCRIPT = """\
python3 -m verl.trainer.main_ppo trainer.nnode=2 \\
    data.train_files=a trainer.nnode=2
"""
# As GitHub's runner reads a command: https://github.com/actions/toolkit, core.issueCommand.
_COMMAND = re.compile(r"::(?P<name>\w+) (?P<properties>[^\n]*?)::(?P<message>.*)")


def _result(path: str = "a.sh", text: str = SCRIPT) -> Result:
    return check_text(path, text, Options(VERL))


def _printed(name: str, result: Result) -> str:
    form = reports.form(name)
    return "\n".join(form.lines(result))


def _read(line: str) -> dict[str, str]:
    """A command as the runner understands it."""
    match = _COMMAND.fullmatch(line)
    assert match is not None, line
    found = {"command": match["name"], "message": match["message"]}
    for one in match["properties"].split(","):
        key, _, value = one.partition("=")
        found[key] = value
    for code, character in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        found = {key: value.replace(code, character) for key, value in found.items()}
    return found


@pytest.mark.parametrize("path", ["a.sh", "50%, of:it.sh"])
def test_github_gets_each_finding_at_its_place(path: str) -> None:
    result = _result(path)
    *commands, summary = _printed("github", result).split("\n")
    read = [_read(line) for line in commands]
    assert [(one["file"], one["line"], one["col"], one["title"]) for one in read] == [
        (path, "1", "34", "unknown-key"),
        (path, "2", "24", "unknown-key"),
    ]
    more = "\nmore: snippet-checker explain unknown-key"
    messages = [finding.message + more for finding in result.findings]
    assert [one["message"] for one in read] == messages
    assert {one["command"] for one in read} == {"error"}
    assert summary.startswith("3 settings in 1 snippet of 1 file")


def test_github_gets_no_columns_of_several_lines() -> None:
    result = _result()
    first = result.findings[0]
    longer = replace(first, span=replace(first.span, end_line=2), message="100%,\nof: it")
    links = Links.below("https://example.org/en")
    printed = _printed("github", replace(result, findings=(longer,), links=links))
    command = _read(printed.split("\n")[0])
    assert command == {
        "command": "error",
        "message": "100%,\nof: it\nmore: https://example.org/en/checker/rules/unknown-key.html",
        "file": "a.sh",
        "line": "1",
        "endLine": "2",
        "title": "unknown-key",
    }


def test_gitlab_knows_a_finding_again_when_lines_move() -> None:
    before, after = (
        json.loads(_printed("gitlab", _result(text=text))) for text in (SCRIPT, "\n\n" + SCRIPT)
    )
    assert [one["fingerprint"] for one in before] == [one["fingerprint"] for one in after]
    assert len({one["fingerprint"] for one in before}) == len(before) == 2
    assert [one["location"]["lines"]["begin"] for one in after] == [3, 4]
    assert {(one["check_name"], one["severity"]) for one in after} == {("unknown-key", "major")}


def test_the_fingerprint_of_an_issue_stays_from_version_to_version() -> None:
    """SHA-256 of the three and its number, with a NUL between them."""
    first, second = fingerprints([("a.sh", "unknown-key", "wrong")] * 2)
    assert first == "67116eea30da7a89f8d25ae5971e38a40ffb8122d7c5b3a9e9337d6fcc7d6f42"
    assert second == "08a2a64e109e8f26a342f01d51370d478c5ac5e98780d558d1df40096c597010"


@pytest.mark.parametrize("name", ["github", "gitlab"])
def test_what_was_not_checked_is_told(name: str) -> None:
    result = result_of([], Options(VERL))
    failed = replace(result, failures=(Failure("gone.sh", "there is no such file"),))
    assert "gone.sh" in _printed(name, failed)
    assert "there is no such file" in _printed(name, failed)
