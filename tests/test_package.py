"""What others install: the wheel, the source distribution, and the command outside a clone."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.metadata import Metadata
from readme_renderer import markdown

from snippet_checker import __version__
from snippet_checker.verl.release import releases
from tests.checkout import ROOT, copy_tracked, tracked

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("package")]

SCRIPT = """\
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.actor.use_dynamic_batchsize=True
"""
PAGE = """\
# A page

```yaml
trainer:
  nnodes: 2
```
"""


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False
    )


def succeed(*command: object, cwd: Path) -> None:
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@dataclass(frozen=True)
class Wheel:
    path: Path

    def names(self) -> set[str]:
        with zipfile.ZipFile(self.path) as content:
            return set(content.namelist())

    def metadata(self) -> Metadata:
        """Raises where a field of it breaks the rules."""
        with zipfile.ZipFile(self.path) as content:
            return Metadata.from_email(content.read(f"{DIST_INFO}/METADATA"), validate=True)


DIST_INFO = f"snippet_checker-{__version__}.dist-info"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Wheel]:
    """The wheel that is made of a clone, and the one that is made of its source distribution."""
    clone = copy_tracked(tmp_path_factory.mktemp("clone"))
    found = []
    for source in (["--wheel"], []):
        out = tmp_path_factory.mktemp("dist")
        succeed(sys.executable, "-m", "build", *source, "--outdir", out, clone, cwd=out)
        found += [Wheel(path) for path in out.glob("*.whl")]
    return found


def test_a_clone_and_its_source_distribution_make_the_same_wheel(wheels: list[Wheel]) -> None:
    of_clone, of_distribution = (wheel.path.read_bytes() for wheel in wheels)
    assert of_clone == of_distribution


def test_the_wheel_is_the_package_and_its_licence(wheels: list[Wheel]) -> None:
    names = wheels[0].names()
    package = {name for name in tracked() if name.startswith("snippet_checker/")}
    taken_in = {"docs/checker/rules": "rules/pages", "docs/guide/keys": "verl/descriptions"}
    for folder, there in taken_in.items():
        files = [Path(name).name for name in tracked() if name.startswith(f"{folder}/")]
        package |= {f"snippet_checker/{there}/{name}" for name in files}
    assert {name for name in names if not name.startswith(DIST_INFO)} == package
    assert {f"{DIST_INFO}/licenses/LICENSE", f"{DIST_INFO}/licenses/NOTICE"} <= names
    assert "snippet_checker/py.typed" in names


def test_a_package_index_would_take_it_and_show_its_page(wheels: list[Wheel]) -> None:
    metadata = wheels[0].metadata()
    assert (metadata.name, str(metadata.version)) == ("snippet-checker", __version__)
    assert metadata.license_expression == "Apache-2.0"
    assert metadata.license_files == ["LICENSE", "NOTICE"]
    assert metadata.description_content_type == "text/markdown"
    page = markdown.render(metadata.description or "")
    assert page is not None
    assert "use_dynamic_batchsize" in page
    assert "expect[" not in page
    addresses = re.findall(r'(?:href|src)="([^"#][^"]*)"', page)
    assert addresses
    assert [address for address in addresses if not address.startswith("https://")] == []


@pytest.fixture(scope="module")
def installed(wheels: list[Wheel], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with nothing in it but the wheel and what it asks for."""
    home = tmp_path_factory.mktemp("environment")
    succeed(sys.executable, "-m", "venv", home, cwd=home)
    pip = [home / "bin/python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    succeed(*pip, "-c", ROOT / "constraints.txt", wheels[0].path, cwd=home)
    return home / "bin"


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["--version"], 0, __version__),
        (
            ["check", "train.sh"],
            1,
            "train.sh:2:5: error: Hydra refuses 'actor_rollout_ref.actor",
        ),
        (["check", "page.md"], 0, "1 setting in 1 snippet of 1 file"),
        (["schema", "list"], 0, "\n".join(releases())),
        (["schema", "show", "trainer.nnodes"], 0, "default 1"),
        (["explain", "unknown-key"], 0, "the key is “not in struct”"),
    ],
)
def test_the_installed_command_works_anywhere(
    installed: Path, tmp_path: Path, arguments: list[str], status: int, says: str
) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT, "utf-8")
    (tmp_path / "page.md").write_text(PAGE, "utf-8")
    done = run(installed / "snippet-checker", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (status, "")
    assert says in done.stdout


def test_what_is_installed_is_typed(installed: Path, tmp_path: Path) -> None:
    user = "from snippet_checker import __version__\n\n__version__ + 1\n"
    (tmp_path / "user.py").write_text(user, "utf-8")
    mypy = [sys.executable, "-m", "mypy", "--python-executable", installed / "python"]
    done = run(*mypy, "--cache-dir", tmp_path / "cache", "user.py", cwd=tmp_path)
    assert "import-untyped" not in done.stdout
    assert 'Unsupported operand types for + ("str" and "int")' in done.stdout
