"""The command as its users meet it: exit statuses, the two formats, and bad input."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from snippet_checker import cli, pipeline, runner, statuses
from snippet_checker.projects.whole_config import WholeConfig
from snippet_checker.verl.release import load
from tests.configured import VERL
from tests.launching import RIGHT, WRONG

pytestmark = pytest.mark.usefixtures("elsewhere")

VERLS = "https://github.com/volcengine/verl"


def run(*arguments: str) -> int:
    return cli.main(arguments)


def test_nothing_found(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.sh").write_text(RIGHT)
    assert run("check", "train.sh", "--verl", "0.9.1") == statuses.CLEAN
    assert capsys.readouterr().out == "1 setting in 1 snippet of 1 file; verl 0.9.1; 0 findings\n"


def test_a_finding_is_a_line_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.sh").write_text(WRONG)
    assert run("check", "train.sh", "--format", "concise") == statuses.FOUND
    first, last, _ = capsys.readouterr().out.split("\n")
    assert first.startswith("train.sh:1:34: error: Hydra refuses 'trainer.nnode', which no release")
    assert first.endswith("[unknown-key]")
    assert "1 finding" in last


def test_json_is_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.sh").write_text(WRONG)
    assert run("check", "train.sh", "--verl", "0.9.1", "--format", "json") == statuses.FOUND
    data = json.loads(capsys.readouterr().out)
    (finding,) = data.pop("findings")
    assert data == {
        "schema": 1,
        "verl": "0.9.1",
        "summary": {
            "files": 1,
            "snippets": 1,
            "settings": 1,
            "findings": 1,
            "fixed": 0,
            "unchecked": 0,
            "ignored": 0,
            "accepted": 0,
            "verified": 1,
            "coverage": 1.0,
            "unverified": {},
            "gaps": {},
            "skipped": {},
        },
        "failures": [],
    }
    assert finding.pop("message")
    assert finding.pop("fix")["safe"] is False
    assert finding == {
        "path": "train.sh",
        "line": 1,
        "column": 34,
        "end_line": 1,
        "end_column": 47,
        "rule": "unknown-key",
        "severity": "error",
        "stage": "hydra",
        "key": "trainer.nnode",
        "suggestion": "trainer.nnodes",
        "url": None,
    }


def test_json_without_findings_is_an_object_all_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("empty.md").write_text("")
    assert run("check", "empty.md", "--format", "json") == statuses.CLEAN
    assert json.loads(capsys.readouterr().out)["findings"] == []


def test_a_file_that_is_not_utf8_is_a_finding_and_the_rest_is_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.md").write_bytes(b"fine\n\xff\n")
    Path("b.sh").write_text(WRONG)
    assert run("check", "a.md", "b.sh") == statuses.FOUND
    out = capsys.readouterr().out
    assert "a.md:1:1: error: the file is not UTF-8: line 2 holds the byte 0xff" in out
    assert "b.sh:1:34" in out


def test_a_file_that_cannot_be_read_is_a_finding(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    Path("a.md").write_text("")
    monkeypatch.setattr(os, "open", refuse)
    assert run("check", "a.md") == statuses.FOUND
    assert "a.md:1:1: error: the file cannot be read: Permission denied" in capsys.readouterr().out


def test_a_broken_yaml_block_points_at_the_place(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.md").write_text("```yaml\ntrainer:\n  nnodes: [1\n```\n\n`trainer.nnode=1`\n")
    assert run("check", "a.md") == statuses.FOUND
    out = capsys.readouterr().out
    assert "[yaml-syntax]" in out
    assert "a.md:6:2: error: no release of verl has 'trainer.nnode'" in out


def test_a_missing_path_is_named_and_the_rest_is_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("b.sh").write_text(WRONG)
    assert run("check", "gone.md", "b.sh") == statuses.USAGE
    captured = capsys.readouterr()
    assert captured.err == "snippet-checker: gone.md: there is no such file or folder\n"
    assert "b.sh:1:34" in captured.out


def test_an_unknown_release_names_those_that_are_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("b.sh").write_text(WRONG)
    assert run("check", "b.sh", "--verl", "9.9") == statuses.USAGE
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "no schema of verl 9.9" in error
    assert "0.9.1" in error


@pytest.mark.parametrize(
    ("said", "meant"),
    [("v0.9.1", "0.9.1"), ("latest", "0.9.1"), ("0.7", "0.7.1"), ("0.2", "0.2"), ("v0.3", "0.3.0")],
)
def test_a_release_may_be_named_as_people_do(
    said: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("b.sh").write_text(WRONG)
    assert run("check", "b.sh", "--verl", said) == statuses.FOUND
    assert f"; verl {meant}" in capsys.readouterr().out


def test_a_release_without_its_dots_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.sh").write_text(WRONG)
    assert run("check", "b.sh", "--verl", "0.91") == statuses.USAGE
    assert "no schema of verl 0.91; did you mean 0.9.1?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["b.sh"], ["--format", "concise", "b.sh"], ["--strict"], ["--diff", "b.sh"]]
)
def test_paths_and_options_alone_are_checked(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("b.sh").write_text(WRONG)
    Path("pyproject.toml").write_text("[tool.snippet-checker]\npaths = ['b.sh']\n")
    said = []
    for command in ([], ["check"]):
        assert run(*command, *arguments) == statuses.FOUND
        said.append(capsys.readouterr())
    assert said[0] == said[1]


def test_the_options_of_a_command_stand_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--strict", "check", "b.sh") == statuses.USAGE
    assert "unrecognized arguments: --strict" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("chek", "did you mean 'check'?"),
        ("gone.sh", "the commands are check, upgrade, baseline, schema, explain, lsp, completion"),
    ],
)
def test_a_wrong_command_is_one_line(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(word) == statuses.USAGE
    error = capsys.readouterr().err
    assert error == f"snippet-checker: there is no command and no file '{word}'; {hint}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "--slect", "unknown-key"), "arguments: --slect; did you mean '--select'?; see"),
        (("check", "--zzz"), "unrecognized arguments: --zzz; see snippet-checker check --help"),
        (("check", "a.sh", "--format", "jsn"), "there is no 'jsn'; did you mean 'json'?"),
        (("check", "a.sh", "--format", "xml"), "choose from text, concise, json, sarif"),
        (("schema", "shw"), "there is no 'shw'; did you mean 'show'?"),
        (("schema", "diff", "0.8.0"), "the following arguments are required: B"),
    ],
)
def test_a_wrong_option_or_word_is_one_line(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == statuses.USAGE
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out


def test_without_anything_the_commands_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == statuses.USAGE
    out = capsys.readouterr().out
    assert out.startswith("usage: snippet-checker")
    assert "upgrade" in out


def without_help(text: str) -> list[str]:
    """The options of a `--help` that are named and not explained."""
    entry = re.compile(r"^  (-\S.*?|[A-Z]+)(?:  +\S.*)?$")
    lines = [*text.partition("options:")[2].split("\n"), "  -x"]
    pairs = itertools.pairwise(lines)
    found = ((entry.match(line), line, entry.match(after)) for line, after in pairs)
    return [line for match, line, next_ in found if match and next_ and line == f"  {match[1]}"]


@pytest.mark.parametrize(
    "command",
    [
        *(("check",), ("upgrade",), ("explain",), ("lsp",), ("completion",)),
        *(("baseline", "create"), ("baseline", "prune")),
        *(("schema", name) for name in ("list", "show", "diff", "export", "add", "unread")),
    ],
)
def test_every_option_says_what_it_is_for(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*command, "--help") == statuses.CLEAN
    text = capsys.readouterr().out
    assert "options:" in text
    assert without_help(text) == []


def test_an_option_without_help_is_found() -> None:
    text = "options:\n  -h, --help  show this\n  --bare X\n  --long NAME\n              what\n"
    assert without_help(text) == ["  --bare X"]


def test_rules_are_only_counted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.sh").write_text(f"{WRONG}{WRONG}python3 -m verl.trainer.main_ppo data.xyz_q=1\n")
    assert run("check", "train.sh", "--statistics", "--max-findings", "1") == statuses.FOUND
    first, last, _ = capsys.readouterr().out.split("\n")
    assert first == "3 unknown-key (fixable: 2 by --unsafe-fixes)"
    assert last.endswith("3 findings")


def test_files_are_shown_and_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("docs").mkdir()
    Path("docs/a.sh").write_text(WRONG)
    Path("docs/b.png").write_bytes(b"")
    assert run("check", "--show-files", "docs", "--exclude", "docs/c*") == statuses.CLEAN
    assert capsys.readouterr().out == "docs/a.sh\n"
    assert run("check", "--show-files", "docs", "gone") == statuses.USAGE
    assert run("check", "--show-files", "docs", "--exclude", "docs/*") == statuses.NOTHING_TO_CHECK


@pytest.mark.parametrize("command", ["check", "upgrade"])
def test_a_report_is_written_into_a_file(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.sh").write_text(WRONG)
    Path("report").write_text("before")
    assert run(command, "train.sh", "--format", "json") == statuses.FOUND
    printed = capsys.readouterr().out
    arguments = (command, "train.sh", "--format", "json", "--output-file")
    assert run(*arguments, "report") == statuses.FOUND
    assert Path("report").read_text("utf-8") == printed
    assert capsys.readouterr().out == ""
    assert run(*arguments, "gone/report") == statuses.NOT_CHECKED
    assert "the report cannot be written: gone/report: No such" in capsys.readouterr().err


def test_an_upgrade_goes_by_a_configuration_and_leaves_files_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("train.sh").write_text(WRONG)
    Path("other.toml").write_text("[tool.snippet-checker]\nverl = '0.8.0'\n")
    assert run("upgrade", "train.sh", "--config", "other.toml") == statuses.FOUND
    assert " to verl 0.8.0; " in capsys.readouterr().out
    left_out = ("--exclude", "train.sh", "--force-exclude")
    assert run("upgrade", "train.sh", *left_out) == statuses.NOTHING_TO_CHECK


def test_a_rule_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "unknwon-key") == statuses.USAGE
    assert "did you mean 'unknown-key'?" in capsys.readouterr().err
    assert run("explain", "x") == statuses.USAGE
    assert "there are bare-ignore, " in capsys.readouterr().err


def test_an_unknown_entry_point_names_those_that_are_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("b.sh").write_text(WRONG)
    assert run("check", "b.sh", "--entry", "verl.trainer.nope") == statuses.USAGE
    assert "verl.trainer.main_ppo" in capsys.readouterr().err


def test_nothing_to_check_is_a_status_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    Path("picture.png").write_bytes(b"")
    assert run("check", "picture.png") == statuses.NOTHING_TO_CHECK
    assert "no file to check" in capsys.readouterr().err


def test_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    assert run("check", "--stdin-filename", "draft.sh", "-") == statuses.FOUND
    assert capsys.readouterr().out.startswith("draft.sh:1:34:")


def test_standard_input_needs_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "-") == statuses.USAGE
    assert "--stdin-filename" in capsys.readouterr().err


def test_without_a_path_the_configuration_says_what_to_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("docs/old", "docs/new"):
        Path(folder).mkdir(parents=True)
        Path(folder, "page.md").write_text("`trainer.nnode=1`")
    Path("pyproject.toml").write_text(
        '[tool.snippet-checker]\npaths = ["docs"]\nexclude = ["docs/old/*"]\nverl = "0.7.1"\n'
    )
    monkeypatch.chdir("docs/new")
    assert run("check") == statuses.FOUND
    out = capsys.readouterr().out
    assert "docs/new/page.md:1:2" in out
    assert "docs/old" not in out
    assert "verl 0.7.1" in out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[tool.snippet-checker]\npath = []\n", "did you mean 'paths'?"),
        ("[tool.snippet-checker]\npaths = 'docs'\n", "must be a list of strings"),
        ("[tool]\nsnippet-checker = 3\n", "must be a table"),
        ("[tool.snippet_checker]\nverl = '0.7.1'\n", "write [tool.snippet-checker]"),
        ("[tool.Snippet-Checker]\nverl = '0.7.1'\n", "write [tool.snippet-checker]"),
        ("[snippet-checker]\nverl = '0.7.1'\n[tool]\n", "[snippet-checker] is not read"),
        ("[snippet-checker.overrides]\n", "[snippet-checker] is not read"),
        ("not toml", "pyproject.toml"),
        ("a = " + "[" * 5000, "pyproject.toml is nested too deeply to be read"),
        ("a = " + "9" * 5000, "pyproject.toml: "),
        ("\ufeff[tool]\n", "pyproject.toml: "),
        ("# \udcff", "pyproject.toml is not UTF-8: line 1 holds the byte 0xff"),
        ("a = 1\n" * 2_000_000, "pyproject.toml is too large"),
        ("[tool.snippet-checker]\nverl = 1\n", "'verl' must be a string"),
        (
            '[tool.snippet-checker]\ncache = "\\u0000"\n',
            "neither empty nor with the character U+0000",
        ),
        ('[tool.snippet-checker]\nverl = ""\n', "'verl' must be a string, neither empty nor"),
        ('[tool.snippet-checker]\nignore = "x"\n', "'ignore' must be a list of strings\n"),
        (
            '[tool.snippet-checker]\npaths = ["\\u0000"]\n',
            "neither empty nor with the character U+0000",
        ),
        (f"a{'.a' * 40_000} = 1\n", "a key has more than 100 parts"),
        (f"[{'a . ' * 200}'a']\n", "a key has more than 100 parts"),
        ('[tool.snippet-checker]\nglossary = "."\n', "cannot be read: Is a directory"),
        ('[tool.snippet-checker]\nglossary = "/dev/zero"\n', "it is a pipe or a device"),
    ],
    ids=lambda value: ascii(value[:40]),
)
def test_a_configuration_that_cannot_be_used_is_one_line(
    text: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("pyproject.toml").write_text(text, "utf-8", "surrogateescape")
    assert run("check") == statuses.USAGE
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("kind", ["folder", "pipe", "circle"])
def test_what_is_called_like_a_configuration_and_is_no_file(kind: str) -> None:
    project = Path("pyproject.toml")
    if kind == "folder":
        project.mkdir()
    elif kind == "pipe":
        os.mkfifo(project)
    else:
        project.symlink_to(project)
    Path("train.sh").write_text(RIGHT)
    assert run("check", "train.sh") == statuses.CLEAN


EMPTY = [
    (["check", "a.sh", "--select", ""], "the argument behind '--select' is empty"),
    (["check", "a.sh", "--select="], "'--select=' has no value"),
    (["check", "a.sh", "--select", " , "], "argument --select: ' , ' names no rule"),
    (["check", "a.sh", "--ignore", ""], "the argument behind '--ignore' is empty"),
    (["check", "a.sh", "--ignore=,"], "argument --ignore: ',' names no rule"),
    (["check", "a.sh", "--verl", ""], "the argument behind '--verl' is empty"),
    (["check", "a.sh", "--verl="], "'--verl=' has no value"),
    (["check", "a.sh", "--entry", ""], "the argument behind '--entry' is empty"),
    (["check", "a.sh", "--exclude", ""], "the argument behind '--exclude' is empty"),
    (["check", "a.sh", "--config="], "'--config=' has no value"),
    (["check", ""], "the argument behind 'check' is empty"),
    ([""], "the first argument is empty"),
    (["upgrade", "--from", "", "a.sh"], "the argument behind '--from' is empty"),
    (["baseline", "create", ""], "the argument behind 'create' is empty"),
    (["schema", "list", "--verl="], "'--verl=' has no value"),
    (["lsp", "--entry", ""], "the argument behind '--entry' is empty"),
]


@pytest.mark.parametrize(("arguments", "reason"), EMPTY)
def test_a_variable_that_nobody_has_set_is_a_usage_error(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must neither switch all rules off nor choose another release or folder."""
    Path("a.sh").write_text(WRONG)
    assert cli.main(arguments) == statuses.USAGE
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"snippet-checker: {reason}")
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (
            ["-", "d"],
            statuses.USAGE,
            ["'-' is standard input, and no path can be given besides it"],
        ),
        (
            ["a.sh", "-"],
            statuses.USAGE,
            ["'-' is standard input, and no path can be given besides"],
        ),
        (
            ["--jobs", "99999999", "a.sh"],
            statuses.USAGE,
            ["must be a number from 1 to 999999, not"],
        ),
        (
            ["--max-findings", "0", "a.sh"],
            statuses.USAGE,
            ["must be a number from 1 to 999999, not"],
        ),
        (
            ["a.xyz", "b.xyz"],
            statuses.NOTHING_TO_CHECK,
            [
                "a.xyz: it is not checked: it has no format that is read",
                "b.xyz: it is not checked: it has no format that is read",
                "files that are read: .md, ",
                "no file to check",
            ],
        ),
    ],
)
def test_what_is_wrong_is_said_once(
    arguments: list[str], status: int, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.sh").write_text(RIGHT)
    Path("d").mkdir()
    Path("a.xyz").write_text(RIGHT)
    Path("b.xyz").write_text(RIGHT)
    assert cli.main(["check", *arguments]) == status
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(said)
    for line, begin in zip(lines, said, strict=True):
        assert begin in line


def test_a_missing_path_stands_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.sh").write_text(WRONG)
    assert run("check", "gone.md", "b.sh", "--format", "json") == statuses.USAGE
    data = json.loads(capsys.readouterr().out)
    why = "there is no such file or folder"
    assert data["failures"] == [{"path": "gone.md", "message": why}]
    assert len(data["findings"]) == 1


def test_an_internal_error_is_a_line_and_a_status_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    Path("a.sh").write_text(RIGHT)
    monkeypatch.setattr(pipeline, "check_blocks", fail)
    assert run("check", "a.sh") == statuses.NOT_CHECKED
    error = capsys.readouterr().err
    assert "a.sh: internal error in pipeline.py:" in error
    assert error.count("\n") == 1


def test_explain_and_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "unknown-key") == statuses.CLEAN
    assert run("explain", "nonsense") == statuses.USAGE
    capsys.readouterr()
    assert run("explain", "unknown-key", "--format", "json") == statuses.CLEAN
    [rule] = json.loads(capsys.readouterr().out)
    assert (rule["rule"], rule["severity"], rule["stage"]) == ("unknown-key", "error", "hydra")
    assert rule["page"].startswith("# ")
    assert run("explain", "--all", "--format", "json") == statuses.CLEAN
    assert len(json.loads(capsys.readouterr().out)) > 30
    assert run("schema", "list") == statuses.CLEAN
    assert run("schema", "list", "--verl", "0.9.1") == statuses.CLEAN
    assert "actor_rollout_ref.actor.use_dynamic_bsz\n" in capsys.readouterr().out


