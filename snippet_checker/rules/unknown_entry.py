"""`unknown-entry`: a command starts a module, or a config, that the release does not have."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.rules.base import Case, Rule
from snippet_checker.snippets.snippet import Context, Mention, Snippet
from snippet_checker.text.closest import closest
from snippet_checker.text.words import UNKNOWN
from snippet_checker.verl import history
from snippet_checker.verl.release import Release, is_verls_program


def _check(case: Case) -> Iterator[Problem]:
    snippet, release = case.snippet, case.release
    starts = snippet.context is Context.COMMAND and is_verls_program(snippet.entry or "")
    if starts and snippet.entry and snippet.entry_span:
        if not release.has_module(snippet.entry):
            yield _problem(Mention(snippet.entry, snippet.entry_span), release)
        elif _is_unknown_config(snippet, release):
            name = snippet.config_name
            message = f"'{snippet.entry}' of verl {release.name} has no config '{name}'"
            place = snippet.config_name_span or snippet.entry_span
            yield Problem(place, message, name, _like(name or "", release))
    for literal in snippet.literals:
        if history.last_with_entry(literal.text) and not release.has_module(literal.text):
            yield _problem(literal, release)


def _is_unknown_config(snippet: Snippet, release: Release) -> bool:
    primary = release.entry(snippet.entry or "")
    if primary is None or snippet.config_name is None or snippet.config_dir is not None:
        return False
    name = snippet.config_name.removesuffix(".yaml")
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
    return Problem(mention.span, message, mention.text, suggestion)


def _like(name: str, release: Release) -> str | None:
    """The entry point, or the config, whose name is most like `name`."""
    if "." in name:
        return history.closest_entry(name, release)
    return closest(name, (primary.config_name for primary in release.primaries))


RULE = Rule("unknown-entry", Stage.HYDRA, "A module or config that cannot be started.", _check)
