"""`snippet-checker upgrade` as its users meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from snippet_checker import cli, statuses

SCRIPT = """\
python3 -m verl.trainer.main_ppo \\
  data.train_files=x \\
  critic.model.fsdp_config.param_offload=True \\
  trainer.use_legacy_worker_impl=disable
"""
FIXED = SCRIPT.replace("critic.model.fsdp_config", "critic.fsdp")


@pytest.fixture(autouse=True)
def _elsewhere(elsewhere: None) -> None:
    Path("a.sh").write_text(SCRIPT)


def run(*arguments: str) -> int:
    return cli.main(["upgrade", *arguments])


def test_what_has_to_change_and_what_changes_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--from", "0.7.1", "--to", "0.9.1", "a.sh") == statuses.FOUND
    out = capsys.readouterr().out
    assert out.startswith("a.sh: 0.7.1 to 0.9.1\n  becomes wrong:\n    3:3: Hydra refuses 'critic.")
    assert "[removed-key] (--fix does it)\n" in out
    keep = "what keeps it: actor_rollout_ref.rollout.max_num_seqs=1024\n"
    assert f"rollout.max_num_seqs: 1024, since 0.9.0 256; {keep}" in out
    assert "1 file to verl 0.9.1; 2 settings to change; " in out


def test_fixes_are_made_for_the_newer_release(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--from", "0.7.1", "--diff", "a.sh") == statuses.FOUND
    assert "+  critic.fsdp.param_offload=True \\\n" in capsys.readouterr().out
    assert Path("a.sh").read_text() == SCRIPT
    assert run("--from", "0.7.1", "--fix", "a.sh") == statuses.FOUND
    assert Path("a.sh").read_text() == FIXED
    out = capsys.readouterr().out
    assert "; 1 fixed\n" in out
    assert ("use_legacy_worker_impl" in out, "fsdp_config" in out) == (True, False)
    assert run("--from", "0.7.1", "--unsafe-fixes", "a.sh") == statuses.CLEAN
    assert "use_legacy" not in Path("a.sh").read_text()
    capsys.readouterr()
    assert run("--from", "0.7.1", "a.sh") == statuses.CLEAN


def test_what_is_left_after_fixes_is_told_as_before_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From the release that was guessed, though a mended file fits others as well."""
    Path("a.sh").write_text(SCRIPT.replace("trainer.use_legacy_worker_impl=disable", "x.y=1"))
    Path("b.sh").write_text("python3 -m verl.trainer.main_ppo +trainer.nnodes=1\n")
    assert run("--format", "json", ".") == statuses.FOUND
    before = json.loads(capsys.readouterr().out)["files"]
    assert run("--fix", "--format", "json", ".") == statuses.FOUND
    after = json.loads(capsys.readouterr().out)["files"]
    for name in ("path", "from", "accepted_by", "defaults"):
        assert after[0][name] == before[0][name]
    assert (before[1]["from"], after[1]["from"]) == (None, "0.9.1")  # which accepts it now
    keys = [one["key"] for file in after for one in (*file["changes"], *file["wrong_before"])]
    assert keys == ["x.y"]


def test_an_own_config_that_was_fixed_is_read_again(capsys: pytest.CaptureFixture[str]) -> None:
    Path("config").mkdir()
    Path("config/mine.yaml").write_text(
        "hydra: {searchpath: [pkg://verl.trainer.config]}\ndefaults: [ppo_trainer, _self_]\n"
        "reward:\n  reward_model:\n    enable: True\n    enable_resource_pool: True\n"
        "    n_gpus_per_node: 8\n"
        "reward_model:\n  nnodes: 1\n"
    )
    Path("a.sh").write_text(
        "python3 -m verl.trainer.main_ppo --config-path=$PWD/config --config-name=mine "
        "data.train_files=x actor_rollout_ref.model.path=y\n"
    )
    asked = ("--from", "0.8.0", "--format", "json", "a.sh", "config/mine.yaml")
    run("--unsafe-fixes", *asked)
    fixed = json.loads(capsys.readouterr().out)["files"]
    assert "\nreward_model:" not in Path("config/mine.yaml").read_text()
    run(*asked)
    assert json.loads(capsys.readouterr().out)["files"] == fixed


