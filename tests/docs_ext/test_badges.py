"""What stands below a block of configuration, and what is said where nothing can."""

from __future__ import annotations

import pytest

from tests.configured import VERL
from tests.docs_ext.conftest import Project


def test_each_block_of_configuration_says_what_it_was_checked_against(project: Project) -> None:
    right = "```bash\npython3 -m verl.trainer.main_ppo trainer.nnodes=2\n```"
    wrong = "<!-- snippet-checker: expect[unknown-key] -->\n```yaml\ntrainer:\n  nnode: 2\n```"
    old = "% snippet-checker: release=0.7.1\n```text\ncritic.model.fsdp_config.fsdp_size=8\n```"
    project.write(index=f"{right}\n\n{wrong}\n\n{old}\n\n```bash\nls\n```")
    built = project.build()
    assert "gets no badge" not in built.warnings
    page = built.page("index")
    badges = [badge.text for badge in page.select("p.badge")]
    assert badges[0] == f"Checked against verl {VERL} · verl.trainer.main_ppo"
    assert badges[1].startswith(f"Wrong on purpose, for verl {VERL}")
    assert badges[2].startswith("Checked against verl 0.7.1")
    assert len(badges) == 3
    assert not page.select("pre p.badge")


SETS = "```bash\npython3 -m verl.trainer.main_ppo {}=2\n```"


def test_the_same_text_for_two_releases_has_a_badge_for_each(project: Project) -> None:
    block = SETS.format("trainer.nnodes")
    project.write(index=f"{block}\n\n% snippet-checker: release=0.9.0\n{block}")
    badges = [badge.text for badge in project.build().page("index").select("p.badge")]
    assert [badge.split(" · ")[0] for badge in badges] == [
        f"Checked against verl {VERL}",
        "Checked against verl 0.9.0",
    ]


@pytest.mark.parametrize(
    ("block", "line", "rule"),
    [
        (SETS.format("trainer.nnode"), 6, "unknown-key"),
        (SETS.format("+trainer.nnodes"), 6, "needless-plus"),
        ("```yaml\nactor_rollout_ref:\n  nnodes: [\n```", 7, "yaml-syntax"),
        (
            "<!-- snippet-checker: expect[unknown-key] -->\n" + SETS.format("trainer.nnodes"),
            5,
            "unused-ignore",
        ),
    ],
)
def test_a_block_without_its_badge_is_a_warning_that_says_where(
    project: Project, block: str, line: int, rule: str
) -> None:
    project.write(index=f"Text.\n\n{block}")
    built = project.build()
    assert not built.page("index").select("p.badge")
    [warning] = built.warnings.splitlines()
    assert f"index.md:{line}: WARNING: " in warning
    assert f"[snippet_checker.{rule}]" in warning


SCRIPT = "# One\n# Two\npython3 -m verl.trainer.main_ppo \\\n  trainer.nnode=2\n"


@pytest.mark.parametrize(
    ("options", "types"),
    [
        ("", ["snippet_checker.unknown-key"]),
        (":lines: 3-", ["snippet_checker.unknown-key", "verl.badge"]),  # both are checked
    ],
)
def test_a_fault_in_an_included_script_is_named_in_the_script(
    project: Project, options: str, types: list[str]
) -> None:
    (project.source / "train.sh").write_text(SCRIPT, "utf-8")
    project.write(index=f"```{{literalinclude}} train.sh\n:language: bash\n{options}\n```")
    built = project.build()
    assert not built.page("index").select("p.badge")
    warnings = built.warnings.splitlines()
    assert len(warnings) == len(types)
    for warning, type_ in zip(warnings, types, strict=True):
        assert "train.sh:4: WARNING: " in warning
        assert f"[{type_}]" in warning


def test_a_fault_that_only_the_shown_part_has_is_named(project: Project) -> None:
    """What the whole script says of it, the reader of the part does not see."""
    script = f"# snippet-checker: expect[unknown-key]\n{SCRIPT}"
    (project.source / "train.sh").write_text(script, "utf-8")
    project.write(index="```{literalinclude} train.sh\n:language: bash\n:lines: 4-\n```")
    [warning] = project.build().warnings.splitlines()
    assert "train.sh:5: WARNING: " in warning
    assert "[unknown-key], in the part that is shown [verl.badge]" in warning
