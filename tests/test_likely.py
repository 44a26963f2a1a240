"""Where nobody knows a project's commit of verl, only what all likely releases refuse counts."""

from __future__ import annotations

import pytest

from snippet_checker.findings import Finding, Severity, Stage
from snippet_checker.likely import wrong_in, wrong_on_likely
from snippet_checker.pipeline import Options, check_text
from snippet_checker.projects.files import MemoryFiles
from snippet_checker.text.places import Span
from snippet_checker.verl.release import newest

VERLS = "https://github.com/volcengine/verl"
SUBMODULE = {"/p/.gitmodules": f"[submodule 'verl']\n\turl = {VERLS}.git\n"}
START = "python3 -m verl.trainer.main_ppo"
COPY_BESIDE = {
    "/p/other/verl/__init__.py": "",
    "/p/other/verl/protocol.py": "",
    "/p/other/verl/version/version": "0.5.0",
}
SFT = "torchrun -m verl.trainer.fsdp_sft_trainer"


def _found(script: str, files: dict[str, str]) -> list[str]:
    given = MemoryFiles({"/p/.git/HEAD": "", **files})
    options = Options(newest(), files=given, release_is_default=True)
    result = check_text("/p/train.sh", f"{script}\n", options)
    return [finding.rule for finding in result.findings]


@pytest.mark.parametrize(
    ("script", "rules"),
    [
        (f"{SFT} model.partial_pretrain=a", []),  # up to 0.7.0
        (f"{SFT} model.partial_pretrain=a data.max_lenght=1", ["unknown-key"]),
        (f"{START} ray_init.num_cpus=1", []),  # up to 0.5.0
        (f"{START} trainer.nnode=1", ["unknown-key"]),
        # Old and new releases refuse one of these each, so that neither is sure.
        (f"{START} ray_init.num_cpus=1 trainer.use_v1=False", []),
    ],
)
def test_of_a_commit_only_what_every_likely_release_refuses(script: str, rules: list[str]) -> None:
    assert _found(script, SUBMODULE) == rules


@pytest.mark.parametrize(
    ("files", "expected"),
    [(SUBMODULE, []), ({"/p/requirements.txt": "verl==0.9.1"}, ["unknown-key"])],
)
def test_a_key_that_only_commits_had(files: dict[str, str], expected: list[str]) -> None:
    key = "actor_rollout_ref.rollout.multi_turn.enable_tokenization_sanity_check"
    assert _found(f"{START} {key}=False", files) == expected


@pytest.mark.parametrize("key", ["trainer.use_v1", "trainer.nnode"])  # few are likely, or all
def test_an_ignored_conflict_that_is_none_is_reported(key: str) -> None:
    script = f"# snippet-checker: ignore[conflicting-settings] it is meant\n{START} {key}=1"
    assert "unused-ignore" in _found(script, SUBMODULE)


@pytest.mark.parametrize(
    ("url", "rules"),
    [
        ("git@github.com:somebody/verl.git", []),  # a fork is of any age, too
        ("https://github.com/somebody/my-verl", ["removed-key"]),
    ],
)
def test_a_submodule_may_be_a_fork(url: str, rules: list[str]) -> None:
    modules = {"/p/.gitmodules": f"[submodule 'verl']\n\tpath = verl\n\turl = {url}\n"}
    assert _found(f"{START} ray_init.num_cpus=1", modules) == rules


@pytest.mark.parametrize(
    "text", [f"verl @ git+{VERLS}@76352ae9\n", f"-e git+{VERLS}.git@76352ae9#egg=verl\n"]
)
def test_a_commit_in_the_requirements_is_as_open(text: str) -> None:
    assert _found(f"{START} ray_init.num_cpus=1", {"/p/requirements.txt": text}) == []


@pytest.mark.parametrize(
    ("name", "goes_to", "rules"),
    [
        ("README.md", "76352ae9", []),
        ("Dockerfile", "${VERL_COMMIT}", []),
        ("Dockerfile", "v0.9.0", ["removed-key"]),
        ("README.md", "main", ["removed-key"]),
    ],
)
def test_so_is_a_clone_that_goes_to_a_commit(name: str, goes_to: str, rules: list[str]) -> None:
    text = f"git clone {VERLS}.git && cd verl && git checkout {goes_to}\n"
    assert _found(f"{START} ray_init.num_cpus=1", {f"/p/{name}": text}) == rules


