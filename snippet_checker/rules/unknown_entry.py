"""`unknown-entry`: a command starts a module, or a config, that the release does not have."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.projects import copied_configs
from snippet_checker.rules.advice import new_text
from snippet_checker.rules.base import FromFaults, JudgedSnippet, Rule
from snippet_checker.snippets.snippet import Command, FaultKind, Mention
from snippet_checker.text.closest import closest
from snippet_checker.text.words import UNKNOWN
from snippet_checker.verl import drift, history
from snippet_checker.verl.release import Release, module_name

_TRAINER = "verl.trainer.main_ppo"
_TRAINERS = "verl.trainer"
_ELISIONS = ("...", "…")  # where a document leaves arguments out
_FOLDER = "ppo"  # of the code for all algorithms, as well as one of them
_ALGORITHMS = frozenset({"grpo", "dapo", "gspo", "rloo", "remax", "reinforce", "drgrpo"})

_of_projects = FromFaults(FaultKind.UNKNOWN_ENTRY)  # configs of a project's own


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    yield from _of_projects(judged)
    if judged.judgement.refused is not None and judged.snippet.block.whole_file:
        message = f"Hydra refuses the config of this command: {judged.judgement.refused}"
        yield Problem(judged.snippet.span, message)
    if judged.command is not None and judged.command.starts_verl_program and not _is_own(judged):
        yield from _of_command(judged.command, judged.release)
    for literal in judged.mentions.literals if judged.mentions is not None else ():
        if history.last_with_entry(literal.text) and not judged.release.has_module(literal.text):
            yield _problem(literal, judged.release)


def _is_own(judged: JudgedSnippet) -> bool:
    primary = judged.judgement.primary
    return primary is not None and primary.is_project_config


def _of_command(command: Command, release: Release) -> Iterator[Problem]:
    config = command.config_name
    if drift.moved_program(command.entry) is not None:
        yield from _of_moved(command, release)
    elif not release.has_module(command.entry):
        is_open = UNKNOWN in command.entry or command.entry.endswith(_ELISIONS)
        if is_open or _is_of_fork(command) or _is_beside(command.entry, release):
            return
        yield _problem(Mention(command.entry, command.span), release)
    elif config is not None:
        yield from _of_config(command, command.entry, config, release)


def _of_moved(command: Command, release: Release) -> Iterator[Problem]:
    """A program of verl's repository that came into the package, where the release has it."""
    module = history.successor_of_entry(command.entry, release)
    if module is None:
        return
    is_script = command.entry.endswith(".py")
    new = f"{module.replace('.', '/')}.py" if is_script else module
    message = f"'{command.entry}' moved; in verl {release.name} it is '{new}'"
    yield Problem(command.span, message, command.entry, new, change=new_text(new))
    if command.config_name is not None:
        yield from _of_config(command, module, command.config_name, release)


def _of_config(
    command: Command, entry: str, config: Mention, release: Release
) -> Iterator[Problem]:
    if _is_unknown(config.text, entry, command, release):
        message = f"'{entry}' of verl {release.name} has no config '{config.text}'"
        name = config.text.removesuffix(".yaml")
        like = closest(name, (primary.config_name for primary in release.primaries))
        yield Problem(config.span, message, config.text, like, change=new_text(like))


def _is_beside(entry: str, release: Release) -> bool:
    """Whether a script lies in a checkout of verl, beside the package: `verl/examples/…`."""
    folder = posixpath.dirname(module_name(entry).replace(".", "/"))
    below = any(file.startswith(f"{folder}/") for file in release.facts.files)
    return entry.endswith(".py") and not below and history.last_with_entry(entry) is None


def _is_of_fork(command: Command) -> bool:
    """Whether the module is one of EasyR1, whose programs take `config=FILE`, not Hydra's flags."""
    takes_config = any(setting.key == "config" for setting in command.every_setting)
    return takes_config and history.last_with_entry(command.entry) is None


def _is_unknown(config: str, entry: str, command: Command, release: Release) -> bool:
    primary = release.entry(entry)
    if primary is None or command.config_dir is not None or command.added_dir is not None:
        return False
    name = config.removesuffix(".yaml")
    if copied_configs.source_of(name, command.block.text) is not None:
        return False
    return not (
        UNKNOWN in name
        or name in release.facts.configs[primary.config_dir]
        or f"{primary.config_dir}/{name}.yaml" in release.facts.files
    )


def _problem(mention: Mention, release: Release) -> Problem:
    suggestion = _like(mention.text, release)
    last = history.last_with_entry(mention.text)
    message = f"verl {release.name} has no module '{mention.text}'"
    if last is not None:
        message += f", which {last} has"
    if suggestion is not None:
        message += f"; did you mean '{suggestion}'?"
    return Problem(mention.span, message, mention.text, suggestion, change=new_text(suggestion))


def _like(name: str, release: Release) -> str | None:
    """The entry point whose name is most like `name`.

    verl has one program for all algorithms, and none that bears an algorithm's name.
    """
    *folders, last = re.split(r"[./]", name.lower().removesuffix(".py"))
    words = {word for part in (*folders, last) for word in part.split("_")}
    says_ppo = _FOLDER in last.split("_") and "main" not in last  # as the programs do
    is_named_after = says_ppo or not _ALGORITHMS.isdisjoint(words)
    is_new = history.last_with_entry(name) is None
    if is_named_after and is_new and release.has_module(_TRAINER):
        return _TRAINER
    suggestion = history.closest_entry(name, release)
    return None if _lacks_its_kind(name, suggestion, release) else suggestion


def _lacks_its_kind(name: str, suggestion: str | None, release: Release) -> bool:
    """Whether a program of `name` would be another one than the suggestion, for all likeness.

    verl keeps a trainer of another kind in a folder of its own, and says so in an asynchronous
    one's name; the program there, or one of its name, is none that waits for the rollout.
    """
    if suggestion is None:
        return False
    folder, _, last = module_name(name).rpartition(".")
    if suggestion.rpartition(".")[0] == folder:
        return "async" in last.split("_") and "async" not in suggestion and folder == _TRAINERS
    below = f"{folder.replace('.', '/')}/"
    has_folder = any(file.startswith(below) for file in release.facts.files)
    return has_folder or "async" in last.split("_")


RULE = Rule("unknown-entry", Stage.HYDRA, "A module or a config that cannot be started.", _check)
