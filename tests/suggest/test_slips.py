"""How many wrong letters make a slip, counted by hand."""

from __future__ import annotations

import pytest

from snippet_checker.suggest import likeness


@pytest.mark.parametrize(
    ("word", "name", "is_slip"),
    [
        ("nnode", "nnodes", True),  # a letter is missing
        ("nnodse", "nnodes", True),  # two letters change places: one slip
        ("nnoeds", "nnodes", True),
        ("node", "nnodes", False),  # too short, whatever is missing
        ("nodse", "nnodes", False),  # a name of six letters, two of them wrong
        ("ppo_epohcs", "ppo_epochs", True),
        ("pp_epohcs", "ppo_epochs", True),  # ten letters, two slips
        ("pp_epohc", "ppo_epochs", False),  # three
        ("gpu_memory_utilisatoin", "gpu_memory_utilization", True),
        ("gpu_mem_utilization", "gpu_memory_utilization", False),  # three letters are gone
        ("use_dynamic_batchsize", "use_dynamic_bsz", True),  # another usual spelling
        ("nnodes", "nnodes", False),
    ],
)
def test_a_slip_is_a_letter_or_two(word: str, name: str, is_slip: bool) -> None:
    assert likeness.is_typo(word, name) is is_slip
