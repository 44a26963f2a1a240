"""A small file that would take endless work is left unchecked in part, and says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippet_checker.findings import Result
from snippet_checker.pipeline import Options, check_text
from snippet_checker.work import TooMuchWork, Work
from tests.audited import watched
from tests.configured import VERL
from tests.parts import slow_where

PROGRAM = "python3 -m verl.trainer.main_ppo"
TAIL = f"\n{PROGRAM} trainer.nnode=2\n"
"""A wrong setting behind what is too much: it has to be found all the same."""


def nested_loops(depth: int, values: str, command: str) -> str:
    heads = "".join(f"for v{number} in {values}; do\n" for number in range(depth))
    return f"{heads}{command}\n{'done; ' * depth}"


def doubled(step: str, first: str, rounds: int, last: str) -> str:
    return "\n".join([first, *[step] * rounds, last])


def called(body: str, call: str, times: int) -> str:
    return f"f() {{ {body}\n}}\n" + f"{call}\n" * times


VARIABLES = "".join(f"v{number}=b\n" for number in range(2000))
LINES = "x\n" * 10_000
TEN = "1 2 3 4 5 6 7 8 9 10"
FLAGS = "".join(
    f"if x; then P{n}=verl.trainer.main_ppo; else P{n}=verl.trainer.main_eval; fi\n"
    for n in range(30)
)
FUNCTIONS = "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; f{n + 1}; }}\n" for n in range(12))
BOMBS = {
    "a variable in itself": doubled('A="$A $A"', "A=trainer.nnodes=1", 40, f"{PROGRAM} $A"),
    "an array in itself": doubled('A=("${A[@]}" "${A[@]}")', "A=(a.b=1)", 40, PROGRAM),
    "a variable in others": doubled("B=$A$A$A$A; A=$B$B$B$B", "A=trainer", 10, f"{PROGRAM} $A"),
    "a replacement": doubled("A=${A//a/aaaaaaaaaa}", "A=aaaaaaaaaa", 9, f"{PROGRAM} $A"),
    "appended text": doubled("A+=$A", "A=trainer.nnodes=1", 40, f"{PROGRAM} $A"),
    "appended elements": doubled('A+=("${A[@]}")', "A=(a.b=1)", 40, PROGRAM),
    "a here-document": doubled('A="$A$A"', "A=x", 40, f"bash <<E\n{PROGRAM} trainer.nnodes=$A\nE"),
    "loops in loops": nested_loops(12, "1 2 3", f"{PROGRAM} trainer.nnodes=1"),
    "loops over many settings": nested_loops(4, TEN, f"{PROGRAM} trainer.$v0$v1$v2$v3=1"),
    "loops without an end": "while x; do\n" * 40 + f"{PROGRAM}\n" + "done\n" * 40,
    "programs in variables": FLAGS + f"python3 {' '.join(f'$P{n}' for n in range(30))}\n" * 60,
    "functions in functions": FUNCTIONS + f"f12() {{ {PROGRAM} trainer.nnodes=1; }}\nf0",
    "statements in statements": "if x; then\n" * 500 + PROGRAM + "\n" + "fi\n" * 500,
    "substitutions": f"{PROGRAM} trainer.nnodes=" + "$(a " * 900 + ")" * 900,
    "defaults in defaults": f"{PROGRAM} x.y=" + "${A:-" * 900 + "}" * 900,
    "here-documents in here-documents": "".join(f"bash <<A{n}\n" for n in range(300))
    + f"{PROGRAM} trainer.nnodes=1\n"
    + "".join(f"A{n}\n" for n in reversed(range(300))),
    "shells in shells": "ssh h " * 3000 + PROGRAM,
    "a list in a list": "a && " * 3000 + PROGRAM,
    "a text that is evaluated": f"A='{PROGRAM} # {'x' * 3000}'\n" + 'eval "$A"\n' * 1000,
    "a text for other shells": f"A='{PROGRAM} # {'x' * 3000}'\n" + 'bash -c "$A" y\n' * 1000,
    "items of a case": called(
        "case $1 in\n" + "".join(f"p{n}) x;;\n" for n in range(3000)) + "esac", "f a", 1000
    ),
    "patterns of a case": called(
        "case $1 in\n" + "".join(f"{n}*) x;;\n" for n in range(2000)) + "esac", "f a", 1000
    ),
    "a long command": called("echo " + "x" * 20_000, "f", 2000),
    "branches with many variables": VARIABLES + "case $X in\n" + "x) y;;\n" * 3000 + "esac",
    "shells with many variables": VARIABLES + "(a);" * 3000,
    "a pipe with many variables": VARIABLES + "a|" * 3000 + "b",
    "braces": f"{PROGRAM} a.b={'{x,y}' * 3000}",
    "long words of braces": f"{PROGRAM} a.b={'{x,y}' * 9}{'z' * 5000}",
    "rounds of a loop": nested_loops(1, TEN * 4, "echo $v0\n" * 150),
    "arguments that may be shifted": f"set -- {'a=b ' * 3000}\n" + "if x; then shift; fi\n" * 50,
    "elements with labels": f"A=({'[a]=b ' * 3000})\n" + "echo ${A[a]}\n" * 200,
    "texts to trim": f"A={'x' * 1900}\n" + "B=${A%%*y*z}\n" * 200,
    "texts to replace in": f"A={'a' * 20_000}\n" + "B=${A//a/b}\n" * 30,
    "lines of a text": f"A='{LINES}'\n" + 'mapfile B <<< "$A"\n' * 60,
    "statements of a function": called("local a; " * 2000, "f", 2000),
    "a long text to trim": f"A={'a' * 5000}\n{PROGRAM} x.y=${{A##*b}}",
    "a blank that the grammar loses": doubled('A="$A $A"', "A=a", 400, f"{PROGRAM} \\\r\r"),
    "a key of many parts": f"{PROGRAM} +trainer.{'a.' * 9000}a=1",
    "a value for Hydra's parser": f"{PROGRAM} 'trainer.nnodes=[{'${a},' * 4000}1]'",
    "a value in brackets": f"{PROGRAM} trainer.nnodes={'{a:' * 200}1{'}' * 200}",
}
"""What grows too large before it comes to judging."""

MANY = {
    "wrong settings": " ".join(f"trainer.nnode{n}=1" for n in range(1000)),
    "values for Hydra's parser": " ".join(f"a.b={{x:{n}}}" for n in range(2000)),
    "mappings": " ".join(
        f"+actor_rollout_ref.rollout.engine_kwargs.vllm={{x{n}:1}}" for n in range(1000)
    ),
    "Hydra's own settings": " ".join(f"hydra.run.dir={n}" for n in range(2000)),
    "groups": " ".join(f"model_engine=x{n}" for n in range(2000)),
    "references to references": " ".join(
        f"'+trainer.x{n + 1}=${{trainer.x{n}}}${{trainer.x{n}}}'" for n in range(40)
    )
    + " +trainer.x40.y=1",
}
"""So many settings that not all of them are judged."""


LONG = {
    *("wrong settings", "values for Hydra's parser", "mappings", "groups", "shells in shells"),
    *("texts to trim", "texts to replace in", "lines of a text", "programs in variables"),
    *("loops over many settings", "elements with labels", "patterns of a case"),
    *("items of a case", "a long command", "branches with many variables", "rounds of a loop"),
    *("statements of a function", "shells with many variables", "a list in a list"),
    *("a text for other shells", "substitutions"),
}
"""Those that take more than a tenth of a second each, but for one of each kind."""

SCRIPTS = {name: text + TAIL for name, text in BOMBS.items()}
SCRIPTS |= {name: f"{PROGRAM} {text}\n" for name, text in MANY.items()}


def checked(script: str) -> tuple[Result, list[str]]:
    result = check_text("case.sh", script, Options(VERL))
    return result, [finding.rule for finding in result.findings]


@pytest.mark.parametrize("bomb", slow_where(LONG.__contains__, BOMBS))
def test_what_is_too_much_is_said_and_the_rest_is_checked(bomb: str) -> None:
    result, rules = checked(SCRIPTS[bomb])
    assert "unchecked-part" in rules
    assert "trainer.nnode" in [finding.key for finding in result.findings]


@pytest.mark.parametrize("kind", slow_where(LONG.__contains__, MANY))
def test_settings_are_judged_as_far_as_the_steps_go(kind: str) -> None:
    result, rules = checked(SCRIPTS[kind])
    assert "unchecked-part" in rules
    counts = result.counts
    assert counts.unchecked > 0 or counts.settings < len(MANY[kind].split())


@pytest.mark.slow
def test_what_is_too_much_makes_nothing_happen(tmp_path: Path) -> None:
    for number, script in enumerate(SCRIPTS.values()):
        (tmp_path / f"{number}.sh").write_text(script, encoding="utf-8")
    assert watched(tmp_path, tmp_path).happened == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "settings"),
    [("a " * 5000, 1), ("a.b=[[{ " * 3000, 3001)],
)
def test_settings_that_are_not_read_are_not_verified(arguments: str, settings: int) -> None:
    script = f"set -- {arguments}\n" + f'{PROGRAM} "$@"\n' * 3 + TAIL
    result, rules = checked(script)
    assert "unchecked-part" in rules
    assert (result.counts.settings, result.counts.unchecked) == (settings, settings)


def test_a_value_that_is_too_deep_is_not_verified() -> None:
    result, rules = checked(f"{PROGRAM} a.b={'{a:' * 70}1{'}' * 70} {TAIL.split()[-1]}")
    assert rules == ["unchecked-part", "unknown-key"]
    assert (result.counts.settings, result.counts.unchecked) == (2, 1)


@pytest.mark.parametrize("number", ["9" * 5000, "1" * 4301])
@pytest.mark.parametrize(
    "argument", ["{{1..{0}}}", "{{{0}..1}}", "${{A:0:{0}}}", "${{A[{0}]}}", "${{{0}}}", "a.b={0}"]
)
def test_numbers_of_any_length_are_read(number: str, argument: str) -> None:
    script = f"A=(x y)\n{PROGRAM} {argument.format(number)}{TAIL}"
    assert "trainer.nnode" in [f.key for f in check_text("a.sh", script, Options(VERL)).findings]


@pytest.mark.parametrize("size", [6_000, pytest.param(45_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("unit", [")", "a=(", "<<E\n", "a | "])
def test_broken_shell_is_read_in_parts(unit: str, size: int) -> None:
    script = f"{PROGRAM} trainer.nnode=1\n{unit * (size // len(unit))}{TAIL}"
    places = [f.span.line for f in check_text("a.sh", script, Options(VERL)).findings if f.key]
    assert places == [1, script.count("\n")]


@pytest.mark.parametrize("command", ["bash <<{0}\n{1}\n{0}", "ssh h {1}", "eval {1!r}"])
def test_scripts_in_scripts_are_read_as_deep_as_people_write_them(command: str) -> None:
    script = f"{PROGRAM} trainer.nnode=2"
    for level in range(4 if "!r" not in command else 2):
        script = command.format(f"A{level}", script)
    assert "trainer.nnode" in [f.key for f in checked(script)[0].findings]


@pytest.mark.parametrize(
    ("argument", "nodes"),
    [("one", 11), ("two", 12), ("three", 13), ("four", 14), ("'*'", 15), ("t.o", 16)],
)
def test_a_case_takes_the_first_pattern_that_matches(argument: str, nodes: int) -> None:
    items = {11: "one|uno", 12: "'two'", 13: "th*|t?ree", 14: "[f]our", 15: "[*]", 16: "*"}
    cases = "".join(f"{pattern}) N={number};;\n" for number, pattern in items.items())
    script = called(f"case $1 in\n{cases}esac\n{PROGRAM} trainer.nnodes=v$N", f"f {argument}", 1)
    (finding,) = checked(script)[0].findings
    assert f"'v{nodes}'" in finding.message


ALIASES = (
    "---\na: &a ["
    + "1, " * 10
    + "]\n"
    + "".join(
        f"{below}: &{below} [{', '.join(f'*{name}' for _ in range(10))}]\n"
        for name, below in ("ab", "bc", "cd")
    )
)  # which stand for 12,000 nodes


@pytest.mark.parametrize(
    "page",
    [
        f"```yaml\n{ALIASES * 20}---\ntrainer: {{nnode: 2}}\n```\n",
        f"```yaml\n{ALIASES}```\n" * 20 + "```yaml\ntrainer: {nnode: 2}\n```\n",
    ],
)
def test_aliases_of_all_documents_are_counted_together(page: str) -> None:
    findings = check_text("page.md", page, Options(VERL)).findings
    assert [finding.rule for finding in findings] == ["unchecked-part", "unknown-key"]


@pytest.mark.slow
def test_yaml_without_aliases_is_read_to_its_end() -> None:
    text = "trainer:\n  logger: [" + "1," * 100_001 + "]\n  nnode: 2\n"
    findings = check_text("a.yaml", text, Options(VERL)).findings
    assert "trainer.nnode" in [finding.key for finding in findings]


def test_what_is_not_verls_is_left_alone() -> None:
    assert checked(doubled('A="$A $A"', "A=x", 40, "echo $A"))[1] == []


def test_a_reason_is_said_once_in_a_file() -> None:
    bomb = doubled('A="$A $A"', "A=trainer.nnodes=1", 40, f"{PROGRAM} $A\n")
    page = f"```bash\n{bomb}```\n" * 3
    rules = [f.rule for f in check_text("page.md", page, Options(VERL)).findings]
    assert rules == ["unchecked-part"]


def test_a_file_may_take_more_the_longer_it_is() -> None:
    steps = Work(1000).judging.left
    assert Work(2000).judging.left > steps
    with pytest.raises(TooMuchWork, match="judging settings would take too long"):
        Work(1000).judging.spend(steps)


def catalog(source: str, target: str, plural: str = "") -> str:
    return (
        'msgid ""\nmsgstr "Language: ja\\n"\n\n'
        f'#: ../../a.md:1\nmsgid "{source}"\n{plural}msgstr{"[0]" if plural else ""} "{target}"\n'
    )


DEEP = "[" * 70 + "]" * 70
MENTIONED = {
    "braces": " ".join(f"`trainer.{{a,b}}{{c,d}}{{e,f}}{{g,h}}x{n}`" for n in range(400)),
    "values for Hydra's parser": " ".join(f"`a.b={{x:{n}}}`" for n in range(800)),
    "broken values": "`" + "a.b=\\" * 800 + "`",
    "patterns": " ".join(f"`*some_{n}*_name*`" for n in range(1900)),
    "a value in brackets": f"`trainer.nnodes={DEEP}`",
}
"""What running text mentions, and would be too much to read or to compare."""


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=pytest.mark.slow) if what == "patterns" else what
        for what in MENTIONED
    ],
)
def test_what_running_text_mentions_is_read_as_far_as_it_goes(what: str) -> None:
    text = f"In verl: `trainer.nnode=1`\n\n{MENTIONED[what]}\n"
    result = check_text("a.md", text, Options(VERL))
    assert [finding.rule for finding in result.findings] == ["unknown-key", "unchecked-part"]
    assert result.counts.settings < 6000


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.yaml", f'actor_rollout_ref:\n  rollout:\n    name: "{DEEP}"\n'),
        ("a.sh", f"{PROGRAM} 'trainer.logger=\"{DEEP}\"'\n"),
        ("a.md", f"`trainer.logger` defaults to `{DEEP}`.\n"),
    ],
)
def test_deep_brackets_in_a_text_are_nothing_to_read(file: str, text: str) -> None:
    assert not check_text(file, text, Options(VERL)).failures


FORMS = "".join(f'msgstr[{number}] "`trainer.nnode`"\n' for number in range(1, 300))
CATALOGS = {
    "numbers": catalog(
        " ".join(str(1000 + n) for n in range(3000)), " ".join(str(20000 + n) for n in range(3000))
    ),
    "numbers in names": catalog(
        " ".join(str(1000 + n) for n in range(3000)), " ".join(f"x9{1000 + n}" for n in range(3000))
    ),
    "literals": catalog(
        " ".join(f"``a{n}``" for n in range(900)), " ".join(f"``b{n}``" for n in range(900))
    ),
    "placeholders": catalog(
        " ".join(f"{{a{n}}}" for n in range(3000)), " ".join(f"{{b{n}}}" for n in range(3000))
    ),
}


@pytest.mark.parametrize("what", CATALOGS)
def test_a_message_is_compared_with_its_translation_whatever_it_holds(what: str) -> None:
    result = check_text("a.po", CATALOGS[what], Options(VERL))
    assert len(result.findings) >= 900
    assert "unchecked-part" not in {finding.rule for finding in result.findings}


def test_plural_forms_that_no_language_has_are_not_checked() -> None:
    text = catalog("a", "`trainer.nnode`", 'msgid_plural "`b` *c*"\n') + FORMS
    result = check_text("a.po", text, Options(VERL))
    places = {f.span.line for f in result.findings if f.rule == "unchecked-part"}
    assert places == {text[: text.index("msgstr[10]")].count("\n") + 1}
    assert {f.span.line for f in result.findings} - places == set(range(7, 17))


def test_what_a_report_says_of_an_endless_key_is_short() -> None:
    text = f"{PROGRAM} trainer.{'a' * 50_000}=1\n"
    (finding,) = check_text("a.sh", text, Options(VERL)).findings
    assert finding.key is not None
    assert finding.key.startswith("trainer.aaa")
    assert len(finding.key) < 1000
