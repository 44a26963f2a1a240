"""What stands at a place of a file, where more than one thing does."""

from __future__ import annotations

import json

from msgspec.structs import replace

from snippet_checker.documents.block import BlockKind
from snippet_checker.lsp.analysis import analyse
from snippet_checker.lsp.projects import Setup
from snippet_checker.pipeline import Options
from tests.configured import VERL

PPO = "python3 -m verl.trainer.main_ppo"


def test_cells_of_a_notebook_in_one_line_are_told_apart() -> None:
    cells = [
        {"cell_type": "code", "source": f"!{PPO} trainer.nnode={n}", "metadata": {}} for n in "12"
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    analysis = analyse("a.ipynb", text, Setup(Options(VERL)))
    first, second = (text.index(f"trainer.nnode={n}") + 1 for n in "12")
    assert [finding.span.column for finding in analysis.findings] == [first, second]
    for column in (first, second):
        block = analysis.block_at(1, column)
        assert block is not None
        # The cell is a program as well, whose text begins with the `!`.
        assert block.block.kind is BlockKind.SHELL
        assert [finding.span.column for finding in block.findings] == [column]
    begins = text.index("!") + 1
    program = analysis.block_at(1, begins)
    assert program is not None
    assert program.block.kind is BlockKind.PYTHON
    assert analysis.block_at(1, begins - 1) is None
    assert analysis.block_at(2, begins) is None


def test_a_finding_of_several_blocks_is_one() -> None:
    analysis = analyse("a.sh", f"{PPO} trainer.nnode=1\n", Setup(Options(VERL)))
    assert len(analysis.findings) == 1
    assert replace(analysis, blocks=analysis.blocks * 2).findings == analysis.findings


def test_of_settings_that_share_characters_the_shortest_comes_first() -> None:
    text = f"V=data.seed\n{PPO} $V=1 +data.note=${{V%.seed}}\n"
    analysis = analyse("a.sh", text, Setup(Options(VERL)))
    found = [verdict.setting.key for _, verdict in analysis.settings_at(1, 3)]
    assert found == ["data.note", "data.seed"]
