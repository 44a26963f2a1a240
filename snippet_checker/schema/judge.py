"""What becomes of each setting of a snippet on one release.

A launch command is judged whole, as Hydra judges it. A fragment or a mention says less than a
command does, so it is accepted where some program of the release accepts it.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from snippet_checker.model import Block, Context, Snippet, Word
from snippet_checker.schema import history
from snippet_checker.schema.commands import Command, judge_foreign_command
from snippet_checker.schema.fragments import Fragment
from snippet_checker.schema.release import Primary, Release
from snippet_checker.schema.tree import Tree
from snippet_checker.schema.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """A snippet's settings on one release.

    `primary` is what they were judged against. `tree` is the config that a command composes; it is
    None for anything else, and where the command says too little.
    """

    release: Release
    primary: Primary | None
    verdicts: tuple[Verdict, ...]
    tree: Tree | None = None


def judge(snippet: Snippet, release: Release, *, beside_others: bool = False) -> Judgement:
    """Judge every setting of `snippet`.

    Its document may start programs that are not verl's (`beside_others`).
    """
    primary = starting_config(snippet, release)
    if snippet.context is Context.COMMAND and primary is not None:
        command = Command(snippet, release, primary)
        tree = command.tree if command.certain else None
        return Judgement(release, primary, command.verdicts, tree)
    if snippet.context is Context.COMMAND:
        return Judgement(release, None, tuple(judge_foreign_command(snippet, release)))
    mount = argument(snippet.block, Word.MOUNT)
    fragment = Fragment(snippet, release, primary, mount, beside_others=beside_others)
    return Judgement(release, fragment.primary, tuple(map(fragment.judge, snippet.settings)))


def starting_config(snippet: Snippet, release: Release) -> Primary | None:
    """The primary config that a snippet says it starts from, if it says so and it is verl's.

    Of a program that is gone, it is that of the one to start instead.
    """
    said = argument(snippet.block, Word.ENTRY)
    named = said if said and release.entry(said) else snippet.entry
    if named is not None:
        named = history.successor_of_entry(named, release) or named
    primary = release.entry(named) if named else None
    if primary is None or (snippet.config_name is None and snippet.config_dir is None):
        return primary
    directory = primary.config_dir
    if snippet.config_dir is not None:
        # Hydra takes a relative --config-path from the folder of the module that it starts.
        module = (release.entry_module(named or "") or "").replace(".", "/")
        directory = posixpath.normpath(
            posixpath.join(posixpath.dirname(module), snippet.config_dir)
        )
    name = (snippet.config_name or primary.config_name).removesuffix(".yaml")
    known = name in release.facts.configs.get(directory, {})
    return Primary(directory, name) if known else None


def argument(block: Block, word: Word) -> str | None:
    """What a directive of `block` says for `word`."""
    said = [directive.argument for directive in block.directives if directive.word is word]
    return said[-1] if said else None
