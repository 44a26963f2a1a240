"""What holds for fixes: nothing else changes, nothing new is wrong, and once is enough."""

from __future__ import annotations

from collections import Counter

import yaml
from hypothesis import given
from hypothesis import strategies as st

from snippet_checker.findings import Stage
from snippet_checker.fixes import texts
from snippet_checker.pipeline import Options, check_document
from tests.configured import VERL
from tests.fixes.test_cases import fixed
from tests.generating import tries

KEYS = [
    *("trainer.nnode", "trainer.nnodes", "critic.model.fsdp_config.param_offload", "data.foo"),
    *("actor_rollout_ref.actor.use_dynamic_batchsize", "actor_rollout_ref.actor.use_dynamic_bsz"),
    *("reward_model.reward_manager", "algorithm.adv_estimator", "model_engine", "日本.鍵"),
    *("actor_rollout_ref.rollout.engine_kwargs.vllm.seed", "actor_rollout_ref.ref.log_prob"),
    *("data.train_batch_size", "actor_rollout_ref.actor.ppo_mini_batch_size"),
]
values = st.sampled_from(["2", "16", "True", "grppo", '"dpp"', "dapo", "null", "[1,2]", "$N", "请"])
plus = st.sampled_from(["", "", "+", "++", "~"])
settings_ = st.tuples(plus, st.sampled_from(KEYS), values).map(lambda s: f"{s[0]}{s[1]}={s[2]}")
quotes = st.sampled_from(["{}", "'{}'", '"{}"', '"$X{}"', "{} \\\n ", "{}  # 注"])
words = st.tuples(quotes, settings_).map(lambda pair: pair[0].format(pair[1]))
commands = st.lists(words, max_size=6).map(
    lambda parts: "python3 -m verl.trainer.main_ppo " + " ".join(parts) + "\n"
)


def nested(entries: list[tuple[str, str, int]]) -> str:
    """Keys as YAML; a mapping that was opened last stays open."""
    lines: list[str] = []
    open_: list[str] = []
    for key, value, kind in entries:
        *parents, leaf = key.split(".")
        if kind == 0:
            lines.append(f"{key}: {value}")
            open_ = []
            continue
        while open_ != parents[: len(open_)]:
            open_.pop()
        for depth in range(len(open_), len(parents)):
            lines += ["  " * depth + f"{parents[depth]}:"]
        open_ = parents
        if kind == 1:
            lines.append("  " * len(parents) + "# 注释 comment")
        lines.append("  " * len(parents) + f"{leaf}: {value}  # why")
    return "\n".join(lines) + "\n"


yamls = st.lists(
    st.tuples(st.sampled_from(KEYS), values, st.integers(0, 3)), min_size=1, max_size=8
).map(nested)


def fenced(texts_: tuple[str, str]) -> str:
    indent = "   "
    block = "\n".join(indent + line for line in texts_[1].split("\n"))
    return (
        f"# verl 说明\n\n`trainer.nnode=1` と `{KEYS[2]}`。\n\n```bash\n{texts_[0]}```\n\n"
        f"1. a\n\n{indent}```yaml\n{block}\n{indent}```\n"
    )


def catalog(text: str) -> str:
    said = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return (
        f'msgid "Use it: {{}}"\nmsgstr "{said}"\n\n'
        'msgid "`trainer.nnode=1`"\nmsgstr "`trainer.nnode=1`"\n'
    )


documents = st.one_of(
    commands.map(lambda text: ("a.sh", text)),
    yamls.map(lambda text: ("a.yaml", text)),
    st.tuples(commands, yamls).map(lambda both: ("a.md", fenced(both))),
    settings_.map(lambda text: ("ja/LC_MESSAGES/a.po", catalog(f"verl: `{text}`"))),
)
line_ends = st.sampled_from(["\n", "\r\n"])
starts = st.sampled_from(["", "\ufeff"])


@given(documents, line_ends, starts, st.booleans())
@tries(600, some=40)
def test_fixes_of_any_document(
    document: tuple[str, str], line_end: str, start: str, unsafe: bool
) -> None:
    name, body = document
    text = start + body.replace("\n", line_end)
    before = check_document(name, text, Options(VERL))
    for finding in before.findings:
        if finding.fix is not None:
            assert_local(text, finding.fix)
    found = fixed(name, text, unsafe=unsafe)
    new = Counter((one.rule, one.key) for one in found.checked.findings)
    came = new - Counter((one.rule, one.key) for one in before.findings)
    assert {rule for rule, _ in came} <= {"conflicting-settings"}  # which Hydra's refusal hid
    assert not came or any(one.stage is Stage.HYDRA for one in before.findings)
    assert new.total() - came.total() + found.count == len(before.findings)
    assert found.text.startswith("\ufeff") == bool(start)
    assert ("\r" in found.text) == ("\r" in text)
    assert found.text.count("\n") - found.text.count("\r\n") in (0, found.text.count("\n"))
    if name == "a.yaml" and is_yaml(text):
        assert is_yaml(found.text)
    if name.endswith(".po"):
        originals = [line for line in text.split("\n") if line.startswith("msgid")]
        assert originals == [line for line in found.text.split("\n") if line.startswith("msgid")]
    again = fixed(name, found.text, unsafe=unsafe)
    assert (again.text, again.count) == (found.text, 0)


def assert_local(text: str, fix: texts.Fix) -> None:
    """All that is outside of a fix's edits stays."""
    fixed = texts.apply(text, [fix])
    rest_before, rest_after = text, fixed
    for edit in fix.edits:
        assert edit.old == "" or edit.old in rest_before
        assert edit.new in rest_after
    grown = sum(len(edit.new) - len(edit.old) for edit in fix.edits)
    assert len(fixed) - len(text) == grown
    first = min((edit.span.line, edit.span.column) for edit in fix.edits)
    lines, fixed_lines = text.split("\n"), fixed.split("\n")
    assert fixed_lines[: first[0] - 1] == lines[: first[0] - 1]
    assert fixed_lines[first[0] - 1][: first[1] - 1] == lines[first[0] - 1][: first[1] - 1]


def is_yaml(text: str) -> bool:
    try:
        list(yaml.compose_all(text))
    except yaml.YAMLError:
        return False
    return True
