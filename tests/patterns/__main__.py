"""Attacks every regular expression of the package; prints, a line each, what took too long."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from snippet_checker.config import load
from snippet_checker.pipeline import Options, check_text
from snippet_checker.runner import check_paths
from snippet_checker.translations import glossary, glossary_file
from tests.configured import VERL
from tests.patterns.attack import attacks, costly
from tests.patterns.collect import patterns

ROOT = Path(__file__).parents[2]
_MOST_SECONDS = 600  # after which the system ends a pattern that does not
# Ways of a script that no case goes, whose patterns are made of what the script says.
_SCRIPT = """\
A=main_ppo.py
IFS=:
read -r B C <<< "a:b"
python3 -m verl.trainer.${A%.py} trainer.project_name=${A/main/a} $A $B
echo a | xargs -I{} python3 -m verl.trainer.main_ppo trainer.project_name={}
alias train='python3 -m verl.trainer.main_ppo'
train trainer.project_name=p
"""


def main(arguments: list[str]) -> int:
    """Returns how many patterns there are that take too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
    thorough = "--thorough" in arguments
    slow = 0
    for written in patterns(_run):
        print(f"{written.place} {written.text!r}", file=sys.stderr)
        found = attacks(written.text, written.flags, thorough=thorough)
        said = costly(written.text, written.flags, found, scans=written.scans)
        if said is not None:
            print(f"{written.place}: {written.text!r}: {said}")
            slow += 1
    return slow


def _run() -> None:
    """Make the patterns that are put together as texts come."""
    settings = load(ROOT)
    assert settings.glossary is not None
    terms = glossary.vocabulary(glossary_file.load(ROOT / settings.glossary))
    options = Options(VERL, vocabulary=terms)
    check_paths(sorted((ROOT / "tests/cases").glob("*.*")), options)
    check_text("ways.sh", _SCRIPT, options)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 100))
