"""The one release of verl that a project names where nothing that it installs says one."""

from __future__ import annotations

import pytest

from snippet_checker.projects.files import MemoryFiles
from snippet_checker.projects.project import Project

CLONE = "https://github.com/volcengine/verl"
OTHERS = "https://github.com/somebody/y"


def _project(files: dict[str, str], path: str = "/p/scripts/train.sh") -> Project:
    return Project(path, MemoryFiles({"/p/.git/HEAD": "", **files}))


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("- Framework: veRL 0.8.0\n", "0.8.0"),
        ("> based on `verl-project/verl` v0.8.0\n", "0.8.0"),
        ("- veRL版本: 0.8.0.dev\n", "0.8.0"),
        ("the installed package, expected as `verl==0.9.0.dev`\n", "0.9.0"),
        ("**verl** (version 0.6.1)\n", "0.6.1"),
        ("docker run verlai/verl:app-verl0.5-transformers4.55.4-sglang0.4.10.post2\n", "0.5.0"),
        ("in the image verlai/verl:app-verl0.5.\n", "0.5.0"),  # with the end of a sentence
        (f"git clone -b v0.7.0 {CLONE}.git\n", "0.7.0"),
        (f"git clone {CLONE}.git\ncd verl\ngit checkout v0.4.1\n", "0.4.1"),
        (f"git clone {CLONE}.git\ncd verl\ngit checkout release/v0.8.0\n", "0.8.0"),
        ("verl 0.5.0 and the image verlai/verl:app-verl0.5-a\n", "0.5.0"),
        ("these scripts are for `verl==0.8.x`\n", "0.8.0"),
        ("verl v0.4.x\n", "0.4.1"),
        ("verl 0.5.0 or later\n", None),
        ("verl 0.5.0+\n", None),
        ("verl>=0.5.0\n", None),
        ("since verl 0.5.0 there is a key for it\n", None),
        ("from verl 0.5.0 to verl 0.7.0\n", None),
        ("verl 0.5.0, and verl 0.7.0 for the other one\n", None),
        ("verl 0.9 has not got it\n", None),  # a part of a number tells of changes more often
        ("my-verl 0.5.0, verl-tool 0.5.0, verl/0.5.0, verl 0.5.0.1.2\n", None),
        (f"git clone {CLONE}-recipe -b v0.7.0\n", None),
        (f"git clone {CLONE}.git\ngit checkout 76352ae9\n", None),
    ],
)
def test_a_readme_says_which_verl_the_project_is_for(text: str, release: str | None) -> None:
    assert _project({"/p/README.md": text}).release == release


@pytest.mark.parametrize(
    ("files", "release"),
    [
        # What is installed says more than a page.
        ({"requirements.txt": "verl==0.7.1\n", "README.md": "verl 0.5.0\n"}, "0.7.1"),
        ({"requirements-verl.txt": "verl==0.7.1\n"}, "0.7.1"),
        ({"requirements/train.txt": "verl==0.7.1\n"}, "0.7.1"),
        ({"azure/docker/Dockerfile": "RUN pip install verl==0.7.1\n"}, "0.7.1"),
        ({"setup_verl_env.sh": "pip install verl==0.4.0 'numpy<2.0'\n"}, "0.4.0"),
        ({"scripts/install.sh": f"git clone {CLONE}.git -b v0.6.1\n"}, "0.6.1"),
        ({"a/Dockerfile": "RUN pip install verl==0.7.1\n", "b/Dockerfile": "verl==0.5.0"}, None),
        # The `#` in an address begins no remark.
        ({"setup.py": f"X = ['y @ git+{OTHERS}#egg=y', 'verl==0.5.0']  # verl==0.6.0\n"}, "0.5.0"),
        # A part with a commit of its own has any verl.
        ({"pyproject.toml": f"a = ['verl==0.5.0']\nb = ['verl @ git+{CLONE}@76352ae9']\n"}, None),
        # A submodule is what runs, whatever an image has.
        (
            {
                ".gitmodules": f"[submodule 'verl']\n\turl = {CLONE}\n",
                "Dockerfile": "FROM verlai/verl:app-verl0.4-vllm0.8.5\n",
            },
            None,
        ),
        # Of a range, pip takes the newest release; one without an end goes on.
        ({"pyproject.toml": 'train = ["verl>=0.5,<0.8"]\n'}, "0.7.1"),
        ({"pyproject.toml": 'train = ["verl>=0.3.0.post1,<0.5"]\n'}, "0.4.1"),
        ({"pyproject.toml": 'train = ["verl<0.5,>=0.4.x"]\n'}, None),
        ({"pyproject.toml": 'train = ["verl~=0.6.0"]\n'}, "0.6.1"),
        ({"pyproject.toml": 'train = ["verl==0.4.*"]\n'}, "0.4.1"),
        ({"pyproject.toml": 'train = ["verl>=0.5"]\n'}, None),
        ({"pyproject.toml": 'train = ["verl>=0.5,!=0.6.0"]\n'}, None),
        ({"pyproject.toml": 'train = ["verl<0.0.1"]\n'}, None),
        # The head of a config, of the file itself or else all that have one.
        ({"scripts/train.sh": "#!/bin/sh\n# verl 0.6.1\n", "README.md": "verl 0.5.0"}, "0.6.1"),
        ({"config/a.yaml": "# verl 0.5.0\ndata: {}\n"}, "0.5.0"),
        ({"config/a.yaml": "# verl 0.5.0\n", "config/b.yaml": "# verl 0.6.0\n"}, None),
        ({"config/a.yaml": "a: 1\n" * 40 + "# verl 0.5.0\n"}, None),
    ],
)
def test_where_a_project_names_its_verl(files: dict[str, str], release: str | None) -> None:
    assert _project({f"/p/{name}": text for name, text in files.items()}).release == release


@pytest.mark.parametrize(
    ("files", "release"),
    [
        ({"/p/mine/REQUIRED_VERL.txt": f"git+{CLONE}.git@76352ae9c1"}, None),
        ({"/p/mine/REQUIRED_VERL.txt": "PIP_INSTALL=pip install verl==0.7.1"}, "0.7.1"),
        ({"/p/mine/README.md": "verl 0.5.0"}, "0.5.0"),
        ({"/p/.gitmodules": f"[submodule 'verl']\n\turl = {CLONE}\n"}, "0.6.0"),
    ],
)
def test_what_is_near_says_more(files: dict[str, str], release: str | None) -> None:
    given = {"/p/README.md": "verl 0.6.0\n", **files}
    assert _project(given, "/p/mine/train.sh").release == release


def test_how_it_is_said() -> None:
    asked = _project({"/p/README.md": "verl 0.8.0\n"}).requirement
    assert asked is not None
    assert (asked.verb, asked.version, asked.file, asked.folder) == (
        "names", "0.8.0", "README.md", "/p",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("setup", "release"),
    [
        ("import shutil\n\nshutil.copy('a', 'b')\n", "0.5.0"),  # a script of that name
        ("def setup():\n    make()\n\nrun_setup(setup)\n", "0.5.0"),
        ("from setuptools import setup\n\nsetup(name='mine')\n", None),  # a package of its own
    ],
)
def test_where_a_project_begins_without_a_repository(setup: str, release: str | None) -> None:
    files = {"/requirements.txt": "verl==0.5.0\n", "/scripts/setup.py": setup}
    assert Project("/scripts/train.sh", MemoryFiles(files)).release == release
