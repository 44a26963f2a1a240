"""What the pages promise about themselves is counted or compared anew, and not believed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.configured import VERL
from tests.docs_ext.conftest import Built, Project

# -- "Accepted by verl": for the very bytes that verl has seen ------------------------------------

SCRIPT = b"python3 -m verl.trainer.main_ppo \\\n  trainer.nnodes=2\n"
VERIFIED = "```{verl:verified} train.sh\n```\n\n(recipes-verified)=\n## Verified"


def record(project: Project, text: str) -> None:
    """Write what `make verify-recipes` would leave."""
    file: Path = project.source / "recipes/verified.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")


def accepted(*names: str) -> str:
    """The record of scripts that verl 0.8.0 has accepted, all with one text."""
    digest = {"sha256": hashlib.sha256(SCRIPT).hexdigest()}
    return json.dumps({"verl": "0.8.0", "scripts": {f"source/{name}.sh": digest for name in names}})


@pytest.fixture
def recorded(project: Project) -> Project:
    """A project with a script that verl 0.8.0 has accepted as it stands."""
    record(project, accepted("train"))
    (project.source / "train.sh").write_bytes(SCRIPT)
    return project


def badge_of(project: Project, page: str) -> tuple[str | None, Built]:
    project.write(index=page)
    built = project.build()
    badge = built.page("index").select_one("p.badge-verified")
    return badge and badge.get_text(), built


def test_a_script_that_verl_has_accepted_says_for_which_release(recorded: Project) -> None:
    badge, built = badge_of(recorded, VERIFIED)
    assert badge is not None
    assert "start-up code of verl 0.8.0" in badge
    assert built.warnings == ""


CHANGED = {
    "a-digit": SCRIPT.replace(b"=2", b"=3"),
    "line-ends": SCRIPT.replace(b"\n", b"\r\n"),
    "a-line-more": SCRIPT + b"\n",
    "a-character-less": SCRIPT[:-1],
    "as-it-was": SCRIPT,  # under a name that the record does not have
}


def test_a_script_of_which_one_byte_has_changed_loses_the_badge_and_breaks_the_build(
    recorded: Project,
) -> None:
    record(recorded, accepted(*(name for name in CHANGED if name != "as-it-was")))
    for name, text in CHANGED.items():
        (recorded.source / f"{name}.sh").write_bytes(text)
    page = "\n\n".join(f"```{{verl:verified}} {name}.sh\n```" for name in CHANGED)
    badge, built = badge_of(recorded, page)
    assert badge is None
    for name in CHANGED:
        told = f"verl has not accepted this text of {name}.sh: run `make verify-recipes`"
        assert told in built.warnings


def test_a_script_or_a_record_that_is_not_there_breaks_the_build(recorded: Project) -> None:
    badge, built = badge_of(recorded, VERIFIED.replace("train.sh", "none.sh"))
    assert badge is None
    assert "there is no script source/none.sh" in built.warnings
    record(recorded, "{")
    badge, built = badge_of(recorded, VERIFIED)
    assert badge is None
    assert "source/recipes/verified.json cannot be read" in built.warnings


# -- How much was checked -------------------------------------------------------------------------

# Settings counted by hand: 3 in the command, 2 in the YAML, 1 in the text, 0 in the shell.
PAGE = """
```bash
python3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.n_gpus_per_node=8 data.seed=1
```

```yaml
trainer:
  nnodes: 2
  device: cuda
```

Set `trainer.total_epochs=3`.

```bash
ls -l
```
"""
# Of four settings nothing can be said about one: the program is not verl's.
UNREAD = """
```bash
python3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.device=cuda data.seed=1
python3 my_trainer.py trainer.my_own_option=1
```
"""


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (PAGE, f"6 settings on these pages were checked against verl {VERL}, all of them."),
        (UNREAD, f"4 settings on these pages were checked against verl {VERL}, 75.0%."),
    ],
    ids=["all", "some"],
)
def test_the_coverage_is_that_of_the_settings_on_the_pages(
    project: Project, page: str, said: str
) -> None:
    project.write(index="```{verl:coverage}\n```", page=page)
    assert said in project.build().page("index").get_text()