@pytest.mark.parametrize(("at", "rules"), [("@4849643", []), ("@main", ["removed-key"])])
def test_so_is_an_image_that_installs_a_commit(at: str, rules: list[str]) -> None:
    text = f'RUN pip3 install --no-cache-dir "verl @ git+{VERLS}.git{at}"\n'
    assert _found(f"{START} ray_init.num_cpus=1", {"/p/Dockerfile": text}) == rules


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"/p/requirements.txt": f"verl @ git+{VERLS}\n"},  # the newest there is
        {**SUBMODULE, "/p/README.md": "verl 0.9.0\n"},
    ],
)
def test_else_the_release_counts(files: dict[str, str]) -> None:
    assert _found(f"{START} ray_init.num_cpus=1", files) == ["removed-key"]


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({"/p/README.md": "verl 0.5.0\n"}, []),
        ({"/p/README.md": "verl 0.6.0\n"}, []),
        ({"/p/requirements.txt": "verl>=0.5,<0.6\n"}, []),
        ({"/p/requirements.txt": "verl==0.5.0\n"}, ["future-key"]),
        ({"/p/setup.sh": "pip install verl==0.5.0\n"}, ["future-key"]),
        ({"/p/setup.sh": "pip install verl  # 0.5.x\necho for verl 0.5.x\n"}, []),
        (COPY_BESIDE, []),
        ({name.replace("/other", ""): text for name, text in COPY_BESIDE.items()}, ["future-key"]),
    ],
)
def test_a_release_that_is_only_named_is_not_that_of_later_keys(
    files: dict[str, str], rules: list[str]
) -> None:
    assert _found(f"{START} trainer.use_v1=False", files) == rules


def test_a_release_that_is_named_counts_where_no_less_is_wrong_on_the_newest() -> None:
    named = {"/p/README.md": "verl 0.5.0\n"}
    assert _found(f"{START} ray_init.num_cpus=1 trainer.nnode=1", named) == ["unknown-key"]
    assert _found(f"{START} ray_init.num_cpus=1 trainer.use_v1=False", named) == ["future-key"]
    later = "python3 -m verl.experimental.fully_async_policy.fully_async_main ray_init.num_cpus=1"
    assert _found(later, named) == ["removed-key"]  # and not that the program is missing


def _finding(line: int, rule: str = "unknown-key", stage: Stage = Stage.HYDRA) -> Finding:
    severity = Severity.WARNING if rule == "deprecated-key" else Severity.ERROR
    return Finding(rule, severity, stage, Span("a.sh", line, 1, line, 2), "", None, None)


MISSING = _finding(9, "unknown-entry")
CONFLICT = _finding(8, "conflicting-settings", Stage.VERL)


@pytest.mark.parametrize(
    ("found", "release", "lines"),
    [
        ({"1": [_finding(1)], "2": [_finding(1)]}, "2", {1}),
        ({"1": [_finding(1)], "2": [_finding(2)]}, "2", set()),
        # One that refuses more is not likely, whichever it is.
        ({"1": [_finding(1), _finding(2)], "2": [_finding(2)], "3": [_finding(2)]}, "3", {2}),
        ({"1": [], "2": [_finding(1)]}, "1", set()),
        ({"1": [_finding(1)], "2": [_finding(2), _finding(3)]}, "1", {1}),
        # What verl itself refuses, and what is only warned of, says little about the age.
        ({"1": [_finding(1)], "2": [CONFLICT, CONFLICT]}, "2", {8}),
        ({"1": [_finding(1)], "2": [_finding(2, "deprecated-key")]}, "2", {2}),
        # Behind a program that is not there nothing is judged.
        ({"1": [_finding(1), _finding(2)], "2": [MISSING]}, "1", {1, 2}),
    ],
)
def test_the_likely_releases_are_those_that_refuse_least(
    found: dict[str, list[Finding]], release: str, lines: set[int]
) -> None:
    likely, places = wrong_on_likely(reversed(found.items()))
    assert (likely, {line for line, _ in places}) == (release, lines)


@pytest.mark.parametrize(
    ("findings", "counts"),
    [
        ([], (0, 0)),
        ([MISSING, _finding(1), _finding(2)], (1, 2)),
        ([CONFLICT], (0, 0)),
        ([_finding(1, "deprecated-key")], (0, 0)),
        ([_finding(1, "wrong-type", Stage.VERL)], (0, 1)),
    ],
)
def test_what_is_wrong_on_one_release_is_counted(
    findings: list[Finding], counts: tuple[int, int]
) -> None:
    assert wrong_in(findings) == counts


