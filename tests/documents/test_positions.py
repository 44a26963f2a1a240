"""A wrong key in generated nestings of every format: found at its exact line and column."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL
from tests.placing import text_at

NESTINGS = settings(max_examples=int(os.environ.get("NESTINGS", settings().max_examples)))

Code = tuple[str, list[str]]
Nesting = Callable[[list[str]], list[str]]
Fence = Callable[[str, list[str]], list[str]]

KEY = "use_dynamic_batchsize"
FULL = f"actor_rollout_ref.actor.{KEY}"

PROSE = st.text("abc 文字かな、。（）é😀\t", max_size=12).map(lambda text: text.strip() + " ")
CODE_LIST = [
    ("yaml", ["actor_rollout_ref:", "  actor:", f"    {KEY}: true"]),
    ("yaml", ["# 注释", f"actor_rollout_ref: {{actor: {{{KEY}: true}}}}"]),
    (
        "yaml",
        ["entrypoint: |  # 注释", "  python3 -m verl.trainer.main_ppo \\", f"    {FULL}=True"],
    ),
    (
        "yaml",
        ["entrypoint: >-", "  python3 -m verl.trainer.main_ppo", f"  '{FULL}=True'  # 注释"],
    ),
    (
        "yaml",
        [
            'run: "echo \\"文\\u5B57\\"; python3 -m verl.trainer.main_ppo \\',
            f'  {FULL}=1"',
        ],
    ),
    (
        "yaml",
        [f"command: [python3, '-m', \"verl.trainer.main_ppo\", '{FULL}=''文字''']"],
    ),
    (
        "bash",
        ["python3 -m verl.trainer.main_ppo \\", f"  '{FULL}=True' \\", "  trainer.nnodes=1"],
    ),
    (
        "bash",
        [
            "A=(",
            "  # 注释 😀",
            f'  "{FULL}=True"',
            ")",
            'python3 -m verl.trainer.main_ppo "${A[@]}"',
        ],
    ),
    ("console", ["$ echo 文字", f"$ python3 -m verl.trainer.main_ppo {FULL}=True"]),
    ("python", [f"config.{FULL} = True"]),
    (
        "python",
        ["# 注释", f"run(['文', '-m', 'verl.trainer.main_ppo', f'{FULL}={{x}}', *more])"],
    ),
    (
        "python",
        [
            "# 注释",
            'call("""echo \\\'文\\\'; python3 -m verl.trainer.main_ppo \\',
            f'    \\\'{FULL}=True\\\'""")',
        ],
    ),
    ("text", [f"{FULL}=True"]),
]
CODE = st.sampled_from(CODE_LIST)

VALUES = st.sampled_from(
    [
        ("yaml", ["trainer:", '  project_name: "文字"', "  nnodes: zwei", "  save_freq: 8"]),
        ("yaml", ["trainer: {project_name: 文字, nnodes: 'zwei'}"]),
        ("bash", ["# 注释", "python3 -m verl.trainer.main_ppo \\", "  trainer.nnodes='zwei'"]),
        ("bash", ["# 注释", 'N="zwei"', "python3 -m verl.trainer.main_ppo trainer.nnodes=$N"]),
        ("text", ["trainer.nnodes=zwei"]),
    ]
)
# Generated text is no language, which a rule of its own would report now and then.
OPTIONS = Options(VERL, ignore=frozenset({"untranslated-text"}))


def fenced(language: str, lines: list[str]) -> list[str]:
    return [f"```{language}", *lines, "```"]


def code_directive(language: str, lines: list[str]) -> list[str]:
    return [f"~~~{{code-block}} {language}", ":caption: 说明", "", *lines, "~~~"]


def in_list(lines: list[str]) -> list[str]:
    return ["- 项目", "", *(f"  {line}" for line in lines)]


def in_tabbed_list(lines: list[str]) -> list[str]:
    return ["1. item", "", *(f"\t{line}" for line in lines)]


def in_quote(lines: list[str]) -> list[str]:
    return [f"> {line}" for line in lines]


def in_directive(lines: list[str]) -> list[str]:
    colons = max((len(line.strip()) for line in lines if line.strip().strip(":") == ""), default=2)
    colons = max(colons, *(line.count(":::") * 3 + 3 for line in lines)) + 1
    return [f"{':' * colons}{{note}} 标题", *lines, ":" * colons]


MYST_NESTINGS = st.lists(
    st.sampled_from([in_list, in_tabbed_list, in_quote, in_directive]), max_size=3
)


def loses_indentation(nestings: list[Nesting]) -> bool:
    """Whether markdown-it takes indentation away, on the rendered page too."""
    return in_quote in nestings and in_tabbed_list in nestings


def assert_found(name: str, source: str) -> None:
    result = check_text(name, source, OPTIONS)
    assert [finding.rule for finding in result.findings] == ["unknown-key"], source
    (finding,) = result.findings
    assert text_at(source.replace("\r\n", "\n"), finding.span).endswith(KEY)


@NESTINGS
@given(CODE, st.sampled_from([fenced, code_directive]), MYST_NESTINGS, PROSE, st.booleans())
def test_myst(code: Code, fence: Fence, nestings: list[Nesting], prose: str, crlf: bool) -> None:
    if code[0] == "yaml" and loses_indentation(nestings):
        return
    lines = fence(*code)
    for nest in nestings:
        lines = nest(lines)
    source = "\n".join(["#  标题", "", *lines, "", prose, ""])
    assert_found("page.md", source.replace("\n", "\r\n") if crlf else source)


@NESTINGS
@given(PROSE, PROSE, MYST_NESTINGS)
def test_myst_inline(before: str, after: str, nestings: list[Nesting]) -> None:
    lines = [f"字{before}`{FULL}=True`{after}"]
    for nest in nestings:
        lines = nest(lines)
    assert_found("page.md", "\n".join(lines))