CATALOG = 'msgid "A batch."\nmsgstr "一个批."\n'


def project(settings: str) -> None:
    Path("page.po").write_text(CATALOG, "utf-8")
    Path("pyproject.toml").write_text(f"[tool.snippet-checker]\n{settings}\n")


def rules_found(capsys: pytest.CaptureFixture[str]) -> list[str]:
    run("check", "page.po", "--format", "json")
    return [finding["rule"] for finding in json.loads(capsys.readouterr().out)["findings"]]


def test_a_project_has_a_glossary_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    project("glossary = 'terms.toml'")
    Path("terms.toml").write_text("[[term]]\nen = ['batch']\nzh_CN = {use = ['批次']}\n", "utf-8")
    assert rules_found(capsys) == ["translation-term", "translation-punctuation"]


def test_a_project_can_do_without_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    project("ignore = ['translation-punctuation']")
    assert rules_found(capsys) == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("ignore = ['translation-width']", "'ignore' has 'translation-width', which is no rule"),
        ("glossary = 'terms.toml'", "terms.toml cannot be read: No such file or directory"),
    ],
)
def test_settings_that_cannot_be_followed(
    settings: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project(settings)
    assert run("check", "page.po") == statuses.USAGE
    assert said in capsys.readouterr().err


def test_a_file_of_another_kind_is_named_and_the_rest_is_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("train.sh").write_text(RIGHT)
    Path("train.cu").write_text("")
    assert run("check", "train.sh", "train.cu") == statuses.CLEAN
    assert "train.cu: it is not checked: it has no format that is read" in capsys.readouterr().err


def test_files_in_folders_that_are_not_read_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("train.sh").write_text(RIGHT)
    for name in ("a.cu", "b.CU", "c.png", "LICENSE", "left_out.md"):
        Path(name).write_text("")
    Path("pyproject.toml").write_text("[tool.snippet-checker]\nexclude = ['left_out.*']\n")
    assert run("check", ".", "--format", "json") == statuses.CLEAN
    shown = capsys.readouterr()
    assert json.loads(shown.out)["summary"]["skipped"] == {"": 1, ".cu": 2, ".png": 1}
    assert shown.err == ""
    assert run("check", ".", "--verbose") == statuses.CLEAN
    assert "not read in the folders: 2 .cu, 1 without a suffix, 1 .png" in capsys.readouterr().err


def test_a_line_tells_of_files_that_set_verl_and_are_not_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("train.sh").write_text(RIGHT)
    command = "python3 -m verl.trainer.main_ppo trainer.foo=1\n"
    for name in ("a.tf", "b.TF", "c.nomad", "run.log"):
        Path(name).write_text(command)
    for number in range(30):
        Path(f"{number}.data").write_text("about verl\n")
    Path("weights.bin").write_bytes(b"\0" + command.encode())
    os.mkfifo("pipe.tf")
    assert run("check", ".") == statuses.CLEAN
    said = "3 files of kinds that are not read start verl or set its keys: 2 .tf, 1 .nomad"
    assert capsys.readouterr().err == f"snippet-checker: {said}\n"
    assert run("check", ".", "--quiet") == statuses.CLEAN
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["job.batch", "run.sh\u200e", "run.sh "])
def test_a_job_and_a_name_with_what_nobody_sees_are_read(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(WRONG)
    assert run("check", ".") == statuses.FOUND
    assert "trainer" in capsys.readouterr().out


@pytest.mark.parametrize("form", [(), ("--format", "concise"), ("--statistics",)], ids=str)
def test_a_quiet_check_prints_findings_only(
    form: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("train.sh").write_text(WRONG * 2)
    said = [run("check", "train.sh", *form, *quiet) for quiet in ((), ("--quiet",), ("-q",))]
    assert said == [statuses.FOUND] * 3
    lines = capsys.readouterr().out.split("\n")
    summaries = [line for line in lines if "finding" in line or line.startswith("2 unknown-key,")]
    assert len(summaries) == 1
    assert sum("[unknown-key]" in line for line in lines) == (0 if "--statistics" in form else 6)


def test_a_quiet_check_that_finds_nothing_prints_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("train.sh").write_text(RIGHT)
    assert run("check", ".", "--quiet", "--exclude", "none") == statuses.CLEAN
    assert capsys.readouterr() == ("", "")
    assert run("check", ".", "--exclude", "none") == statuses.CLEAN
    assert "nothing to leave out" in capsys.readouterr().err


def test_a_quiet_check_names_what_was_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.sh").write_text(RIGHT)
    assert run("check", "train.sh", "gone.sh", "--quiet") == statuses.USAGE
    out, err = capsys.readouterr()
    assert (out, "gone.sh" in err) == ("", True)


def test_a_quiet_check_mends_and_shows_how(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.sh").write_text(RIGHT.replace(" trainer", " +trainer"))
    assert run("check", "train.sh", "--quiet", "--diff") == statuses.FOUND
    out, err = capsys.readouterr()
    assert ("+python3" in out, err) == (True, "")
    assert run("check", "train.sh", "--quiet", "--fix") == statuses.CLEAN
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["page.mdx", "page.ipynb", "program.py", "Makefile"])
def test_a_folder_of_other_formats_has_something_to_check(name: str) -> None:
    Path(name).write_text("")
    assert run("check", ".") == statuses.CLEAN


@pytest.mark.parametrize("name", ["a.py", "a.json", "a.ipynb", "Dockerfile"])
def test_an_unreadable_file_is_told_of_where_it_names_verl(name: str) -> None:
    Path(name).write_bytes(b"# \xe9 ")
    assert run("check", ".") == statuses.CLEAN
    Path(name).write_bytes(b"# \xe9 verl")
    assert run("check", ".") == statuses.FOUND


def test_our_own_mistake_is_told_with_its_place_and_costs_nothing_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("oh")

    Path("train.sh").write_text(WRONG)
    monkeypatch.setattr(pipeline, "JudgedDocument", fail)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    for arguments in (["train.sh"], ["-", "--stdin-filename", "train.sh"]):
        assert run("check", *arguments) == statuses.NOT_CHECKED
        assert "train.sh: internal error in pipeline.py:" in capsys.readouterr().err


def test_an_interrupt_is_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "find_files", interrupt)
    assert run("check", ".") == statuses.BY_SIGNAL + 2
    assert capsys.readouterr().err == "snippet-checker: interrupted\n"


def test_a_name_that_no_file_can_have_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "a" * 300) == statuses.USAGE
    assert "there is no such file or folder" in capsys.readouterr().err


