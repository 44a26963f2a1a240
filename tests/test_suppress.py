"""Which findings a comment answers for, and what is said of a comment that answers for none."""

from __future__ import annotations

import json

import pytest

from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL
from tests.launching import RUN

WRONG = "trainer.nnode=1"
COMMAND = f"{RUN} {WRONG}"


def rules(name: str, text: str) -> list[str]:
    return [finding.rule for finding in check_text(name, text, Options(VERL)).findings]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"# snippet-checker: ignore[unknown-key] why\n{COMMAND}\n", []),
        (f"#!/bin/bash\n\n# snippet-checker: ignore[unknown-key] why\n{COMMAND}\n", []),
        (f"{COMMAND} # snippet-checker: ignore[unknown-key] why\n", []),
        (f"true\n# snippet-checker: ignore[unknown-key] why\n{COMMAND}\n", []),
        (
            f"true\n# snippet-checker: ignore[unknown-key] why\ntrue\n{COMMAND}\n",
            ["unused-ignore", "unknown-key"],
        ),
        (
            f"# snippet-checker: ignore[removed-key] why\n{COMMAND}\n",
            ["unused-ignore", "unknown-key"],
        ),
        (f"# snippet-checker: ignore[unknown-key]\n{COMMAND}\n", ["bare-ignore"]),
        (f"# snippet-checker: ignore\n{COMMAND}\n", ["bare-ignore", "unknown-key"]),
        (
            f"# snippet-checker: expect[unknown-key, removed-key]\n{COMMAND}\n",
            ["unused-ignore"],
        ),
        (
            "# snippet-checker: expect[unknown-key] expect[unknown-option]\n"
            f"{COMMAND} model_engine=x\n",
            [],
        ),
        (
            f"# snippet-checker: ignore[unknwon-key] why\n{COMMAND}\n",
            ["unknown-directive", "unused-ignore", "unknown-key"],
        ),
        (f"# snippet-checker: not-verl\n{COMMAND}\n", []),
        (f"# snippet-checker: relese=0.7.1\n{COMMAND}\n", ["unknown-directive", "unknown-key"]),
        (f"# snippet-checker: release=5\n{COMMAND}\n", ["unknown-directive", "unknown-key"]),
        (f"# snippet-checker: entry=verl.nope\n{COMMAND}\n", ["unknown-directive", "unknown-key"]),
    ],
)
def test_in_a_script(text: str, left: list[str]) -> None:
    assert rules("train.sh", text) == left


def test_a_release_is_named_and_not_ignored() -> None:
    text = f"# snippet-checker: ignore[other-release] it is for 0.7.0\n{COMMAND}\n"
    [unused, _wrong] = check_text("train.sh", text, Options(VERL)).findings
    assert unused.message.endswith("has no effect: name a release, as in 'release=0.7.0'")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"<!-- snippet-checker: ignore[unknown-key] why -->\n`{WRONG}`\n", []),
        (f"<!-- snippet-checker: ignore[unknown-key] why -->\n\n`{WRONG}`\n", []),
        (f"`{WRONG}` <!-- snippet-checker: ignore[unknown-key] why -->\n", []),
        (
            f"<!-- snippet-checker: ignore[unknown-key] why -->\nText.\n\n`{WRONG}`\n",
            ["unused-ignore", "unknown-key"],
        ),
        ("Text.\n\n<!-- snippet-checker: expect[unknown-key] -->\n", ["unused-ignore"]),
        ("<!-- snippet-checker: expect[unknown-key] -->\n```json\n{}\n```\n", ["unused-ignore"]),
        ("<!-- snippet-checker: ignroe[unknown-key] -->\n`foo`\n", ["unknown-directive"]),
    ],
)
def test_in_a_page(text: str, left: list[str]) -> None:
    assert rules("page.md", text) == left


PAGE = f"Text.\n\n`{WRONG}`\n\n```bash\n{COMMAND}\n```\n"
IN_FILE = "<!-- snippet-checker: ignore-file[unknown-key] a list of old names -->\n"


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("page.md", PAGE, ["unknown-key", "unknown-key"]),
        ("page.md", IN_FILE + PAGE, []),
        ("page.md", PAGE + "\n" + IN_FILE + "\nEnd.\n", []),
        ("page.md", IN_FILE + "Text.\n", ["unused-ignore"]),
        (
            "page.md",
            "<!-- snippet-checker: ignore-file[unknown-key] x expect[unused-ignore] -->\nText.\n",
            [],
        ),
        ("page.md", IN_FILE.replace(" a list of old names", "") + PAGE, ["bare-ignore"]),
        ("page.md", IN_FILE.replace("unknown-key", "unknwon-key") + "T.\n", None),
        (
            "page.md",
            f"```bash\n# snippet-checker: ignore-file[unknown-key] x\n{COMMAND}\n```\n",
            ["unknown-directive", "unknown-key"],
        ),
        (
            "page.rst",
            ".. snippet-checker: ignore-file[unknown-key] old\n\n"
            f"Text.\n\n.. code-block:: bash\n\n   {COMMAND}\n",
            [],
        ),
        ("a.sh", f"{COMMAND}\n# snippet-checker: ignore-file[unknown-key] old\n", []),
        (
            "ja/a.po",
            "# snippet-checker: ignore-file[unknown-key] old names\n"
            f'msgid ""\nmsgstr ""\n\nmsgid "Set `{WRONG}`."\nmsgstr "Set `{WRONG}`."\n',
            [],
        ),
        (
            "n.ipynb",
            json.dumps(
                {
                    "cells": [
                        {"cell_type": "markdown", "source": IN_FILE + "Text."},
                        {"cell_type": "code", "source": f"!{COMMAND}"},
                    ]
                }
            ),
            [],
        ),
    ],
)
def test_for_a_whole_document(name: str, text: str, left: list[str] | None) -> None:
    expected = ["unknown-directive", "unused-ignore"] if left is None else left
    assert rules(name, text) == expected


@pytest.mark.parametrize("rule", ["unknown-key", "unused-ignore"])
def test_a_rule_that_the_project_does_without_needs_no_comment(rule: str) -> None:
    """It may stay: with the rule it would answer for something."""
    text = f"# snippet-checker: ignore[{rule}] why\n{COMMAND}\n"
    options = Options(VERL, ignore=frozenset({"unknown-key", "unused-ignore"}))
    assert check_text("train.sh", text, options).findings == ()


@pytest.mark.parametrize("strict", [True, False])
def test_a_comment_for_strict_checks_may_stay_without(strict: bool) -> None:
    command = f"{RUN} +data.apply_chat_template_kwargs={{enable_thinking:$THINK}}"
    text = f"# snippet-checker: ignore[unverified-setting] why\n{command}\n"
    assert check_text("train.sh", text, Options(VERL, strict=strict)).findings == ()
