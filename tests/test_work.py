"""No text of a size that people keep in files takes long, much memory, or ends the check.

What a shell or Hydra makes of a text is not the matter here, but reading it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_SIZE = 25_000  # characters; what takes the square of 100,000 takes a second of this
_SECONDS, _MEGABYTES = 5, 512
_WORKER = """
import json, resource, sys, time
from snippet_checker.pipeline import Options
from snippet_checker.runner import check_bytes
from tests.configured import VERL
options, (seconds, megabytes), texts = Options(VERL), json.loads(sys.argv[1]), json.load(sys.stdin)
check_bytes("/nowhere/a.md", b"`trainer.nnodes=1`", options)  # in no project: none is read
resource.setrlimit(resource.RLIMIT_AS, (2 * megabytes * 2**20,) * 2)
for name, file, text in texts:
    start = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(start) + 4 * seconds, resource.RLIM_INFINITY))
    checked = check_bytes(f"/nowhere/{file}", text.encode(), options)
    took = time.process_time() - start
    [peak] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    used = int(peak.split()[1]) / 1024  # ru_maxrss would be that of the process that started this
    bad = checked.failure or took > seconds or used > megabytes
    said = [str(checked.failure), f"{took:.1f} s, {used:.0f} MB"]
    print(json.dumps([name, said if bad else None]))
"""

Input = tuple[str, str, str]


def _pumped(file: str, units: Iterable[str], before: str = "", after: str = "") -> Iterator[Input]:
    for unit in units:
        yield f"{file} {before!r} {unit!r}", file, before + unit * (_SIZE // len(unit)) + after


def _entries(units: Iterable[str]) -> Iterator[Input]:
    """Catalogs whose message repeats a unit, in both markups, as long as it is read and longer."""
    for unit in units:
        for suffix in ("md", "rst"):
            for size in (9_800, _SIZE):
                text = (unit * (size // len(unit))).replace("\\", "\\\\").replace('"', '\\"')
                entry = f'#: a.{suffix}:1\nmsgid "{text}"\nmsgstr "中{text}"\n'
                yield f"{suffix} {size} {unit!r}", "a.po", entry


def _nested() -> Iterator[Input]:
    down = range(200, 2, -1)
    yield "fences", "a.md", "".join("`" * n + "{note}\n" for n in down)
    yield "colons", "a.md", "".join(":" * n + "{note}\n" for n in down)
    yield "loops", "a.sh", "for a in 1 2 3; do " * 600 + "b c; " * 3000 + "done; " * 600
    yield "mappings", "a.yaml", "".join(" " * n + "a:\n" for n in range(220))
    yield "notes", "a.md", "{note}\n`{note}" * 2000


_INLINE = ["`", "``a ", "`a ", "`a", "*", "**a", "_a", "[", "](", "[a](<", "[a](b)", "![a](",
           "[a][b] ", "<", "<a", "{a}`", "{a}`b ", ":a:`", ":a:`b` ", "{{", "$", "\\", "&#", "|",
           "a.", "a.b ", "a.b=1 ", "a{b,c}", "trainer.nnodes=1 ", "http://a ", "mailto:",
           "(", "0", " ", "\x00", "\u4e2d", "%(a", "[1]_ ", "a_ ", "|a| "]  # fmt: skip
_LINES = ["\n", "> a\n", "- a\n", "1. a\n", "# a\n", "---\n", "```\n", "~~~a\n", "::: {note}\n",
          "```{note}\n", "    a\n", "[a]: b\n", "[^a]: x\n\n", "% a\n", "a\n: b\n", "| a | b |\n",
          "<!-- snippet-checker: ignore[a] -->\n", ".. a::\n", ".. _a:\n",
          "a::\n\n", "::\n\n"]  # fmt: skip
_CODE = ["[", "{", "(", ")", "- ", "? ", "&a ", "*a ", "!a ", "'", '"', "\\", "\x00", "\n",
         "a: b\n", "- a: b\n", "<<: *a\n", "---\n", "${{", "${", "$(", "`", "# a\n", "<<A\n",
         "if a; then\n", "a=b\n", "case a in b) ", 'a="$a"\n', "\u4e2d", "{a,b}",
         "a=(", "a=(\n", "(a)", "a)", "<<<", ">&", "=~ ", "${a#", "done;"]  # fmt: skip
_PYTHON = ['"""', "'''", '\\"""\n', "'a' ", "'a', ", "['a', ", "(", "# a\n", "'a' + ", "\\'a",
           "config.a = 1\n", "a.cfg.a", "OmegaConf.update(config, 'a.b', "]  # fmt: skip