def test_an_output_that_lacks_characters_gets_escapes() -> None:
    Path("train.sh").write_text("python3 -m verl.trainer.main_ppo trainer.nnodes²=1\n", "utf-8")
    command = [sys.executable, "-m", "snippet_checker", "check", "train.sh"]
    environment = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == statuses.FOUND
    assert rb"trainer.nnodes\xb2" in done.stdout


def test_a_pattern_shows_each_of_its_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("schema", "show", "actor_rollout_ref.actor.ppo_*") == statuses.CLEAN
    out = capsys.readouterr().out
    assert "actor_rollout_ref.actor.ppo_epochs\n" in out
    assert "*" not in out


def test_a_setting_in_a_loop_counts_once() -> None:
    launch = "python3 -m verl.trainer.main_ppo data.seed=1 trainer.nnodes=$n"
    script = f"for n in 1 2 3; do {launch}; done\n{launch}\n"
    counts = pipeline.check_text("case.sh", script, pipeline.Options(VERL)).counts
    assert (counts.snippets, counts.settings) == (4, 4)


@pytest.mark.parametrize("flag", ["--config-name=", "--config-name ", "-cn "])
def test_an_unknown_config_is_found_where_it_is_named(flag: str) -> None:
    script = f"python3 -m verl.trainer.main_ppo {flag}ppo_trainers trainer.nnodes=1"
    [finding] = pipeline.check_text("case.sh", script, pipeline.Options(VERL)).findings
    assert finding.rule == "unknown-entry"
    assert finding.span.column == script.index("ppo_trainers") + 1


