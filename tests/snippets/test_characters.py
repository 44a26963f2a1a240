"""What copy and paste brings: Hydra refuses it in its own words, and we say what to write.

Hydra's own parser is asked for each: what it reads is no slip, and what we write instead it reads.
"""

from __future__ import annotations

from functools import partial

import pytest

from snippet_checker.findings import Finding
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
    (
        "trainer.nnodes\u00a0=1",
        "the blank U+00A0 (no-break space) stands in it",
        "trainer.nnodes=1",
        True,
    ),
    (
        "trainer.nnodes\u3000=1",
        "the blank U+3000 (ideographic space) stands in it",
        "trainer.nnodes=1",
        True,
    ),
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
    (
        "tr\u0430iner.nnodes=1",
        "'\u0430' (U+0430, cyrillic small letter a) cannot stand in a key",
        None,
        False,
    ),
    ("a.b=c\u2028d", "the blank U+2028 (line separator) stands in it", "a.b=c d", False),
    ("‘a.b=[c]’", "curly quotation mark '‘': write '", "a.b=[c]", False),
    ("a.b=“run", "curly quotation mark '“': write '\"'", None, False),
    ("“a", "curly quotation mark '“': write '\"'", None, False),
    ("a.b=“c\" d”'", "curly quotation mark '“': write '\"'", None, False),
    ("a.b=c；", "Hydra reads '；' in quotes only: write 'a.b=\"c；\"'", None, False),
    ("a.b=（c）", "Hydra reads '（' in quotes only: write 'a.b=\"（c）\"'", None, False),
    ("¥", "this is no backslash, so the line ends the command: write '\\'", None, False),
    ("＼", "this is no backslash, so the line ends the command: write '\\'", None, False),
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


@pytest.mark.parametrize("text", ["a.b=[1", "a.b=1,2}", "a", "=1", "a.b=['“'"])
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
        "–-config-name=ppo_trainer",
        "override-syntax",
        "write '--config-name=ppo_trainer'",
        "--config-name=ppo_trainer",
    ),
]


def _finding_and_fix(name: str, text: str) -> tuple[Finding, str]:
    """The only finding of a text, and the text with its fix."""
    check = partial(check_document, name, options=Options(VERL))
    checked = check(text)
    [finding] = checked.findings
    return finding, apply_fixes(text, checked, check).text


@pytest.mark.parametrize(("arguments", "rule", "said", "fixed"), COMMANDS)
def test_a_command_has_one_finding_and_its_fix(
    arguments: str, rule: str, said: str, fixed: str
) -> None:
    text = f"{COMMAND} {arguments} data.seed=1\n"
    finding, after = _finding_and_fix("a.sh", text)
    assert finding.rule == rule
    assert said in finding.message
    assert after == f"{COMMAND} {fixed} data.seed=1\n"


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


NBSP = "\u00a0"
PASTED = [
    # a command, how many faults of its characters it has, the keys that are no keys, and its fix
    (f"{COMMAND} data.seed=1{NBSP}trainer.nnode=1", 1, ["trainer.nnode"], " trainer"),
    (f"{COMMAND}{NBSP}{NBSP}data.seed=1{NBSP}trainer.nnode=1", 2, ["trainer.nnode"], " data"),
    (f"{COMMAND} \\\n{NBSP} trainer.nnode=1 \\\n\u3000data.seed=1", 2, ["trainer.nnode"], "\n  tr"),
    (COMMAND.replace(" ", NBSP) + " trainer.nnode=1", 2, ["trainer.nnode"], "python3 -m verl."),
    (
        f"{COMMAND}{NBSP}\\\n{NBSP}{NBSP}trainer.nnode=1{NBSP}\\\n{NBSP}{NBSP}data.seed=1",
        4,
        ["trainer.nnode"],
        f"{COMMAND} \\\n trainer.nnode=1 \\\n data.seed=1",
    ),
    (f"{COMMAND} trainer.nnode=1{NBSP}", 1, ["trainer.nnode"], "nnode=1 \n"),
    (f"{COMMAND} {NBSP} trainer.nnode=1", 1, ["trainer.nnode"], "   trainer"),
    (f"{COMMAND.replace('-m', '–m')} trainer.nnode=1", 1, ["trainer.nnode"], "python3 -m verl."),
    (f"{COMMAND.replace('-m', '—m')} trainer.nnode=1", 1, ["trainer.nnode"], "python3 -m verl."),
    (
        f"{COMMAND} 'trainer.experiment_name=\"a{NBSP}b\"' trainer.nnode=1",
        0,
        ["trainer.nnode"],
        NBSP,
    ),
    (f"{COMMAND} '+data.x=\"a{NBSP}b=c\"' trainer.nnode=1", 0, ["trainer.nnode"], NBSP),
]


@pytest.mark.parametrize(("command", "count", "keys", "fixed"), PASTED)
def test_the_arguments_beside_pasted_blanks_and_dashes_are_read(
    command: str, count: int, keys: list[str], fixed: str
) -> None:
    text = f"{command}\n"

    def check(text: str) -> object:
        return check_document("a.sh", text, Options(VERL))

    checked = check_document("a.sh", text, Options(VERL))
    rules = [finding.rule for finding in checked.findings]
    assert rules.count("override-syntax") == count
    assert [f.key for f in checked.findings if f.rule == "unknown-key"] == keys
    result = apply_fixes(text, checked, check)  # type: ignore[arg-type]
    assert fixed in result.text
    rules = [
        finding.rule for finding in check_document("a.sh", result.text, Options(VERL)).findings
    ]
    assert "override-syntax" not in rules


@pytest.mark.parametrize("blanks", ["\u2028", NBSP, "\u3000\u3000", "\u2028\\\n\u2028"])
def test_a_command_of_pasted_blanks_alone_is_none(blanks: str) -> None:
    checked = check_document("a.sh", f"{blanks}\n{COMMAND} trainer.nnode=1\n", Options(VERL))
    assert [finding.key for finding in checked.findings] == ["trainer.nnode"]


CONFIG = "actor_rollout_ref:\n  actor:\n    use_dynamic_bsz: True\n"
CONFIGS = [
    # the lines below, where the fault stands, what is said, and what the fix writes
    (f"trainer:\n{NBSP}{NBSP}nnodes: 1", (5, 1), "the blank U+00A0 (no-break space)", None),
    ("trainer:\n  nn\u200bodes: 1", (5, 3), "U+200B (zero width space)", "  nnodes: 1"),
    ("trainer:\n  ｎnodes: 1", (5, 3), "full-width 'ｎ': write 'n'", "  nnodes: 1"),
    ("trainer：\n  nnodes: 1", (5, 9), "full-width '：': write ':'", None),
    ("trainer:\n\tnnodes: 1", (5, 1), "a tab stands where blanks have to", None),
]


@pytest.mark.parametrize(("lines", "place", "said", "fixed"), CONFIGS)
def test_yaml_is_told_of_them_too(
    lines: str, place: tuple[int, int], said: str, fixed: str | None
) -> None:
    text = f"{CONFIG}{lines}\n"
    finding, after = _finding_and_fix("a.yaml", text)
    assert (finding.rule, finding.span.line, finding.span.column) == ("yaml-syntax", *place)
    assert said in finding.message
    assert after == (text if fixed is None else f"{CONFIG}trainer:\n{fixed}\n")


def test_keys_of_others_may_have_such_characters() -> None:
    text = CONFIG + "学习率（lr）: 1\n“a”: 2\n"
    rules = [f.rule for f in check_document("a.yaml", text, Options(VERL)).findings]
    assert "yaml-syntax" not in rules