_ENTRY_LINES = [
    '"a"\n',
    '"\\n"\n',
    "#, fuzzy\n",
    "#: a.md:1\n",
    'msgid "a"\n',
    "a\n",
    "\n",
    '"',
    "\\",
]
_FEW = [
    *_pumped("a.md", ["](", "`a ", "[a](<", "::: {note}\n", "\n"]),
    *_pumped("a.yaml", ["[", "{a: ", "- "]),
    *_pumped("a.sh", ["\x00"]),
    *_pumped("a.sh", ["-m ", "–m "], "", "python3 -m verl.trainer.main_ppo trainer.nnode=1\n"),
    *_pumped("a.sh", ["${a}"], "python3 -m verl.trainer.main_ppo '+trainer.x=", "'\n"),
    *_pumped("a.sh", ["\u00a0", "\u00a0a.b=1"], "python3 -m verl.trainer.main_ppo ", "\n"),
    *_pumped("a.md", ["\\", "\\frac{a} "], '```python\n"""'),
    *_nested(),
]
_MANY = [
    *_pumped("a.md", [*_INLINE, *_LINES]),
    *_pumped("a.rst", [*_INLINE, *_LINES]),
    *_pumped("a.md", [" ", "a.b=1 ", "a.b=1,", "a"], "`trainer.nnodes", "=1`"),
    *_pumped("a.yaml", _CODE),
    *_pumped("a.sh", _CODE),
    *_pumped("a.sh", ["a|:=|", "$a|"], "$("),
    *_pumped("a.sh", ["a[1]=", "a=b ", "fi;"], "${"),
    *_pumped("a.sh", ["done;", "(a", "a;"], "case a in "),
    *_pumped("a.md", _CODE, "```\n", "\n```"),
    *_pumped("a.md", _PYTHON, "```python\n", "\n```"),
    *_pumped("a.md", ["$ ", "$ a\n", "(a) $ ", "> ", "\n"], "```console\n", "\n```"),
    *_pumped("a.po", _ENTRY_LINES, 'msgid "a"\nmsgstr ""\n'),
    *_entries(_INLINE),
]


@pytest.mark.slow
def test_texts_that_once_took_long_are_read() -> None:
    assert _offenders(_FEW) == {}


@pytest.mark.long
@pytest.mark.slow
def test_no_text_takes_long() -> None:
    assert _offenders(_MANY) == {}


def _offenders(texts: list[Input]) -> dict[str, list[str]]:
    """What became of each text that is not read as it has to be, by its name."""
    found: dict[str, list[str]] = {}
    while texts:
        command = [sys.executable, "-c", _WORKER, json.dumps([_SECONDS, _MEGABYTES])]
        done = subprocess.run(
            command, cwd=ROOT, input=json.dumps(texts), capture_output=True, text=True, check=False
        )
        said = [json.loads(line) for line in done.stdout.splitlines()]
        found |= {name: reason for name, reason in said if reason is not None}
        texts = texts[len(said) :]
        if texts:  # the system ended the process at this one
            found[texts[0][0]] = [f"exit status {done.returncode}", done.stderr[-200:]]
            texts = texts[1:]
    return found
