"""A site describes the release that its `conf.py` names, whatever another one describes."""

from __future__ import annotations

import json

import pytest

from snippet_checker.verl.release import load
from tests.configured import VERL
from tests.docs_ext.conftest import Built, Project
from verl_docs import reference

OLD = "0.7.1"
PROGRAM = "verl.trainer.main_eval"
FACTS = f"""{{verl:default}}`data.path` {{verl:source}}`verl/trainer/main_eval.py`

```{{verl:keys}} {PROGRAM}
```

(checker)=
## Code

```yaml
# snippet-checker: entry={PROGRAM}
data:
  path: a.parquet
```
"""
FINDER = """```{verl:keys} verl.trainer.main_ppo
```

```{verl:finder}
```

```{verl:names} dropped
```
"""


def built(project: Project, release: str, program: str, page: str) -> Built:
    project.write(index=page)
    options = {"verl_release": release, "verl_programs": [program], "verl_descriptions": "none"}
    return project.build(release, **options)


def test_two_releases_are_built_in_one_process(project: Project) -> None:
    for release in (VERL, OLD, VERL):
        done = built(project, release, PROGRAM, FACTS)
        page = done.page("index")
        assert done.warnings == ""
        assert page.select_one(f"a[href*='/blob/v{release}/verl/trainer/main_eval.py']")
        [badge] = page.select(".badge")
        assert badge.text == f"Checked against verl {release} · {PROGRAM}"
        rows = {row["id"].removeprefix("key-") for row in page.select("tr[id]")}
        assert rows == reference.of_program(load(release), PROGRAM).keys.keys()


@pytest.mark.slow
@pytest.mark.parametrize("release", [VERL, OLD])
def test_the_finder_knows_what_the_release_has_and_what_an_earlier_one_had(
    project: Project, release: str
) -> None:
    new, old = (
        reference.of_program(load(name), "verl.trainer.main_ppo").keys for name in (VERL, OLD)
    )
    added = next(key for key in new if key not in load(OLD).all_keys)
    removed = next(key for key in old if key not in load(VERL).all_keys)
    done = built(project, release, "verl.trainer.main_ppo", FINDER)
    text = (done.html / "_static/verl-keys.js").read_text("utf-8").partition(";\n")[0]
    data = json.loads(text.removeprefix("window.verlKeys = "))
    assert data["release"] == release
    assert (added in data["keys"], removed in data["keys"]) == (release == VERL, release == OLD)
    assert (added in data["gone"], removed in data["gone"]) == (False, release == VERL)
    assert not data["gone"].keys() & load(release).all_keys
