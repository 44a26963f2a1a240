"""What copy and paste brings: Hydra refuses it in its own words, and we say what to write.

Hydra's own parser is asked for each: what it reads is no slip, and what we write instead it reads.
"""

from __future__ import annotations

import pytest

from snippet_checker.fixes.apply import apply_fixes
from snippet_checker.hydra import override
from snippet_checker.pipeline import Options, check_document
from snippet_checker.snippets.characters import slip
from tests.configured import VERL

SLIPS = [
    # an override, what is said of it, what to write, and whether that is certain
    ("trainer.nnodes＝1", "full-width '＝': write '='", "trainer.nnodes=1", True),
    ("trainer.ｎnodes=1", "full-width 'ｎ': write 'n'", "trainer.nnodes=1", True),
    ("trainer．nnodes=1", "full-width '．': write '.'", "trainer.nnodes=1", True),
    ("trainer。nnodes=1", "full-width '。': write '.'", "trainer.nnodes=1", True),
    ("＋trainer.x=1", "full-width '＋': write '+'", "+trainer.x=1", True),
    ("trainer.nnodes=１", "full-width '１': write '1'", "trainer.nnodes=1", False),
    ("a.b=[1，2]", "full-width '，': write ','", "a.b=[1,2]", False),
    ("a.b=[1、2]", "full-width '、': write ','", "a.b=[1,2]", False),
    ("“trainer.nnodes=1”", "curly quotation mark '“'", "trainer.nnodes=1", False),
    ("a.b=“c d”", "curly quotation mark '“': write '\"'", 'a.b="c d"', False),
    ("a.b=‘c’", "curly quotation mark '‘': write '", "a.b='c'", False),
    ("a.lr=1e−6", "dash '−': write '-'", "a.lr=1e-6", False),
    ("a.b=c–d", "dash '–': write '-'", "a.b=c-d", False),
    ("trainer.nnodes\u00a0=1", "the blank U+00A0 stands in it", "trainer.nnodes=1", True),
    ("trainer.nnodes\u3000=1", "the blank U+3000 stands in it", "trainer.nnodes=1", True),
    ("trainer.nnodes =1", "a blank stands before '='", "trainer.nnodes=1", True),
    ("trainer.nnodes = 1", "a blank stands before '='", "trainer.nnodes=1", True),
    ("\u200btrainer.nnodes=1", "U+200B (zero width space) stands in it", "trainer.nnodes=1", True),
    ("trainer.nnodes=1\u200b", "U+200B (zero width space) stands in it", "trainer.nnodes=1", False),
    ("a.b=日本語", "Hydra reads '日' in quotes only: write 'a.b=\"日本語\"'", None, False),
    (
        "a.b=/data/数据/a",
        "Hydra reads '数' in quotes only: write 'a.b=\"/data/数据/a\"'",
        None,
        False,
    ),
    (
        "a.b=é",
        "Hydra reads 'é' in quotes only: write 'a.b=\"é\"', in a shell with both pairs of quotes",
        None,
        False,
    ),
    ("训练.a=1", "'训' cannot stand in a key", None, False),
]
READ = ["a.b='日本語'", 'a.b="“c”"', "a.b='＝'", "a.b= 1", "a.b='−1'"]


@pytest.mark.parametrize(("text", "said", "instead", "is_safe"), SLIPS)
def test_a_slip_is_named(text: str, said: str, instead: str | None, is_safe: bool) -> None:
    with pytest.raises(override.OverrideError):
        override.parse_with_hydra(text)
    found = slip(text)
    assert found is not None
    assert found.reason.startswith(said)
    assert (found.instead, found.is_safe) == (instead, is_safe)
    if instead is not None:
        assert override.parse_with_hydra(instead).key


@pytest.mark.parametrize("text", READ)
def test_what_hydra_reads_is_none(text: str) -> None:
    assert override.parse_with_hydra(text).key


@pytest.mark.parametrize("text", ["a.b=[1", "a.b=1,2}", "a", "=1", "“a", "a.b=“c\" d”'"])
def test_what_is_wrong_for_another_reason_keeps_hydras_words(text: str) -> None:
    assert slip(text) is None


COMMAND = "python3 -m verl.trainer.main_ppo"
COMMANDS = [
    # arguments, the rule, what is said, and the arguments after the fix
    (
        "trainer.nnodes =2",
        "shell-quoting",
        "before '=', so the shell makes two",
        "trainer.nnodes=2",
    ),
    (
        "trainer.nnodes = 2",
        "shell-quoting",
        "before '=', so the shell makes three",
        "trainer.nnodes=2",
    ),
    (
        "trainer.nnodes= 2",
        "shell-quoting",
        "behind '=', so the shell makes two",
        "trainer.nnodes=2",
    ),
    ("trainer.nnodes＝2", "override-syntax", "full-width '＝': write '='", "trainer.nnodes=2"),
    (
        "−−config-name ppo_trainer",
        "override-syntax",
        "begins with a dash that is none of ASCII: write '--config-name'",
        "--config-name ppo_trainer",
    ),
    (
        "—-config-name=ppo_trainer".replace("—-", "–-"),
        "override-syntax",
        "write '--config-name=ppo_trainer'",
        "--config-name=ppo_trainer",
    ),
]


@pytest.mark.parametrize(("arguments", "rule", "said", "fixed"), COMMANDS)
def test_a_command_has_one_finding_and_its_fix(
    arguments: str, rule: str, said: str, fixed: str
) -> None:
    text = f"{COMMAND} {arguments} data.seed=1\n"

    def check(text: str) -> object:
        return check_document("a.sh", text, Options(VERL))

    checked = check_document("a.sh", text, Options(VERL))
    [finding] = checked.findings
    assert finding.rule == rule
    assert said in finding.message
    result = apply_fixes(text, checked, check)  # type: ignore[arg-type]
    assert result.text == f"{COMMAND} {fixed} data.seed=1\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "data.train_files= trainer.nnodes=1",
        "data.train_files= ~trainer.nnodes",
        "data.train_files= --cfg job",
        'data.train_files= "$@"',
        "data.train_files= $EXTRA",
    ],
)
def test_an_empty_value_may_be_meant(arguments: str) -> None:
    findings = check_document("a.sh", f"{COMMAND} {arguments}\n", Options(VERL)).findings
    assert "shell-quoting" not in [finding.rule for finding in findings]
