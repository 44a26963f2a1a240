"""The server as an editor meets it: a process, and messages over pipes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from snippet_checker import statuses
from tests.lsp.client import PATIENCE, Client
from tests.lsp.placing import cut, placed
from tests.processes import COMMAND

pytestmark = pytest.mark.xdist_group("language server")

WRONG = "actor_rollout_ref.actor.use_dynamic_batchsize"
RIGHT = "actor_rollout_ref.actor.use_dynamic_bsz"
RUN = "python3 -m verl.trainer.main_ppo"

# In each language: the text with a wrong key behind characters of several units.
LANGUAGES = {
    "a.sh": ("shellscript", f"# 動的\n{RUN} trainer.project_name='\"日本😀\"' {WRONG}=True\n"),
    "a.yaml": (
        "yaml",
        f"actor_rollout_ref: {{rollout: {{name: vllm}}, # 日😀\n  actor: {{{WRONG[24:]}: 1}}}}\n",
    ),
    "a.md": ("markdown", f"動的バッチ😀は `{WRONG}=True` で使う。\n"),
    "a.rst": ("restructuredtext", f"動的バッチ😀は ``{WRONG}=True`` で使う。\n"),
    "a.py": ("python", f'run("日本😀", ["python3", "-m", "{RUN[11:]}", "{WRONG}=True"])\n'),
}


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client(tmp_path_factory.mktemp("home"), "--site", "https://example.org/en/") as client:
        yield client


def project(editor: Client, name: str, configuration: str) -> Path:
    folder = editor.root / name
    folder.mkdir()
    (folder / "pyproject.toml").write_text(configuration, "utf-8")
    return folder


def test_it_says_what_it_can_do(editor: Client) -> None:
    can = editor.initialized["capabilities"]
    assert can["textDocumentSync"]["change"] == 2  # only what changed
    assert can["positionEncoding"] == "utf-16"
    assert can["hoverProvider"]
    assert can["completionProvider"]["resolveProvider"]
    assert can["codeActionProvider"]["codeActionKinds"][0] == "quickfix"


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_finding_is_shown_where_it_stands(editor: Client, name: str) -> None:
    language, text = LANGUAGES[name]
    found = editor.diagnostics(editor.open(name, text, language))
    shown = [(one["code"], cut(text, one["range"])) for one in found]
    assert ("unknown-key", WRONG if name != "a.yaml" else WRONG[24:]) in shown
    one = next(one for one in found if one["code"] == "unknown-key")
    assert (one["severity"], one["source"]) == (1, "snippet-checker")
    assert RIGHT in one["message"]
    address = "https://example.org/en/checker/rules/unknown-key.html"
    assert one["codeDescription"]["href"] == address


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_right_key_is_explained(editor: Client, name: str) -> None:
    language, text = LANGUAGES[name]
    text = text.replace(WRONG, RIGHT).replace(WRONG[24:], RIGHT[24:])
    uri = editor.open(f"right-{name}", text, language)
    assert editor.diagnostics(uri) == []
    offset = text.index(RIGHT[24:]) + 3
    before = text[:offset]
    place = before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
    shown = editor.at("hover", uri, *place)
    said = shown["contents"]["value"]
    assert f"**`{RIGHT}`**" in said
    assert "default `false`; takes true or false" in said
    assert re.search(r"releases +0\.\S+ to 0\.9\.1", said)
    assert cut(text, shown["range"]) == (RIGHT if name != "a.yaml" else RIGHT[24:])


HOVERS: list[tuple[str, str, str | None]] = [
    (
        "a.sh",
        f"{RUN} critic.model.fsdp_config.‸param_offload=True\n",
        "moved after 0.7.1 to critic.fsdp.param_offload",
    ),
    ("a.sh", f"{RUN} model_en‸gine=megatron\n", "Config group of verl"),
    ("a.sh", f"{RUN} model_engine=mega‸tron\n", "`veomni`"),
    ("a.sh", f"{RUN} actor_rollout_ref.actor.loss_agg_mo‸de=token-mean\n", "words `token-mean`"),
    ("a.sh", f"{RUN} actor_rollout_ref.rollout.max_num‸_seqs=64\n", "one engine works on"),
    ("a.sh", f"{RUN} ‸my.key=1\n", "**`unknown-key`** A key that"),
    ("a.sh", f"‸{RUN}\n", None),
    ("a.yaml", "actor_rollout_ref:\n  rol‸lout:\n    name: vllm\n", "Holds "),
    ("a.yaml", "rollout:\n  na‸me: vllm\n", "actor_rollout_ref.rollout.name"),
    ("a.yaml", "my_project:\n  ret‸ries: 3\n", None),
    ("a.md", "`fsdp_config.param_off‸load` saves memory.\n", "Other keys that end so"),
    ("a.md", "Nothing `hе‸re` is known.\n", None),
    ("a.md", "```yaml\ntrainer:\n  nno‸des: 2\n```\n", "**`trainer.nnodes`**"),
    ("a.md", "‸\n", None),
]


@pytest.mark.parametrize(("name", "marked", "says"), HOVERS)
def test_what_is_pointed_at_is_explained(
    editor: Client, name: str, marked: str, says: str | None
) -> None:
    here = placed(marked)
    uri = editor.open(f"hover-{name}", here.text, "")
    shown = editor.at("hover", uri, here.line, here.character)
    if says is None:
        assert shown is None
    else:
        assert says in shown["contents"]["value"]


# What is offered, and what a text becomes with the first of it.
COMPLETIONS = [
    ("a.sh", f"{RUN} \\\n  trainer.nno‸\n", "trainer.nnodes="),
    ("a.sh", f"{RUN} \\\n  tra‸\n", "trainer."),
    ("a.sh", f"{RUN} \\\n  model_en‸\n", "model_engine="),
    ("a.sh", f"{RUN} \\\n  model_engine=‸\n", "dp"),
    ("a.sh", f"{RUN} \\\n  model_engine=v‸\n", "veomni"),
    ("a.sh", f"{RUN} \\\n  algorithm.adv_estimator=‸\n", "grpo"),
    ("a.sh", f"{RUN} \\\n  {RIGHT}=‸\n", "true"),
    ("a.sh", f"{RUN} \\\n  trainer.logger=[console,w‸\n", "wandb"),
    ("a.sh", f"{RUN} \\\n  trainer.nnodes=‸\n", "1"),
    ("a.sh", f"{RUN} \\\n  actor_rollout_ref.use_dynamic_b‸\n", RIGHT + "="),
    ("a.sh", "ARGS=(\n  data.train_batch_size=8\n  trainer.nno‸\n)\n", "trainer.nnodes="),
    ("a.sh", f"{RUN} rollout.nam‸\n", "actor_rollout_ref.rollout.name="),
    ("a.md", "`rollout.nam‸`\n", "rollout.name"),
    ("a.sh", f"# 日本😀\n{RUN} x='😀' trainer.nno‸\n", "trainer.nnodes="),
    (
        "a.sh",
        f"{RUN} \\\n  actor_rollout_ref.actor.fsdp_config.use_dyn‸\n",
        "+actor_rollout_ref.actor.fsdp_config.use_dynamic_bsz=",
    ),
    ("a.yaml", "trainer:\n  nno‸\n", "nnodes: "),
    ("a.yaml", "actor_rollout_ref:\n  actor:\n    ‸\n", "use_dynamic_bsz: "),
    ("a.yaml", "actor_rollout_ref:\n  actor:\n    optim:\n      l‸\n", "lr: "),
    ("a.yaml", "actor_rollout_ref:\n  actor:\n    lr: 1\n  ro‸\n", "rollout:"),
    ("a.yaml", "algorithm:\n  adv_estimator: ‸\n", "grpo"),
    ("a.yaml", "trainer:\n  logger:\n    - con‸\n", "console"),
    ("a.yaml", "trainer:\n  nnodes: 1\n‸", "data:"),
    ("a.yaml", "services: {}\nact‸\n", "actor_rollout_ref:"),
    ("a.md", "```yaml\nrollout:\n  nam‸\n```\n", "name: "),
    ("a.md", "動的😀 `trainer.nno‸`\n", "trainer.nnodes"),
    ("a.md", f"```bash\n{RUN} trainer.nno‸\n```\n", "trainer.nnodes="),
    ("a.md", "```yaml\ntrainer:\n  nnodes: 1\n  n_gpus‸\n```\n", "n_gpus_per_node: "),
    ("a.rst", "動的 ``trainer.nno‸``\n", "trainer.nnodes"),
    ("a.rst", ".. code-block:: yaml\n\n   trainer:\n     nno‸\n", "nnodes: "),
    ("a.py", f'x = ["python3", "-m", "{RUN[11:]}", "trainer.nno‸"]\n', "trainer.nnodes="),
]


@pytest.mark.parametrize(("name", "marked", "wanted"), COMPLETIONS)
def test_what_fits_is_offered(editor: Client, name: str, marked: str, wanted: str) -> None:
    here = placed(marked)
    uri = editor.open(f"complete-{name}", here.text, "")
    items = editor.at("completion", uri, here.line, here.character)["items"]
    offered = {item["textEdit"]["newText"]: item for item in items}
    assert wanted in offered
    replaced = cut(here.text, offered[wanted]["textEdit"]["range"])
    typed = marked[: marked.index("‸")]
    assert typed.endswith(replaced)
    assert offered[wanted].get("filterText", "") == replaced


NOTHING_OFFERED = [
    ("a.sh", "cd da‸\n"),
    ("a.sh", "trai‸\n"),
    ("a.yaml", "services:\n  model:\n    na‸\n"),
    ("a.yaml", "services: {}\n‸"),
    ("a.md", "The trainer.nno‸ of verl\n"),
    ("a.py", f"# {RUN}\ntrainer.nno‸\n"),
    ("a.yaml", "my_project:\n  nno‸\n"),
    ("a.md", "```yaml\ntrainer:\n  nnodes: 1\n```\n‸\n"),
]


@pytest.mark.parametrize(("name", "marked"), NOTHING_OFFERED)
def test_nothing_is_offered_where_no_key_can_stand(editor: Client, name: str, marked: str) -> None:
    here = placed(marked)
    uri = editor.open(f"nothing-{name}", here.text, "")
    assert editor.at("completion", uri, here.line, here.character)["items"] == []


def test_an_offer_is_explained_when_it_is_looked_at(editor: Client) -> None:
    here = placed(f"{RUN} trainer.nno‸\n")
    uri = editor.open("explained.sh", here.text, "shellscript")
    item = editor.at("completion", uri, here.line, here.character)["items"][0]
    assert "documentation" not in item
    known = editor.ask("completionItem/resolve", item)
    assert "**`trainer.nnodes`**" in known["documentation"]["value"]
    strange = {"label": "x", "data": {"uri": 1}}
    assert editor.ask("completionItem/resolve", strange)["label"] == "x"


def test_a_key_without_a_default_is_said_to_have_none(editor: Client) -> None:
    text = f"{RUN} actor_rollout_ref.rollout.name=vllm\n"
    uri = editor.open("name.sh", text, "shellscript")
    said = editor.at("hover", uri, 0, len(text) - 8)["contents"]["value"]
    assert "verl 0.9.1: no default, so it has to be set; takes text" in said


def test_what_is_wrong_is_explained(editor: Client) -> None:
    here = placed(f"{RUN} trainer.nno‸de=1 +trainer.nnodes=1\n")
    uri = editor.open("why.sh", here.text, "shellscript")
    found = editor.at("hover", uri, here.line, here.character)
    assert found["contents"]["value"].startswith("**`unknown-key`** ")
    assert found["contents"]["value"].endswith("checker/rules/unknown-key.html)")
    assert cut(here.text, found["range"]) == "trainer.nnode"
    known = editor.at("hover", uri, here.line, len(here.text) - 3)["contents"]["value"]
    key, _, rule = known.partition("\n\n---\n\n")
    assert (key[:20], rule[:19]) == ("**`trainer.nnodes`**", "**`needless-plus`**")


def test_typing_changes_the_findings(editor: Client) -> None:
    text = f"echo 日本😀\n{RUN} trainer.nnodes=1\n"
    uri = editor.open("typing.sh", text, "shellscript")
    assert editor.diagnostics(uri) == []
    first = text.split("\n")[1].index("nnodes")
    wrong = {"start": {"line": 1, "character": first}, "end": {"line": 1, "character": first + 6}}
    assert cut(text, wrong) == "nnodes"
    editor.change(uri, 2, {"range": wrong, "text": "nodes"})
    editor.change(
        uri,
        3,
        {"range": {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 9}},
         "text": "x\n"},
        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
         "text": "# 𠮷\n"},
    )  # fmt: skip
    found = editor.diagnostics(uri, 3)
    assert [(one["code"], one["range"]["start"]["line"]) for one in found] == [("unknown-key", 3)]
    editor.change(uri, 4, {"text": f"{RUN} trainer.nnodes=1\n"})
    assert editor.diagnostics(uri, 4) == []


def test_a_closed_file_has_no_findings(editor: Client) -> None:
    uri = editor.open("closed.sh", f"{RUN} {WRONG}=True\n", "shellscript")
    assert editor.diagnostics(uri) != []
    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert editor.diagnostics(uri) == []
    assert editor.at("hover", uri, 0, 40) is None


@pytest.mark.parametrize(
    ("uri", "language"),
    [
        ("untitled:Untitled-1", "shellscript"),
        ("file:///no/such/folder/run", "shellscript"),
        ("vscode-notebook-cell:/a/b.ipynb#C1", "python"),
    ],
)
def test_a_text_without_a_name_is_read_as_its_language(
    editor: Client, uri: str, language: str
) -> None:
    text = f"{RUN} {WRONG}=True\n" if language != "python" else LANGUAGES["a.py"][1]
    found = editor.diagnostics(editor.open("", text, language, uri))
    assert [one["code"] for one in found] == ["unknown-key"]


def test_a_text_without_a_name_belongs_to_the_folder_of_the_editor(tmp_path: Path) -> None:
    """Wherever the server itself was started."""
    (tmp_path / "pyproject.toml").write_text('[tool.snippet-checker]\nverl = "0.7.1"\n')
    elsewhere = ("sh", "-c", 'cd / && exec "$@"', "sh", *COMMAND, "lsp")
    with Client(tmp_path, command=elsewhere) as editor:
        text = f"{RUN} critic.model.fsdp_config.param_offload=True\n"
        uri = editor.open("", text, "shellscript", "untitled:Untitled-1")
        assert editor.diagnostics(uri) == []
        # And it leaves as it is asked.
        assert editor.leave() == statuses.CLEAN
        assert (editor.strays, editor.log) == ([], b"")


CELLS = [
    # a cell that is open alone, and the rules of what is found in it
    (f"!{RUN} {WRONG}=True\n", ["unknown-key"]),
    (f"out = !{RUN} {WRONG}=True\nprint(out)\n", ["unknown-key"]),
    (f"%%bash\n{RUN} {WRONG}=True\n", ["unknown-key"]),
    (f"%cd /verl\n!pip install verl\n# {RUN}\n", []),
    ("await f()\n?verl.trainer.main_ppo\n", []),
]


@pytest.mark.parametrize(("text", "rules"), CELLS)
def test_a_cell_of_a_notebook_is_ipythons(editor: Client, text: str, rules: list[str]) -> None:
    uri = f"vscode-notebook-cell:/a/b.ipynb#{CELLS.index((text, rules))}"
    found = editor.diagnostics(editor.open("", text, "python", uri))
    assert [one["code"] for one in found] == rules


@pytest.mark.parametrize("uri", ["file:///no/such/folder/train.job", "untitled:Untitled-2"])
def test_a_name_that_says_nothing_leaves_it_to_the_first_line(editor: Client, uri: str) -> None:
    text = f"#!/bin/bash\n{RUN} {WRONG}=True\n"
    found = editor.diagnostics(editor.open("", text, "plaintext", uri))
    assert [one["code"] for one in found] == ["unknown-key"]


def test_other_files_are_left_alone(editor: Client) -> None:
    uri = editor.open("a.c", f"// {RUN} {WRONG}=True\n", "c")
    assert editor.at("hover", uri, 0, 50) is None
    assert editor.at("completion", uri, 0, 50)["items"] == []


def test_the_project_of_a_file_says_what_it_is_checked_against(editor: Client) -> None:
    """As `check` has it: the release, exceptions for some files, and what is left out."""
    project(
        editor,
        "configured",
        '[tool.snippet-checker]\nverl = "0.7.1"\nexclude = ["old/*"]\n'
        '[[tool.snippet-checker.overrides]]\npaths = ["new/*"]\nverl = "0.9.1"\n',
    )
    text = f"{RUN} critic.model.fsdp_config.param_offload=True\n"
    codes = {}
    for name in ("a.sh", "new/a.sh", "old/a.sh"):
        wrong = text if name != "old/a.sh" else text.replace("param", "params")
        uri = editor.open(f"configured/{name}", wrong, "shellscript")
        codes[name] = [one["code"] for one in editor.diagnostics(uri)]
    assert codes == {"a.sh": [], "new/a.sh": ["removed-key"], "old/a.sh": []}
    said = editor.at("hover", editor.uri("configured/a.sh"), 0, 45)["contents"]["value"]
    assert "verl 0.7.1: default" in said


def test_a_broken_configuration_is_told_once(editor: Client) -> None:
    folder = project(editor, "broken", "[tool.snippet-checker]\nverl = 9\n")
    text = f"{RUN} {WRONG}=True\n"
    before = len(editor.messages)
    uri = editor.open("broken/a.sh", text, "shellscript")
    assert editor.diagnostics(uri) == []
    editor.change(uri, 2, {"text": text + "\n"})
    assert editor.diagnostics(uri, 2) == []
    other = editor.open("broken/b.sh", text, "shellscript")
    assert editor.diagnostics(other) == []
    told = editor.messages[before:]
    assert len(told) == 1
    assert str(folder / "pyproject.toml") in told[0]
    assert "'verl' must be a string" in told[0]
    (folder / "pyproject.toml").write_text("[tool.snippet-checker]\n", "utf-8")
    changed = [{"uri": editor.uri("broken/pyproject.toml"), "type": 2}]
    editor.tell("workspace/didChangeWatchedFiles", {"changes": changed})
    assert [one["code"] for one in editor.diagnostics(uri, 2)] == ["unknown-key"]
    assert len(editor.messages) == before + 1


def test_a_saved_config_changes_what_depends_on_it(editor: Client) -> None:
    folder = editor.root / "own"
    (folder / "config").mkdir(parents=True)
    (folder / "pyproject.toml").touch()
    config = folder / "config/mine.yaml"
    defaults = "defaults: [ppo_trainer, _self_]\nhydra: {searchpath: [pkg://verl.trainer.config]}\n"
    config.write_text(defaults, "utf-8")
    command = f"{RUN} --config-path=$PWD/config --config-name=mine mine.retries=5\n"
    uri = editor.open("own/run.sh", command, "shellscript")
    assert [one["code"] for one in editor.diagnostics(uri)] == ["unknown-key"]
    config.write_text(f"{defaults}mine: {{retries: 3}}\n", "utf-8")
    editor.tell("textDocument/didSave", {"textDocument": {"uri": config.as_uri()}})
    assert editor.diagnostics(uri) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("half.sh", f"\ud83d {RUN} {WRONG}=True\n"),
        ("control.sh", f"# \0\x1b\u202e\f\v\x85\u2028\necho 'a\rb'\n{RUN} {WRONG}=True\n"),
        ("marked.sh", f"\ufeff{RUN} {WRONG}=True\r\n"),
        ("deep.yaml", "a: " + "[" * 2_000),
        ("bomb.yaml", "a: &a [1, 1]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(50))),
    ],
)
def test_odd_texts_are_checked_like_others(editor: Client, name: str, text: str) -> None:
    found = editor.diagnostics(editor.open(name, text, ""))
    lines = re.split("\r\n|\r|\n", text)
    shown = {}
    for one in found:
        start, end = one["range"]["start"], one["range"]["end"]
        assert (start["line"], start["character"]) <= (end["line"], end["character"])
        shown[one["code"]] = lines[start["line"]][start["character"] : end["character"]]
    if name.endswith(".sh"):
        assert shown["unknown-key"] == WRONG  # all on that line are of one unit


def test_what_is_no_message_is_a_line_in_the_log(editor: Client) -> None:
    before = len(editor.log)
    editor.send_bytes(b"{")
    editor.send_bytes(b'{"jsonrpc": "2.0", "id": 900, "method": "textDocument/hover"}')
    uri = editor.open("after.sh", f"{RUN} trainer.nnodes=1\n", "shellscript")
    assert editor.diagnostics(uri) == []
    editor.tell("textDocument/didChange", {"textDocument": 5})
    assert editor.at("hover", uri, 0, 40) is not None
    lines = editor.log[before:].decode().splitlines()
    assert lines
    assert [line for line in lines if not line.startswith("snippet-checker: ")] == []


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_finding_is_mended(editor: Client, name: str) -> None:
    """The fix of a finding, applied as an editor applies it, leaves nothing to find."""
    language, text = LANGUAGES[name]
    text = text.replace(WRONG, "actor_rollout_ref.actor.use_dynamic_batch_size")
    uri = editor.open(f"mended-{name}", text, language)
    finding = next(o for o in editor.diagnostics(uri) if o["code"] == "unknown-key")
    asked = {
        "textDocument": {"uri": uri},
        "range": finding["range"],
        "context": {"diagnostics": [finding], "only": ["quickfix"]},
    }
    action = editor.ask("textDocument/codeAction", asked)[0]
    assert action["kind"] == "quickfix"
    assert action["diagnostics"] == [finding]
    editor.change(uri, 2, *sorted_back(action["edit"]["changes"][uri]))
    assert editor.diagnostics(uri, 2) == []


def sorted_back(edits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Edits of one version as changes that follow one another: the last one first."""

    def place(edit: dict[str, Any]) -> tuple[int, int]:
        return edit["range"]["start"]["line"], edit["range"]["start"]["character"]

    changes = sorted(edits, key=place, reverse=True)
    return [{"range": edit["range"], "text": edit["newText"]} for edit in changes]


