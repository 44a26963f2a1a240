"""Commands that verl itself judges, on a CPU, beside what the checker says of them.

Each command is one of the guide's launch scripts with a few settings changed at random: words of
closed sets, sizes and switches that have to go together, and appended keys.
"""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from launch_scripts import Command, all_scripts, command_of
from verify_recipes import RELEASE, judge

from snippet_checker.findings import Severity, Stage
from snippet_checker.pipeline import Options, check_text
from snippet_checker.verl.release import Release, load

PROGRAM = "verl.trainer.main_ppo"
_WRONG_WORD = "banana"
_MOST_CHANGES = 3
_NO_PACKAGE = "No module named"  # what would run elsewhere says nothing about a command
_AT_ONCE = 50  # commands for one process of verl's, which gives little memory back
_ACTOR, _ROLLOUT, _REF = (f"actor_rollout_ref.{role}" for role in ("actor", "rollout", "ref"))
_TOGETHER = {
    "data.train_batch_size": (4, 100, 128, 256),
    f"{_ACTOR}.ppo_mini_batch_size": (1, 50, 64, 512),
    f"{_ACTOR}.ppo_micro_batch_size": ("null", 8),
    f"{_ACTOR}.ppo_micro_batch_size_per_gpu": ("null", 1, 3),
    f"{_ACTOR}.use_dynamic_bsz": (True, False),
    f"{_ACTOR}.strategy": ("fsdp", "fsdp2", "megatron", "veomni"),
    f"{_ACTOR}.fsdp_config.ulysses_sequence_parallel_size": (1, 2),
    f"{_ROLLOUT}.log_prob_use_dynamic_bsz": (True, False),
    f"{_ROLLOUT}.log_prob_micro_batch_size_per_gpu": ("null", 4),
    f"{_ROLLOUT}.log_prob_micro_batch_size": ("null", 4),
    f"{_ROLLOUT}.tensor_model_parallel_size": (1, 2, 3),
    f"{_ROLLOUT}.data_parallel_size": (1, 2),
    f"{_ROLLOUT}.expert_parallel_size": (1, 2),
    f"{_ROLLOUT}.pipeline_model_parallel_size": (1, 2),
    f"{_ROLLOUT}.temperature": (0, 1.0),
    f"{_ROLLOUT}.val_kwargs.do_sample": (True, False),
    f"{_ROLLOUT}.n": (1, 5),
    f"{_REF}.log_prob_micro_batch_size_per_gpu": ("null", 2),
    "actor_rollout_ref.model.use_remove_padding": (True, False),
    "actor_rollout_ref.model.lora_rank": (0, 16, 1024),
    "algorithm.use_kl_in_reward": (True, False),
    "critic.enable": (True, False),
    "trainer.nnodes": (1, 3),
}
_APPENDED = tuple(
    f"+{node}.{name}"
    for node in (_ACTOR, _ROLLOUT, _REF, "actor_rollout_ref.model", "critic", "algorithm", "data")
    for name in ("use_dynamic_batchsize", "my_setting")
)


@dataclass(frozen=True, slots=True)
class Compared:
    """One command, whether the checker reports an error in it, and in which words verl refuses."""

    changes: tuple[str, ...]
    reported: tuple[str, ...]
    refusal: str | None

    @property
    def is_alike(self) -> bool:
        return bool(self.reported) is (self.refusal is not None)


def compare(count: int, seed: int) -> list[Compared]:
    """Judge `count` generated commands; raises Trouble where verl cannot be asked."""
    commands = list(_commands(count, random.Random(seed)))
    compared = []
    for start in range(0, len(commands), _AT_ONCE):
        some = commands[start : start + _AT_ONCE]
        verdicts = judge([command for command, _ in some])
        for (command, changes), verdict in zip(some, verdicts, strict=True):
            refusal = _refusal(verdict["refusal"])
            if refusal is None or _NO_PACKAGE not in refusal:
                compared.append(Compared(changes, _reported(command), refusal))
    return compared


def _commands(count: int, chance: random.Random) -> Iterator[tuple[Command, tuple[str, ...]]]:
    scripts = [command for command in map(command_of, all_scripts()) if command.program == PROGRAM]
    settings = [*_words(load(RELEASE)), *_TOGETHER.items(), *((key, (1,)) for key in _APPENDED)]
    for number in range(count):
        script = chance.choice(scripts)
        drawn = chance.sample(settings, chance.randint(1, _MOST_CHANGES))
        changes = {key: chance.choice(values) for key, values in drawn}
        kept = [o for o in script.overrides if o.partition("=")[0].lstrip("+") not in changes]
        added = tuple(f"{key}={value}" for key, value in changes.items())
        yield replace(script, name=f"{number}", overrides=[*kept, *added]), added


def _words(release: Release) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The keys that take one of a closed set of words, each with some of them and a wrong one."""
    primary = release.entry(PROGRAM)
    assert primary is not None
    present = release.composed(primary)
    for choice in release.facts.closed_sets:
        for key in choice.keys:
            if "*" not in key and present.has(key):
                yield key, (*choice.values[:3], _WRONG_WORD)


def _reported(command: Command) -> tuple[str, ...]:
    script = shlex.join(["python3", "-m", command.program, *command.overrides]) + "\n"
    findings = check_text("case.sh", script, Options(RELEASE)).findings
    refusing = (f for f in findings if f.stage in (Stage.HYDRA, Stage.VERL))
    return tuple(f.message for f in refusing if f.severity is Severity.ERROR)


def _refusal(refusal: dict[str, str] | None) -> str | None:
    return f"{refusal['words']} ({refusal['where']})" if refusal is not None else None


def told(compared: Iterable[Compared]) -> Iterator[str]:
    """A line for each command on which verl and the checker differ."""
    for one in compared:
        if not one.is_alike:
            verdict = f"refused: {one.refusal}" if one.refusal else f"starts; {one.reported[0]}"
            yield f"{' '.join(one.changes)}: verl {verdict}".replace("\n", " ")[:300]