def _at(column: int, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(
        "unknown-key", severity, Stage.HYDRA, Span("a.sh", 1, column, 1, 9), "no", "a", None
    )


@pytest.mark.parametrize(
    ("found", "likely", "left"),
    [
        ({"3": [_at(1)], "2": [], "1": [_at(1)]}, "2", ["1"]),  # nothing can be less
        ({"3": [_at(1)], "2": [_at(1), _at(2)], "1": [_at(1), _at(3)]}, "3", []),
        ({"3": [_at(1)], "2": [_at(2)], "1": []}, "1", []),  # less may be refused yet
        ({"3": [_at(1, Severity.WARNING)], "2": [_at(2, Severity.WARNING)], "1": []}, "3", ["1"]),
    ],
)
def test_no_more_releases_are_asked_than_may_matter(
    found: dict[str, list[Finding]], likely: str, left: list[str]
) -> None:
    asked = iter(found.items())
    assert wrong_on_likely(asked)[0] == likely
    assert [release for release, _ in asked] == left


FORK = "https://github.com/somebody/verl-mine"
OWN = f"{START} trainer.my_switch=True trainer.nnode=1"


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        # A fork that is not here may have any key, but a misspelled one.
        ({"/p/Dockerfile": f"RUN git clone --depth 1 {FORK}.git /opt/x\n"}, ["unknown-key"]),
        ({"/p/README.md": f"```\ngit clone {FORK}\n```\n"}, ["unknown-key"]),
        ({"/p/requirements.txt": f"verl @ git+{FORK}@main\n"}, ["unknown-key"]),
        ({"/p/setup.sh": f"pip install git+{FORK}\n"}, ["unknown-key"]),
        ({"/p/.gitmodules": "[submodule 'a']\n\turl = git@x.org:b/verl.git\n"}, ["unknown-key"]),
        ({"/p/setup.py": "setup(\n    name='verl',\n)\n"}, ["unknown-key"]),  # without the package
        # Files that are put over verl's, whose other files are not here.
        ({"/p/src/verl/trainer/main_ppo.py": ""}, ["unknown-key"]),
        ({"/p/src/verl/trainer/mine.py": ""}, ["unknown-key"] * 2),
        # It is verl's own, the project's, or no verl at all; or a page only names it.
        ({"/p/Dockerfile": f"git clone {FORK}\ngit clone {VERLS}\n"}, ["unknown-key"] * 2),
        ({"/p/README.md": f"git clone {FORK.replace('verl-mine', 'p')}\n"}, ["unknown-key"] * 2),
        ({"/p/README.md": f"See {FORK}.\n"}, ["unknown-key"] * 2),
        ({"/p/requirements.txt": f"vllm  # not git+{FORK}\n"}, ["unknown-key"] * 2),
        ({"/p/Dockerfile": f"FROM x\n# RUN git clone {FORK}\n"}, ["unknown-key"] * 2),
        ({"/p/README.md": "git clone https://github.com/a/overl\n"}, ["unknown-key"] * 2),
        ({"/p/setup.py": "setup(name='verlike')\n"}, ["unknown-key"] * 2),
        (
            {"/p/requirements.txt": "verl==0.9.1\n", "/p/README.md": f"git clone {FORK}\n"},
            ["unknown-key"] * 2,
        ),
        ({"/p/.gitmodules": f"[submodule 'a']\n\turl = {VERLS}.git\n"}, ["unknown-key"] * 2),
        ({}, ["unknown-key"] * 2),
    ],
)
def test_what_no_release_has_may_be_of_a_fork(files: dict[str, str], rules: list[str]) -> None:
    assert _found(OWN, files) == rules


def test_a_project_that_clones_itself_takes_no_fork() -> None:
    files = {"/verl-mine/.git/HEAD": "", "/verl-mine/README.md": f"git clone {FORK}\n"}
    options = Options(newest(), files=MemoryFiles(files), release_is_default=True)
    found = check_text("/verl-mine/train.sh", f"{OWN}\n", options).findings
    assert [finding.rule for finding in found] == ["unknown-key"] * 2


@pytest.mark.parametrize(
    ("setting", "without", "with_fork"),
    [
        ("algorithm.adv_estimator=mine", ["invalid-choice"], []),
        ("data.val_batch_size=2", ["deprecated-key"], []),
        ("+trainer.mine=2", ["dead-append"], []),
        ("data.custom_cls.mine=2", ["unknown-key"], []),
        ("trainer.nnodes=two", ["wrong-type"], ["wrong-type"]),
    ],
)
def test_what_a_forks_code_makes_of_a_setting_nobody_knows(
    setting: str, without: list[str], with_fork: list[str]
) -> None:
    script = f"{START} {setting} actor_rollout_ref.rollout.name=vllm"
    assert _found(script, {}) == without
    assert _found(script, {"/p/Dockerfile": f"git clone {FORK}\n"}) == with_fork


@pytest.mark.parametrize(
    ("word", "rules"), [("mine", []), ("grppo", ["invalid-choice"]), ("grpo", [])]
)
def test_a_word_of_a_fork_whose_release_is_named(word: str, rules: list[str]) -> None:
    files = {"/p/README.md": f"verl 0.8.0\ngit clone {FORK}\n"}
    assert _found(f"{START} algorithm.adv_estimator={word}", files) == rules