@pytest.mark.parametrize("how", ["hang up", pytest.param("terminate", marks=pytest.mark.slow)])
def test_it_does_not_stay_behind(tmp_path: Path, how: str) -> None:
    with Client(tmp_path) as client:
        if how == "terminate":
            client.process.terminate()
        else:
            assert client.process.stdin is not None
            client.process.stdin.close()
        assert client.process.wait(PATIENCE) in (statuses.LEFT_WITHOUT_SHUTDOWN, -15)


def test_a_failure_of_ours_is_a_line_and_the_server_goes_on(tmp_path: Path) -> None:
    """Whatever prints, too, cannot get between the messages."""
    program = """
import os, sys
from snippet_checker import cli
from snippet_checker.lsp import analysis, server
real = analysis.analyse
def analyse(name, *more):
    print("stray"), os.write(1, b"stray\\n")
    return real(name, *more) if "bad" not in name else 1 / 0
server.analyse = analyse
sys.exit(cli.main(["lsp"]))
"""
    command = [sys.executable, "-c", program]
    with Client(tmp_path, command=command) as client:
        bad = client.open("bad.sh", f"{RUN} {WRONG}=True\n", "shellscript")
        assert client.at("hover", bad, 0, 60) is None
        good = client.open("good.sh", f"{RUN} {WRONG}=True\n", "shellscript")
        assert [one["code"] for one in client.diagnostics(good)] == ["unknown-key"]
        assert client.leave() == statuses.CLEAN
        assert client.strays == []
        lines = [line for line in client.log.decode().splitlines() if line.startswith("snip")]
        assert lines
        assert "ZeroDivisionError" in lines[0]
        assert b"Traceback" not in client.log


def test_without_its_library_a_line_says_what_to_install() -> None:
    program = "import sys; sys.modules['pygls'] = None\nfrom snippet_checker import cli\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}sys.exit(cli.main(['lsp']))"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (statuses.USAGE, "")
    assert done.stderr.count("\n") == 1
    assert "python3 -m pip install 'pygls>=" in done.stderr


def test_a_release_that_is_not_known_is_said_at_the_start() -> None:
    done = subprocess.run(
        [*COMMAND, "lsp", "--verl", "99"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (statuses.USAGE, "")
    assert "there is no schema of verl 99" in done.stderr
