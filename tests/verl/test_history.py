"""The history of every key: what is derived, and the reviewed file behind it."""

from __future__ import annotations

import fnmatch
from collections import Counter

import pytest
from packaging.version import Version

from snippet_checker import cli, statuses
from snippet_checker.verl import drift, history, lifecycle
from snippet_checker.verl.history import Fate
from snippet_checker.verl.release import load, newest, releases

EVERY_KEY = frozenset[str]().union(*(load(name).all_keys for name in releases()))


def test_every_key_that_ever_was_has_a_history() -> None:
    for key in EVERY_KEY:
        found = history.of_key(key)
        assert found is not None
        having = [name for name in releases() if key in load(name).all_keys]
        assert [entry.release for entry in found.entries] == having
        lives = found.last == newest()
        assert (found.fate is None) is lives
        if found.successor is not None:
            assert found.successor in load(newest()).all_keys


@pytest.mark.parametrize(
    ("key", "first", "last", "fate", "successor"),
    [
        ("actor_rollout_ref.actor.use_dynamic_bsz", "0.2", newest(), None, None),
        (
            "critic.model.fsdp_config.param_offload",
            "0.1",
            "0.7.1",
            Fate.MOVED,
            "critic.fsdp.param_offload",
        ),
        (
            "trainer.val_generations_to_log_to_wandb",
            "0.2",
            "0.3.0.post1",
            Fate.RENAMED,
            "trainer.log_val_generations",
        ),
        # It was split in two; it is set elsewhere now, where a key already stood; verl dropped it.
        ("actor_rollout_ref.rollout.multi_turn.max_turns", "0.4.0", "0.4.0", Fate.DROPPED, None),
        ("critic.mindspeed", "0.8.0", "0.9.0", Fate.DROPPED, None),
        ("critic.megatron.grad_offload", "0.4.0", "0.9.0", Fate.DROPPED, None),
        ("trainer.use_legacy_worker_impl", "0.5.0", "0.7.1", Fate.DROPPED, None),
        ("actor_rollout_ref.rollout.chat_scheduler", "0.4.0", "0.4.0", Fate.DROPPED, None),
    ],
)
def test_what_became_of_a_key(
    key: str, first: str, last: str, fate: Fate | None, successor: str | None
) -> None:
    found = history.of_key(key)
    assert found is not None
    assert (found.first, found.last, found.fate, found.successor) == (first, last, fate, successor)


def test_every_rename_is_borne_out_by_the_releases() -> None:
    histories = [found for key in sorted(EVERY_KEY) if (found := history.of_key(key)) is not None]
    renamed = {found.key: found for found in histories if found.successor is not None}
    assert renamed
    places = Counter((found.successor, found.last) for found in renamed.values())
    for found in renamed.values():
        successor = history.of_key(str(found.successor))
        assert successor is not None
        assert releases().index(successor.first) > releases().index(found.last), found.key
        assert places[found.successor, found.last] == 1, found.key


def test_what_is_set_now_is_no_new_name(capsys: pytest.CaptureFixture[str]) -> None:
    found = history.of_key("critic.mindspeed")
    assert found is not None
    assert found.instead == "critic.megatron"
    assert cli.main(["schema", "show", "critic.mindspeed"]) == statuses.CLEAN
    assert "dropped after 0.9.0; what is set now is critic.megatron" in capsys.readouterr().out


def test_defaults_are_those_of_each_release() -> None:
    found = history.of_key("actor_rollout_ref.rollout.max_num_seqs")
    assert found is not None
    defaults = {entry.release: entry.default for entry in found.entries}
    assert (defaults["0.8.0"], defaults["0.9.0"]) == (1024, 256)


def test_a_difference_names_what_moved_and_what_is_new() -> None:
    found = history.difference("0.7.1", "0.8.0")
    moved = {entry.key: entry.successor for entry in found.removed if entry.successor}
    assert moved["critic.model.fsdp_config.param_offload"] == "critic.fsdp.param_offload"
    assert "critic.fsdp.param_offload" in found.added
    assert history.difference("0.8.0", "0.9.0").changed[
        "actor_rollout_ref.rollout.max_num_seqs"
    ] == (1024, 256)


