"""Launch commands that many tests check: one that is right, and one with a finding."""

from __future__ import annotations

RUN = "python3 -m verl.trainer.main_ppo"
RIGHT = f"{RUN} trainer.nnodes=2\n"
WRONG = f"{RUN} trainer.nnode=2\n"
"""`--unsafe-fixes` makes it the right one."""