@NESTINGS
@given(VALUES, st.sampled_from([fenced, code_directive]), MYST_NESTINGS, st.booleans())
def test_values(code: Code, fence: Fence, nestings: list[Nesting], crlf: bool) -> None:
    if loses_indentation(nestings):
        return
    lines = fence(*code)
    for nest in nestings:
        lines = nest(lines)
    source = "\n".join(["#  标题", "", *lines, ""])
    result = check_text("page.md", source.replace("\n", "\r\n") if crlf else source, OPTIONS)
    assert [finding.rule for finding in result.findings] == ["wrong-type"], source
    assert text_at(source, result.findings[0].span).strip("'\"") == "zwei"


def in_component(lines: list[str]) -> list[str]:
    return ['<Tabs title="文字">', "", *(f"      {line}" for line in lines), "", "</Tabs>"]


def in_admonition(lines: list[str]) -> list[str]:
    return ['!!! note "标题"', *(f"    {line}" if line else "" for line in lines)]


def in_tab(lines: list[str]) -> list[str]:
    return ['=== "标题"', "", *(f"    {line}" if line else "" for line in lines), ""]


@NESTINGS
@given(CODE, st.lists(st.sampled_from([in_component, in_list]), max_size=3), PROSE)
def test_mdx(code: Code, nestings: list[Nesting], prose: str) -> None:
    lines = fenced(*code)
    for nest in nestings:
        lines = nest(lines)
    assert_found("page.mdx", "\n".join(["import a from 'verl'", "", *lines, "", prose]))


@NESTINGS
@given(CODE, st.lists(st.sampled_from([in_admonition, in_tab, in_list]), max_size=3), PROSE)
def test_mkdocs(code: Code, nestings: list[Nesting], prose: str) -> None:
    lines = fenced(*code)
    for nest in nestings:
        lines = nest(lines)
    assert_found("page.md", "\n".join(["# 标题", "", *lines, "", prose]))


@NESTINGS
@given(CODE, PROSE, st.booleans(), st.sampled_from([None, 0, 1]))
def test_notebook(code: Code, prose: str, ascii_only: bool, indent: int | None) -> None:
    source = "\n".join([prose, "", *fenced(*code), ""])
    # The key stands as it is in the file; what is before it on its line may be escaped.
    cells = [{"cell_type": "markdown", "source": source.splitlines(keepends=True)}]
    assert_found("page.ipynb", json.dumps({"cells": cells}, ensure_ascii=ascii_only, indent=indent))


SCRIPTS = st.sampled_from([lines for language, lines in CODE_LIST if language == "bash"])


@NESTINGS
@given(SCRIPTS, PROSE, st.booleans())
def test_strings_of_data(lines: list[str], prose: str, ascii_only: bool) -> None:
    script = "\n".join([*lines, ""])
    data = {prose: [prose, {"run": script}]}
    assert_found("a.json", json.dumps(data, ensure_ascii=ascii_only))
    quoted = json.dumps(script, ensure_ascii=ascii_only)
    assert_found("a.toml", f"# {prose}\nrun = {quoted}\n")
    assert_found("a.py", f"# {prose}\nrun({script!r})\n")


@NESTINGS
@given(SCRIPTS, PROSE)
def test_recipes(lines: list[str], prose: str) -> None:
    script = [f"    {line}" for line in lines]
    assert_found(
        "Dockerfile", "\n".join([f"# {prose}", "RUN <<文", *script, "文"]).replace("文", "E")
    )
    assert_found("justfile", "\n".join(["a:", "    #!/bin/bash", *script]))


@NESTINGS
@given(CODE, st.integers(0, 3), st.booleans(), PROSE)
def test_rst(code: Code, depth: int, literal: bool, prose: str) -> None:
    language, lines = code
    if literal:
        language = "text"
        head = ["段落::", ""]
        if lines[0].startswith(("#", "actor_rollout_ref: {")):
            return  # nothing tells this from any other text
    else:
        head = [f".. code-block:: {language}", "   :linenos:", ""]
    block = [*head, *(f"   {line}" for line in lines)]
    for level in range(depth):
        marker = "- 项" if level % 2 else ".. note:: 注"
        block = [marker, "", *(f"   {line}" for line in block)]
    assert_found("page.rst", "\n".join(["标题", "====", "", *block, "", prose]))


@NESTINGS
@given(PROSE, PROSE, st.integers(1, 40), st.booleans())
def test_po(before: str, after: str, width: int, plural: bool) -> None:
    text = f'{before}"\t`{FULL}=True`{after}'
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    # The key itself stays on one line: that is the span that is looked up below.
    start = escaped.index("`")
    folded = [escaped[n : min(n + width, start)] for n in range(0, start, width)]
    folded += [escaped[start:]]
    folded = ["".join(folded)] if any(part.endswith("\\") for part in folded) else folded
    strings = "\n".join(f'"{part}"' for part in ["", *folded])
    msgid = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    head = f'msgid "{msgid}"\n'
    if plural:
        head += f'msgid_plural "{msgid}"\nmsgstr[0] {strings}\n'
    else:
        head += f"msgstr {strings}\n"
    assert_found("page.po", f'msgid ""\nmsgstr ""\n"Language: ja\\n"\n\n{head}')


@NESTINGS
@given(st.lists(PROSE, max_size=4))
def test_a_byte_order_mark_takes_a_column(lines: list[str]) -> None:
    source = "\ufeff`" + FULL + "`\n\n" + "\n".join(lines)
    result = check_text("page.md", source, OPTIONS)
    assert result.findings[0].span.column == 3