@pytest.mark.parametrize("kind", lifecycle.KINDS)
def test_every_note_is_about_keys_and_files_of_its_releases(kind: str) -> None:
    for note in lifecycle.notes(kind):
        about = [name for name in releases() if note.is_about(name)]
        assert note.file in load(about[-1]).facts.files
        for pattern in note.keys:
            known = any(fnmatch.filter(load(name).all_keys, pattern) for name in about)
            is_open = (note.successor or "").endswith(".*")
            assert known or is_open or any(load(name).code_reads_name(pattern) for name in about)
            if note.successor and not pattern.startswith("*"):
                assert note.replacement(pattern, load(about[-1])) is not None


def test_a_refused_word_is_no_default_and_what_is_written_instead_is_no_refused_word() -> None:
    notes = lifecycle.notes("word")
    assert notes
    for note in notes:
        for name in filter(note.is_about, releases()):
            defaults = {value for key in note.keys for value in load(name).defaults(key)}
            assert defaults.isdisjoint(note.values), name
        assert note.instead not in note.values


def test_no_default_lies_outside_its_own_set_of_words() -> None:
    from snippet_checker.verl import values

    for name in releases():
        release = load(name)
        started = {entry.config_dir for entry in release.facts.entries}
        for primary in (p for p in release.primaries if p.config_dir in started):
            space = release.space(primary)
            for key in space.keys:
                default = space.default(key)
                sets = values.closed_sets(release, key, space.classes(key.rpartition(".")[0]))
                if sets and values.is_known(default):
                    assert values.wrong_words(default, sets) == [], (name, key)


def test_the_command_shows_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "show", "critic.model.fsdp_config.param_offload"]) == statuses.CLEAN
    out = capsys.readouterr().out
    assert "0.1 to 0.7.1" in out
    assert "moved after 0.7.1 to critic.fsdp.param_offload" in out


def test_the_command_suggests_where_no_release_has_the_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["schema", "show", "use_dynamic_batchsize"]) == statuses.USAGE
    assert "did you mean actor_rollout_ref.actor.use_dynamic_bsz" in capsys.readouterr().err


def test_the_command_compares_releases(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "diff", "0.8.0", "0.9.0"]) == statuses.CLEAN
    out = capsys.readouterr().out.splitlines()
    assert "~ actor_rollout_ref.rollout.max_num_seqs: 1024 -> 256" in out
    assert "0.8.0 -> 0.9.0" in out[-1]
    assert cli.main(["schema", "diff", "0.8.0", "7"]) == statuses.USAGE


@pytest.mark.parametrize(("old", "new"), [("0.7.1", "0.8.0"), ("0.9.0", "0.9.1")])
def test_the_counts_of_a_comparison_are_those_of_its_lines(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["schema", "diff", old, new]) == statuses.CLEAN
    *lines, last = capsys.readouterr().out.splitlines()
    kinds = Counter(
        "renamed" if ": renamed to " in line else "moved" if ": moved to " in line else line[0]
        for line in lines
    )
    said = f"{kinds['+']} added, {kinds['-']} removed, {kinds['renamed']} renamed"
    assert last == f"{old} -> {new}: {said}, {kinds['moved']} moved, {kinds['~']} defaults changed"
    assert kinds["+"] + kinds["renamed"] + kinds["moved"] == len(
        load(new).all_keys - load(old).all_keys
    )


@pytest.mark.parametrize("moved", drift.moved_files(), ids=lambda moved: moved.old)
def test_a_file_that_moved_is_there_before_or_after(moved: drift.MovedFile) -> None:
    for name in releases():
        files, later = load(name).facts.files, Version(name) >= Version(moved.since)
        assert not (later and moved.old in files)
        assert (moved.new in files) == later


@pytest.mark.parametrize("moved", drift.moved_programs(), ids=lambda moved: moved.old)
def test_a_program_that_moved_is_in_the_newest_release(moved: drift.MovedProgram) -> None:
    release = load(releases()[-1])
    assert release.entry_module(moved.new) == moved.new
    for written in (moved.old, f"verl.{moved.old}", f"/x/{moved.old.replace('.', '/')}.py"):
        assert history.successor_of_entry(written, release) == moved.new
    assert history.successor_of_entry(moved.old, load("0.5.0")) is None
    assert not any(load(name).has_module(moved.old) for name in releases())
