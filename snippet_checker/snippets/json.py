"""JSON -> snippets: the launch commands in its strings and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands, job_texts, unreadable
from snippet_checker.snippets.job_texts import Scalar
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.text import json_tree
from snippet_checker.text.json_tree import NotJson, Text, TooDeep
from snippet_checker.work import Work

_MAY_HOLD_COMMAND = re.compile(r"\bverl\.\w|\bverl/trainer\b|actor_rollout_ref")


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The commands of a file or a block, which may hold a value on each line.

    A block that does not parse holds none.
    """
    # A document may call JSON5 so, or JSON.
    json5 = not block.whole_file or block.path.lower().endswith(".json5")
    try:
        trees = json_tree.parse_all(commands.filled_in(block, block.text), json5=json5)
    except NotJson as error:
        # A document may show half of one, and a log may name folders called `verl`.
        if block.whole_file and _MAY_HOLD_COMMAND.search(block.text):
            place = block.span(error.place, error.place + 1)
            language = "JSON5" if json5 else "JSON"
            message = f"this is not valid {language}, so nothing of it is checked"
            yield unreadable.refused(block, place, message)
        return
    except TooDeep:
        yield from unreadable.read_nested(block, work)
        return
    for tree in trees:
        yield from job_texts.read(block, _tree(tree), work)


def _tree(tree: json_tree.JsonValue) -> job_texts.JobData:
    if isinstance(tree, Text):
        return Scalar(tree.value, lambda: tree.word)
    if isinstance(tree, list):
        return [_tree(part) for part in tree]
    if isinstance(tree, dict):
        return {name: _tree(part) for name, part in tree.items()}
    return None