@pytest.mark.parametrize(
    ("version", "arguments", "said"),
    [
        ("0.4.0.dev", (), "0.4.0"),
        ("0.2.0", (), "0.2.0.post2"),
        ("0.3.0.post0", (), "0.3.0.post0"),
        ("0.0.9", (), "0.1"),
        ("0.9.1", (), None),  # as old as the release that is taken
        ("unknown", (), None),
        ("0.4.0.dev", ("--verl", "0.9.1"), None),
        ("0.4.0.dev", ("--quiet",), None),
    ],
)
def test_the_release_of_a_copy_of_verl_is_told(
    version: str, arguments: tuple[str, ...], said: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("verl/version").mkdir(parents=True)
    Path("verl/version/version").write_text(version)
    for name in ("__init__.py", "protocol.py"):
        Path("verl", name).touch()
    Path("train.sh").write_text(WRONG)
    assert run("check", "train.sh", *arguments) == statuses.FOUND
    error = capsys.readouterr().err
    told = f"snippet-checker: verl: it is verl {version}: without --verl, the project is checked"
    assert error == (f"{told} against verl {said}\n" if said else "")


def test_a_copy_of_verl_without_a_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    config = Path("verl/trainer/config")
    config.mkdir(parents=True)
    for name, one in load("0.4.0").facts.configs["verl/trainer/config"].items():
        config.joinpath(f"{name}.yaml").write_text(json.dumps(one.body))
    for name in ("__init__.py", "protocol.py"):
        Path("verl", name).touch()
    Path("train.sh").write_text(WRONG)
    assert run("check", "train.sh") == statuses.FOUND
    error = capsys.readouterr().err
    assert error.startswith("snippet-checker: verl: it is verl, and names no release: without")


@pytest.mark.parametrize(
    ("files", "arguments", "release"),
    [
        ({}, (), VERL),
        ({"requirements.txt": "verl==0.4.1\n"}, (), "0.4.1"),
        ({"requirements.txt": "verl>=0.4.1\n"}, (), VERL),
        # A tag of verl's repository is a release, and a commit is none.
        ({"requirements.txt": f"verl @ git+{VERLS}@v0.4.1\n"}, (), "0.4.1"),
        ({"requirements.txt": f"-e git+{VERLS}.git@v0.6.0#egg=verl\n"}, (), "0.6.0"),
        ({"requirements.txt": f"-e git+{VERLS}.git@76352ae9#egg=verl\n"}, (), VERL),
        ({"requirements.txt": f"verl @ git+{VERLS}-recipe@v0.4.1\n"}, (), VERL),
        ({"pyproject.toml": f'verl = {{ git = "{VERLS}", tag = "v0.5.0" }}\n'}, (), "0.5.0"),
        ({".gitmodules": f"[submodule 'verl']\n\turl = {VERLS}\n\tbranch = v0.5.0\n"}, (), "0.5.0"),
        ({".gitmodules": f"[submodule 'verl']\n\turl = {VERLS}\n\tbranch = main\n"}, (), VERL),
        ({"requirements.txt": "verl==0.4.1\n"}, ("--verl", "latest"), VERL),
        ({"pyproject.toml": "[project]\ndependencies = ['verl==0.5.0']\n"}, (), "0.5.0"),
        ({"pyproject.toml": "[tool.snippet-checker]\nverl = '0.7.1'\n"}, (), "0.7.1"),
        (
            {
                "pyproject.toml": "[tool.snippet-checker]\nverl = '0.7.1'\n",
                "requirements.txt": "verl==0.4.1\n",
            },
            (),
            "0.7.1",
        ),
        # The copy is what runs, whatever is asked for.
        ({"requirements.txt": "verl==0.4.1\n", "verl/version/version": "0.6.1"}, (), "0.6.1"),
        # A folder of that name that is no copy of verl.
        ({"verl/version/version": "0.6.1", "verl/protocol.py": None}, (), VERL),
    ],
)
def test_without_a_named_release_the_projects_own_is_taken(
    files: dict[str, str | None],
    arguments: tuple[str, ...],
    release: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy = dict.fromkeys(("verl/__init__.py", "verl/protocol.py"), "")
    given = {**(copy if "verl/version/version" in files else {}), **files}
    for name, text in given.items():
        if text is not None:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text)
    Path("train.sh").write_text("python3 -m verl.trainer.main_ppo trainer.nnodes=1\n")
    assert run("check", "train.sh", "--format", "json", *arguments) == statuses.CLEAN
    assert json.loads(capsys.readouterr().out)["verl"] == release


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", f"-e git+{VERLS}.git@76352ae9#egg=verl\n"),
        ("pyproject.toml", f'[tool.uv.sources]\nverl = {{ git = "{VERLS}", rev = "76352ae" }}\n'),
        # One part of the project takes a release, and another one a commit.
        (
            "pyproject.toml",
            '[project.optional-dependencies]\na = ["verl==0.8.0"]\nb = ["verl"]\n'
            "[tool.uv.sources]\n"
            f'verl = [{{ git = "{VERLS}.git", rev = "76352ae9c1", extra = "b" }}]\n',
        ),
        ("requirements.txt", f"verl==0.8.0\n-e git+{VERLS}@76352ae9\n"),
        (".gitmodules", f"[submodule 'verl']\n\tpath = verl\n\turl = {VERLS}.git\n"),
        (".gitmodules", f"[submodule 'verl']\n\tpath = verl\n\turl = {VERLS}-recipe.git\n"),
        ("requirements.txt", f"# see {VERLS}\n"),
    ],
)
def test_verl_from_git_without_a_release(
    name: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(text)
    Path("train.sh").write_text("python3 -m verl.trainer.main_ppo trainer.nnodes=1\n")
    assert run("check", "train.sh") == statuses.CLEAN
    said = f"snippet-checker: {name}: it takes verl from git, and names no release: without --verl"
    is_verls = "recipe" not in text and "see" not in text
    assert capsys.readouterr().err.startswith(said) == is_verls


def test_a_whole_config_of_the_projects_own_says_the_release(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = WholeConfig(str(Path("conf/ppo_trainer.yaml").absolute()), "0.4.1")
    monkeypatch.setattr("snippet_checker.projects.project.whole_config", lambda *_: own)
    Path("train.sh").write_text("python3 -m verl.trainer.main_ppo trainer.nnodes=1\n")
    assert run("check", "train.sh", "--format", "json") == statuses.CLEAN
    shown = capsys.readouterr()
    assert json.loads(shown.out)["verl"] == "0.4.1"
    assert shown.err == (
        "snippet-checker: conf/ppo_trainer.yaml: it is a whole config, written out for verl 0.4.1: "
        "without --verl, the project is checked against verl 0.4.1\n"
    )


def test_each_project_of_a_folder_has_its_own_release(capsys: pytest.CaptureFixture[str]) -> None:
    script = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.chat_scheduler=null\n"
    for folder, asked in (("old", "verl==0.4.0"), ("new", "verl")):  # the last that has the key
        Path(folder).mkdir()
        Path(folder, "requirements.txt").write_text(f"{asked}\n")
        Path(folder, "train.sh").write_text(script)
    assert run("check", ".", "--format", "concise") == statuses.FOUND
    shown = capsys.readouterr()
    assert [line.partition(":")[0] for line in shown.out.splitlines()[:-1]] == ["new/train.sh"]
    assert shown.err == (
        "snippet-checker: old/requirements.txt: it asks for verl 0.4.0: without --verl, the "
        "project is checked against verl 0.4.0\n"
    )
