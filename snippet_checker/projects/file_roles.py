"""Whole files that say nothing about a release, by where they lie and how they are named."""

from __future__ import annotations

import posixpath
import re

from snippet_checker.documents.block import Block
from snippet_checker.projects.files import ProjectFiles, folders_above

_PACKAGE = "verl"
_ANY_COPYS = ("protocol.py", "trainer/main_ppo.py", "trainer/ppo/ray_trainer.py")
_OF_WANDB = re.compile(r"(?:^|/)wandb/(?:offline-)?run-[^/]{1,80}/files/config\.yaml$")
_PRINTED = "_generated_"  # as `scripts/generate_trainer_config.sh` of verl names them
_TEST = "test_"  # as pytest knows its files
_LOADING = "OmegaConf.load("


def is_for_no_release(block: Block, files: ProjectFiles) -> bool:
    """Whether a whole file is part of a copy of verl, printed for reference only, or test data."""
    return block.whole_file and (
        _lies_in_copy(block, files) or _is_printed(block.path) or _is_test_data(block, files)
    )


def _lies_in_copy(block: Block, files: ProjectFiles) -> bool:
    """Whether a file lies in such a copy, which may have another name by now.

    Its configs are what that copy accepts, and not settings for a release.
    """
    return any(
        files.is_there(f"{folder}/__init__.py")
        and (
            posixpath.basename(folder) == _PACKAGE
            or all(files.is_there(f"{folder}/{inner}") for inner in _ANY_COPYS)
        )
        for folder in folders_above(files, files.absolute(block.path))
    )


def _is_printed(path: str) -> bool:
    """Whether a file is a composed config that was printed: by verl's script, or by wandb."""
    is_verls = posixpath.basename(path).startswith(_PRINTED)
    return is_verls or _OF_WANDB.search(path) is not None


def _is_test_data(block: Block, files: ProjectFiles) -> bool:
    """Whether a file is one that a test beside it loads, and holds configs up against.

    Such a config says what the test expects, and nothing starts from it.
    """
    folder, name = posixpath.split(files.absolute(block.path))
    tests = (one for one in sorted(files.programs_in(folder)) if one.startswith(_TEST))
    texts = (files.text(posixpath.join(folder, one)) or "" for one in tests)
    lines = (line for text in texts for line in text.split("\n"))
    return any(_LOADING in line and f"/{name}" in line for line in lines)