def test_json_and_markdown_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    run("--from", "0.7.1", "--format", "json", "a.sh")
    data = json.loads(capsys.readouterr().out)
    assert (data["schema"], data["to"]) == (1, "0.9.1")
    [file] = data["files"]
    assert (file["path"], file["from"], file["accepted_by"]) == ("a.sh", "0.7.1", None)
    assert [one["rule"] for one in file["changes"]] == ["removed-key", "removed-key"]
    assert file["changes"][0]["fix"]["safe"]
    run("--from", "0.7.1", "--format", "markdown", "a.sh")
    page = capsys.readouterr().out
    html = MarkdownIt("commonmark").enable("table").render(page)
    assert html.count("<tr>") == 2 + len(file["changes"]) + len(file["defaults"])
    for one in file["defaults"]:
        assert f"<code>{one['key']}</code>" in html


def test_markdown_takes_nothing_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.sh").unlink()
    name = "a`|<b>*x*.sh"
    Path(name).write_text("python3 -m verl.trainer.main_ppo 'trainer.nn`|<script>*ode*=1'\n")
    run("--from", "0.7.1", "--format", "markdown", name)
    html = MarkdownIt("commonmark").enable("table").render(capsys.readouterr().out)
    assert not any(tag in html for tag in ("<script>", "<em>", "<b>"))


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--from", "0.9.1", "--to", "0.7.1", "a.sh"), statuses.USAGE, "is not older than 0.7.1"),
        (("--from", "nope", "a.sh"), statuses.USAGE, "no schema of verl nope"),
        (("gone.sh",), statuses.USAGE, "gone.sh: there is no such file or folder"),
        (("empty",), statuses.NOTHING_TO_CHECK, "there is no file to upgrade"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("empty").mkdir()
    assert run(*arguments) == status
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error


def test_a_file_that_cannot_be_read_costs_no_other_its_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("b.sh").write_bytes(b"\xff")
    assert run("--from", "0.7.1", ".") == statuses.NOT_CHECKED
    captured = capsys.readouterr()
    assert "a.sh: 0.7.1 to 0.9.1" in captured.out
    assert captured.err.startswith("snippet-checker: b.sh: the file is not UTF-8")


def test_what_is_to_be_added_and_what_is_left_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    profiled = "python3 -m verl.trainer.main_ppo trainer.profile_steps=[1]\n"
    recipe = "python3 -m recipe.dapo.main_dapo trainer.nnodes=1\n"
    Path("a.sh").write_text(f"{profiled}{recipe}")
    assert run("--from", "0.5.0", "a.sh") == statuses.FOUND
    out = capsys.readouterr().out
    assert "what the command of line 1 has to set, too:\n    global_profiler.tool=nsys: " in out
    assert "left to you, the command of line 2: 'recipe.dapo.main_dapo' is no program of" in out
    assert "; 2 settings to add; " in out
    run("--from", "0.5.0", "--format", "markdown", "a.sh")
    page = capsys.readouterr().out
    assert "- Set `global_profiler.tool=nsys`, too: " in page
    assert "- Left to you, the command of line 2: " in page
    run("--from", "0.5.0", "--format", "json", "a.sh")
    [file] = json.loads(capsys.readouterr().out)["files"]
    assert file["beside"][0]["override"] == "global_profiler.tool=nsys"
    assert [one["line"] for one in file["not_compared"]] == [2]
    Path("a.sh").write_text(recipe)
    assert run("--from", "0.5.0", "a.sh") == statuses.CLEAN
    assert "left to you" in capsys.readouterr().out
