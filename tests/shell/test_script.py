"""Our expansion of shell words against bash: the same words, each character in its place."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippet_checker.shell.costs import Costs
from snippet_checker.shell.script import Script
from snippet_checker.text.words import UNKNOWN, Word
from snippet_checker.work import Work
from tests.generating import tries

SETUP = """
NAME=value
SPACED='two words'
EMPTY=
PADDED=' in blanks '
BLANK=' '
ARRAY=(first "second one" 'third'$NAME)
ARRAY+=(fourth=4)
"""
PIECE = st.sampled_from(
    [
        *["a.b=1", "x", "=", "文字", "[1,2]", "é", "😀", "/p-1_2", "@", "+", "%", ":"],
        *["'single $NAME'", '"double $NAME ${NAME}"', r"\"", r"\$", r"\\", r'"a\"b\\c\d"'],
        *["${NAME}", "${SPACED}", '"$SPACED"', "${EMPTY}", '"$EMPTY"', '"$NAME"', "\\\n"],
        *['""', "''", "${PADDED}", "${BLANK}", '"$BLANK"', '"a$PADDED/$SPACED"', '"x$*"'],
        *['"${ARRAY[@]}x"', "${ARRAY[*]}", '"${ARRAY[*]}"'],
        *['"${ARRAY[@]}"', "${ARRAY[@]}", '"$@"', "${NAME:-other}", "${UNSET_1:-other}"],
    ]
)
ARGUMENT = st.one_of(st.lists(PIECE, min_size=1, max_size=4).map("".join), st.just(r"\ "))


def bashs(script: str) -> list[str]:
    """The arguments that bash hands to `program`, in order."""
    bash = shutil.which("bash") or pytest.fail("bash is needed: apt-get install bash")
    program = "program() { printf '%s\\0' \"$@\"; }\n"
    done = subprocess.run([bash, "-c", program + script], capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1]


def read(script: str) -> Iterator[list[Word]]:
    """The commands of a script, where a word with `verl` in it is what is wanted."""
    return Script(script, costs=Costs.of(Work(len(script)), "verl")).commands()


def ours(script: str) -> list[str]:
    commands = [words for words in read(script) if words[0].text == "program"]
    return [word.text for words in commands for word in words[1:]]


@tries(120)
@given(st.lists(ARGUMENT, min_size=1, max_size=4))
def test_arguments_are_bashs(arguments: list[str]) -> None:
    script = f"{SETUP}program {' '.join(arguments)} end\n"
    assert ours(script) == bashs(script)


@pytest.mark.parametrize(
    "script",
    [
        "program a \\\n  b \\\n  # a comment ends it\n",
        "f() { program \"$@\" last; }\nf one 'two three'\n",
        'f() { local x=$1; program "$x" "$2"; }\nf one two\n',
        'A=(\n  one # a comment\n  two\n)\nprogram "${A[@]}"\n',
        "A='x y'\nB=($A)\nprogram ${B[@]}\n",
        "A=one; A+=two; program $A\n",
        "set -x; export A=1 B=2; program $A$B && program c || true\n",
        "(program in a subshell)\n{ program in a group; }\n",
        "A=(a b c)\nIFS=', '\nprogram \"${A[*]}\"\n",
        'A=(a b c)\nIFS=\nprogram "${A[*]}"\n',
        "program a > /dev/stdout 2>&1\n",
        "A=1 program b\n",
        "program 'a''b'\"c\"d\n",
        "program $'a b' c\n",
        "A=\nprogram $A\\$ b\n",
        "A=\nprogram ${A:-b} ${C:-d}\n",
        "A=; : ${A=1} ${B=2}\nprogram x$A $B\n",
        "A=2; : $((A == 3)) $((A <= 3)) $((A != 2))\nprogram $A\n",
        "A=2; ((A >= 3)); let 'A == 3'\nprogram $A\n",
    ],
)
def test_scripts_are_bashs(script: str) -> None:
    assert ours(script) == bashs(script)


def test_what_is_known_at_launch_only_is_marked() -> None:
    script = 'program $UNSET "a$(date)b" $((1+N)) ${NAME%x}\n'
    assert ours(script) == [UNKNOWN, f"a{UNKNOWN}b", UNKNOWN, UNKNOWN]


def test_an_argument_behind_one_that_may_be_none_is_known_at_launch_only() -> None:
    script = 'f() { program "$1" "$2" "$3"; }\nf a $UNSET c\n'
    assert ours(script) == ["a", UNKNOWN, UNKNOWN]


def test_branches_and_defaults_are_not_sure() -> None:
    script = (
        "A=(one)\nif test -e x; then A+=(two); B=1; else B=2; fi\n"
        'program "${A[@]}" $B ${C:-three}\n'
    )
    (words,) = (words for words in read(script) if words[0].text == "program")
    assert [(word.text, word.sure) for word in words[1:]] == [
        ("one", True),
        ("two", False),
        ("1", False),
        ("2", False),
        ("three", False),
    ]


@given(st.lists(ARGUMENT, max_size=4))
def test_every_character_stands_where_it_is_said_to(arguments: list[str]) -> None:
    script = f"{SETUP}program {' '.join(arguments)}\n"
    for words in read(script):
        for word in words:
            assert len(word.text) == len(word.offsets)
            for character, offset in zip(word.text, word.offsets, strict=True):
                assert character in (script[offset], UNKNOWN, " ")


def test_a_function_that_calls_itself_ends() -> None:
    assert ours("f() { program x; f; }\nf\n")[:2] == ["x", "x"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("case $X in a) B=1 ;; *) exit 1 ;; esac", [("1", True)]),
        ("die() { echo $1; exit 1; }\ncase $X in a) B=1 ;; *) die x ;; esac", [("1", True)]),
        ("f() { B=1; if [ $X ]; then B=2; return; fi; }\nf", [("1", False), ("2", False)]),
        ("f() { B=1; if [ $X ]; then return 1; fi; B=2; }\nf", [("2", False), ("1", False)]),
        ("f() { B=1; return; }\nf\nif [ $X ]; then B=2; fi", [("1", False), ("2", False)]),
    ],
)
def test_a_way_that_ends_is_left_out(script: str, expected: list[tuple[str, bool]]) -> None:
    commands = read(f"{script}\nprogram $B\n")
    (words,) = (words for words in commands if words[0].text == "program")
    assert sorted((word.text, word.sure) for word in words[1:]) == sorted(expected)
