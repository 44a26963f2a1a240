"""A release that is later than what people read in verl's code: nothing of that is a fact there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from snippet_checker import cli, statuses
from snippet_checker.findings import Finding, Severity
from snippet_checker.judge import conflicts, review
from snippet_checker.pipeline import Options, check_text
from snippet_checker.reports import review as report
from snippet_checker.verl import drift, facts, history, lifecycle, tables, upgrades
from snippet_checker.verl.history import Fate
from snippet_checker.verl.release import UnknownRelease, load, newest, releases

START = "python3 -m verl.trainer.main_ppo "
WHOLE = START + "data.train_files=a actor_rollout_ref.model.path=b "
LATER = "99.1"


def after(folder: Path, **changes: object) -> str:
    """The path of a snapshot: the newest release under a later name, with some changes."""
    known = load(newest()).facts
    sets = tuple(replace(one, unreviewed=True) for one in known.closed_sets)
    found = replace(known, release=LATER, closed_sets=sets)
    found = replace(found, **changes)  # type: ignore[arg-type]
    path = folder / f"{LATER}.json"
    path.write_text(facts.dump(found), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> str:
    return after(tmp_path_factory.mktemp("later"))


def findings(release: str, text: str) -> tuple[Finding, ...]:
    return check_text("a.sh", text + "\n", Options(release)).findings


@pytest.mark.parametrize("path", [lifecycle.LIFECYCLE, upgrades.UPGRADES])
def test_the_first_line_of_a_list_holds_for_all_its_entries(path: Path) -> None:
    """So that a check need not read them to know that nothing is left to read."""
    lists = {
        lifecycle.LIFECYCLE: [lifecycle.notes(kind) for kind in lifecycle.KINDS],
        upgrades.UPGRADES: [upgrades.changes(kind) for kind in upgrades.KINDS],
    }
    entries = [entry for kind in lists[path] for entry in kind]
    assert entries
    for entry in entries:
        assert entry.last or tables.is_reviewed(entry.reviewed, None, tables.reviewed(path))


def test_all_is_read_where_nothing_is_left_to_read(later: str) -> None:
    for name in (*releases(), later):
        assert review.is_reviewed(load(name)) == (not review.review_items(load(name)))
    assert not review.is_reviewed(load(later))


LOWERED = {
    "ineffective-key": (
        "actor_rollout_ref.actor.grad_clip=0.5",
        "'actor_rollout_ref.actor.grad_clip' has no effect in verl 0.9.1: the engines clip by the"
        f" optimizer's setting; whether that holds for {LATER}, too, has not been read yet",
    ),
    "invalid-choice": (
        "algorithm.adv_estimator=grppo",
        "'algorithm.adv_estimator' gets 'grppo', which is not named in verl/trainer/ppo/",
    ),
}


@pytest.mark.parametrize("rule", LOWERED)
def test_what_was_read_for_an_earlier_release_is_a_warning(rule: str, later: str) -> None:
    setting, said = LOWERED[rule]
    (before,) = findings(newest(), START + setting)
    assert (before.rule, before.severity) == (rule, Severity.ERROR)
    (now,) = findings(later, START + setting)
    assert (now.rule, now.severity) == (rule, Severity.WARNING)
    assert now.message.startswith(said)
    assert f"in verl {LATER}" not in now.message


def test_a_deprecation_is_told_of_the_release_that_it_was_read_for(later: str) -> None:
    key = next(
        pattern
        for note in lifecycle.notes("deprecated")
        if note.last is None
        for pattern in note.keys
        if pattern in load(newest()).keys and not lifecycle.ineffective(pattern, newest(), None)
    )
    (before,) = findings(newest(), f"{START}{key}=7")
    (now,) = findings(later, f"{START}{key}=7")
    assert before.rule == now.rule == "deprecated-key"
    assert f"is deprecated in verl {newest()}" in now.message
    assert "has not been read yet" in now.message
    assert now.suggestion is None


def test_settings_that_another_release_refuses_together_are_left_alone(later: str) -> None:
    text = WHOLE + "actor_rollout_ref.rollout.val_kwargs.do_sample=True"
    text += " actor_rollout_ref.rollout.temperature=0"
    assert "conflicting-settings" in {finding.rule for finding in findings(newest(), text)}
    assert findings(later, text) == ()


def test_where_a_key_went_is_a_guess_for_a_later_release(later: str) -> None:
    text = START + "critic.model.fsdp_config.param_offload=True"
    (before,) = findings(newest(), text)
    assert before.message.endswith("; write 'critic.fsdp.param_offload'")
    (now,) = findings(later, text)
    assert now.message.endswith("; did you mean 'critic.fsdp.param_offload'?")


def test_what_depends_on_the_snapshot_alone_is_a_fact(later: str) -> None:
    (found,) = findings(later, START + "trainer.nnode=2")
    assert (found.rule, found.severity) == ("unknown-key", Severity.ERROR)
    assert "which no release of verl has" in found.message


def test_a_key_that_went_after_what_was_read_has_no_known_fate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = load(releases()[-2])
    went = sorted(before.all_keys - load(newest()).all_keys)
    dropped = next(key for key in went if drift.moved(key) is None)
    history.fate.cache_clear()
    history.of_key.cache_clear()
    monkeypatch.setattr(drift, "is_reviewed", lambda release: release != newest())
    assert history.fate(dropped) == (Fate.GONE, None)
    assert history.fate("actor_rollout_ref.rollout.chat_scheduler") == (Fate.DROPPED, None)
    assert cli.main(["schema", "show", dropped]) == statuses.CLEAN
    history.fate.cache_clear()
    history.of_key.cache_clear()


def test_nothing_is_left_to_read_for_the_releases_that_there_are() -> None:
    for name in releases():
        assert review.review_items(load(name)) == ()
        assert review.is_reviewed(load(name))
    assert list(report.lines((), newest())) == [f"nothing is left to read for verl {newest()}"]


def test_each_kind_of_knowledge_has_to_be_read_again(later: str) -> None:
    release = load(later)
    assert not review.is_reviewed(release)
    found = review.review_items(release)
    wheres = {entry.where.partition(":")[0] for entry in found}
    assert wheres == {
        "snippet_checker/verl/lifecycle.toml",
        "snippet_checker/verl/upgrades.toml",
        "closed_sets.toml",
        "snippet_checker/judge/conflicts/conflicts.toml",
    }
    open_notes = [
        note for kind in lifecycle.KINDS for note in lifecycle.notes(kind) if note.last is None
    ]
    assert len(found) == (
        len(open_notes)
        + sum(len(upgrades.changes(kind)) for kind in upgrades.KINDS)
        + len([one for one in conflicts.every_check() if one.last is None])
        + len(release.facts.closed_sets)
    )


@pytest.mark.parametrize("file", [lifecycle.LIFECYCLE, upgrades.UPGRADES])
def test_an_entry_is_at_the_line_that_is_told(file: Path, later: str) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    told = [e for e in review.review_items(load(later)) if file.name in e.where]
    assert told
    for entry in told:
        number = int(entry.where.rpartition(":")[2])
        assert lines[number - 1].startswith("[[")
        assert entry.about.partition(", ")[0] in " ".join(lines[number : number + 9])


def test_keys_that_went_are_asked_for(tmp_path: Path) -> None:
    configs = {
        directory: {
            name: replace(file, body=without(file.body, "max_num_seqs"))
            for name, file in files.items()
        }
        for directory, files in load(newest()).facts.configs.items()
    }
    release = load(after(tmp_path, configs=configs, declarations={}))
    asked = {entry.about: entry for entry in review.review_items(release)}
    gone = asked["actor_rollout_ref.rollout.max_num_seqs"]
    assert gone.where.startswith("snippet_checker/verl/drift.toml")
    assert gone.ask == f"what took its place in {LATER}?"
    assert gone.files == ()


def without(body: object, name: str) -> dict[str, object]:
    assert isinstance(body, dict)
    return {
        key: without(value, name) if isinstance(value, dict) else value
        for key, value in body.items()
        if key != name
    }


def test_files_that_changed_are_told_first() -> None:
    entries = [
        review.ReviewItem("a.toml:1", "x", "is it?", ("verl/same.py",)),
        review.ReviewItem("a.toml:2", "y", "is it?", ("verl/z.py",)),
        review.ReviewItem("a.toml:3", "z", "where is it?"),
        review.ReviewItem("a.toml:4", "v", "is it?", ("verl/same.py",)),
    ]
    change = {"verl/same.py": "the same", "verl/z.py": "changed"}.get
    _, _, *lines = report.lines(entries, LATER, change)
    assert [line for line in lines if line and not line.startswith(" ")] == [
        "in the keys that came and went",
        "verl/z.py (changed)",
        "verl/same.py (the same)",
    ]
    assert lines[-2:] == ["  a.toml:1: x: is it?", "  a.toml:4: v: is it?"]


@pytest.mark.parametrize("one", conflicts.every_check(), ids=lambda one: one.where)
def test_every_rule_names_files_of_its_last_release(one: conflicts.checks.Check) -> None:
    having = [name for name in releases() if one.applies(name)]
    assert having
    assert one.files
    assert set(one.files) <= load(having[-1]).facts.files


def test_the_command_says_so_and_lists_it(
    later: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.sh").write_text(START + "trainer.nnodes=2\n")
    assert cli.main(["check", "a.sh", "--verl", later, "--format", "json"]) == statuses.CLEAN
    out, error = capsys.readouterr()
    assert json.loads(out)["verl"] == LATER
    assert f"not taken for facts of verl {LATER}; see: snippet-checker schema unread" in error
    assert cli.main(["schema", "unread", later]) == statuses.CLEAN
    assert "entries were not read for verl 99.1 yet" in capsys.readouterr().out
    assert cli.main(["schema", "unread"]) == statuses.CLEAN
    assert "nothing is left to read" in capsys.readouterr().out


def test_a_project_may_name_a_snapshot(
    later: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "later.json").write_bytes(Path(later).read_bytes())
    settings = "[tool.snippet-checker]\nverl = 'later.json'\ncache = 'cache'\n"
    (tmp_path / "pyproject.toml").write_text(settings)
    monkeypatch.chdir(tmp_path / "sub")
    Path("a.sh").write_text(START + "trainer.nnodes=2\n")
    for _ in range(2):
        assert cli.main(["check", "a.sh"]) == statuses.CLEAN
        assert f"verl {LATER}; 0 findings" in capsys.readouterr().out
    (tmp_path / "later.json").write_text("{}")
    load.cache_clear()
    assert cli.main(["check", "a.sh"]) == statuses.USAGE
    assert "is no snapshot of verl" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "[" * 100_000])
def test_a_file_that_is_no_snapshot_is_said(text: str, tmp_path: Path) -> None:
    path = tmp_path / "0.9.2.json"
    path.write_text(text)
    with pytest.raises(UnknownRelease, match=r"0\.9\.2\.json is no snapshot of verl"):
        load(str(path))
    with pytest.raises(UnknownRelease, match="cannot be read: No such file"):
        load(str(tmp_path / "gone.json"))


def test_no_document_names_a_snapshot(later: str) -> None:
    key = "critic.model.fsdp_config.param_offload"
    text = f"<!-- snippet-checker: release={later} -->\n`{key}=True`\n"
    found = check_text("a.md", text, Options(newest())).findings
    assert {one.rule for one in found} == {"unknown-directive", "removed-key"}
    (removed,) = (one.message for one in found if one.rule == "removed-key")
    assert removed.startswith(f"verl {newest()} has no '{key}'")


def test_a_fault_in_a_reviewed_file_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> bool:
        raise tables.TableError("lifecycle.toml:9: [[ineffective]] has no 'whi'")

    monkeypatch.setattr(review, "is_reviewed", fail)
    assert cli.main(["check", __file__]) == statuses.NOT_CHECKED
    error = capsys.readouterr().err
    assert error == "snippet-checker: lifecycle.toml:9: [[ineffective]] has no 'whi'\n"
