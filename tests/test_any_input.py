"""No text, however broken, makes the checker fail, and every place it names is in the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippet_checker.documents import EXAMPLES
from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL
from tests.generating import tries

PIECES = st.sampled_from(
    [
        *[
            "\n",
            "\n\n",
            "  ",
            "    ",
            "\t",
            "\r\n",
            " ",
            "\\\n",
            "\\ \n",
            "文字",
            "、",
            "😀",
            "\x00",
        ],
        *["```", "```yaml\n", "```bash\n", "```{note}\n", ":::{tip}\n", ":::", "````", "~~~", "> "],
        *["- ", "1. ", ".. code-block:: yaml\n\n", "::\n\n", ".. note:: ", "`", "``", "{ref}`"],
        *[
            "# ",
            "%",
            "<!-- snippet-checker: ",
            "-->",
            "expect[unknown-key]",
            "ignore[",
            "]",
            "mount=",
        ],
        *[
            "trainer:\n",
            "  nnode: 1\n",
            "nnodes: [1",
            "{",
            "}",
            "&a",
            "*a",
            "<<: *a",
            "- x",
            "? ",
            "|",
        ],
        *[
            "python3 -m verl.trainer.main_ppo ",
            "trainer.nnode=1 ",
            "+a.b={x:1} ",
            "~trainer ",
            "'",
            '"',
        ],
        *[
            "A=(",
            ")",
            '"${A[@]}" ',
            "$(",
            "$X",
            "if true; then ",
            "fi",
            "f() {",
            "<<EOF\n",
            "EOF\n",
            ";",
        ],
        *[
            'msgid "',
            'msgstr "',
            '"\n',
            "msgid_plural ",
            "msgstr[0] ",
            "#~ ",
            "#, fuzzy\n",
            "\\n",
            "\\",
        ],
        *[
            "model_engine=",
            "megatron ",
            "actor_rollout_ref.actor.",
            "use_dynamic_batchsize",
            "=True ",
        ],
        *[
            "defaults:\n",
            "---\n",
            "...\n",
            "a.b=1,2 ",
            "a=${b:c}",
            "key@pkg=x ",
            "=3 ",
            "++",
            "bash -c ",
        ],
        *[
            "A+=x\n",
            "${A[²]}",
            "shift ²\n",
            "f\n",
            "{a,b}",
            "{1..9}",
            "$'\\ud800'",
            "2024-01-01\n",
            "!!binary aGk=\n",
            "hydra=1 ",
            "hydra/output=null ",
            "{1:2} ",
            "config.trainer.nnodes = (1, 2)\n",
            "config.trainer.nnodes = ...\n",
            "約 1 万 1.2.3",
            "9" * 5000,
            "0x" + "f" * 5000 + "\n",
            "!!int ''\n",
            '"\\U00110000"\n',
            "\ud800",
            "f\u0131ve \u017feven ",
            "In verl 0.7.",
            "::: parallel ",
            "xargs ",
            "ssh h ",
            "\\\r\r",
        ],
        *[
            '{"cells": [{"cell_type": "code", "source": ["',
            '"cell_type": "markdown", ',
            '"]}, {',
            '"]}]}',
            '["python3", "-m", "verl.trainer.main_ppo", "',
            '\\n", "',
            "\\ud83d\\ude00",
            "%%bash\\n",
            "!python3 ",
            "{a}",
        ],
        *[
            "import os\n",
            "cmd = [",
            "cmd += [",
            'f"{x}"',
            "if x:\n  ",
            "def f(a):\n  ",
            '"""',
            "x = x + x\n",
        ],
        *[
            "RUN ",
            "CMD [",
            "ENTRYPOINT [",
            "FROM x\n",
            "a:\n\t",
            "A := ",
            "$(A)",
            "$$A",
            "define A\n",
        ],
        *[
            "{{a}}",
            'a := "b"\n',
            "#!/bin/bash\n",
            "a = ",
            "[a]\n",
            "<Tab>",
            "</Tab>",
            "import a from 'b'\n",
        ],
        *[
            "!!! note\n",
            '=== "Tab"\n',
            "??? tip\n    ",
            "{/* snippet-checker: ",
            " */}",
            "export a\n",
        ],
    ]
)


def name_like(example: str) -> str:
    """The name of a file: `any.md` for `.md`, `Makefile` as it stands."""
    return f"any{example}" if example.startswith(".") else example


@pytest.mark.hypothesis
@pytest.mark.parametrize("suffix", EXAMPLES)
def test_any_text_is_survived(suffix: str) -> None:
    @tries(60)
    @given(st.lists(PIECES, max_size=25).map("".join))
    def survives(text: str) -> None:
        lines = text.split("\n")
        for finding in check_text(name_like(suffix), text, Options(VERL)).findings:
            span = finding.span
            assert 1 <= span.line <= span.end_line <= len(lines)
            assert 1 <= span.column <= len(lines[span.line - 1]) + 1
            assert finding.message
            assert "\n" not in finding.message

    survives()


@pytest.mark.parametrize("text", ["::: parallel verl", "parallel ::: verl", "xargs", "ssh"])
def test_texts_that_once_failed_are_survived(text: str) -> None:
    check_text("any.sh", text, Options(VERL))


@tries(200)
@given(st.binary(max_size=60))
def test_any_bytes_that_are_text_are_survived(data: bytes) -> None:
    check_text("any.md", data.decode("utf-8", errors="replace"), Options(VERL))
