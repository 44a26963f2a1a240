"""A setting that is made twice on one line: Hydra itself takes the last one, without a word."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL

COMMAND = "python3 -m verl.trainer.main_ppo"
TWICE = [
    (f"{COMMAND} trainer.nnodes=2 trainer.nnodes=3", [("trainer.nnodes", 1)]),
    (
        f"{COMMAND} \\\n  trainer.nnodes=2 \\\n  data.seed=1 \\\n  trainer.nnodes=3",
        [("trainer.nnodes", 2)],
    ),
    (f'{COMMAND} "trainer.nnodes=2" $EXTRA \'trainer.nnodes=3\' "$@"', [("trainer.nnodes", 1)]),
    (f"{COMMAND} ++trainer.nnodes=2 trainer.nnodes=3", [("trainer.nnodes", 1)]),
    (f"{COMMAND} data.seed=1 data.seed=2 data.seed=3", [("data.seed", 1), ("data.seed", 1)]),
    (f"```bash\n{COMMAND} data.seed=1 data.seed=2\n```", [("data.seed", 2)]),
]
LEFT_ALONE = [
    f"{COMMAND} trainer.nnodes=2 trainer.nnodes=2",
    f"{COMMAND} data.seed=1 data.seed=1.0".replace("1.0", "1"),
    f'A=(trainer.nnodes=2)\n{COMMAND} "${{A[@]}}" trainer.nnodes=3',
    f'A=(trainer.nnodes=2 trainer.nnodes=3)\n{COMMAND} "${{A[@]}}"',
    f"N=2\n{COMMAND} trainer.nnodes=$N trainer.nnodes=3",
    f"{COMMAND} trainer.nnodes=${{N:-2}} trainer.nnodes=3",
    f'run() {{ {COMMAND} trainer.nnodes=2 "$@"; }}\nrun trainer.nnodes=3',
    f'run() {{ {COMMAND} trainer.nnodes=2 "$@"; }}; run trainer.nnodes=3',
    f"if $X; then A=trainer.nnodes=3; fi\n{COMMAND} trainer.nnodes=2 $A",
    f"{COMMAND} trainer.nnodes=2\n{COMMAND} trainer.nnodes=3",
    f"{COMMAND} trainer.nnodes=2; {COMMAND} trainer.nnodes=3",
]


@pytest.mark.parametrize(("text", "found"), TWICE)
def test_the_earlier_one_is_reported(text: str, found: list[tuple[str, int]]) -> None:
    name = "a.md" if text.startswith("`") else "a.sh"
    findings = check_text(name, text, Options(VERL)).findings
    assert [(one.key, one.span.line) for one in findings] == found
    assert {(one.rule, one.stage, one.severity) for one in findings} == {
        ("duplicate-key", "silent", "warning")
    }


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_may_be_meant_is_left_alone(text: str) -> None:
    assert check_text("a.sh", text, Options(VERL)).findings == ()


@pytest.mark.parametrize("setting", [f"a{'.a' * 80}=1", f"data.seed={'1' * 5000}"])
def test_what_cannot_be_read_is_said_once_where_it_is_read(setting: str) -> None:
    findings = check_text("a.sh", f"{COMMAND} {setting} {setting}0\n", Options(VERL)).findings
    assert {one.rule for one in findings} <= {"unchecked-part", "override-syntax"}
    assert findings
