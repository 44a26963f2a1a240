"""The messages of programs that the guide explains, and where: for what readers paste.

A message is a literal that reads like one. The row of a table or the section in which it stands is
the answer.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from itertools import chain, count

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment

from verl_docs import page_data

DATA = "message-list.js"
SCRIPTS = [DATA, "messages.js"]
# What explains messages rather than quotes them; the first pages are the likeliest to answer.
FOLDERS = ("guide/", "recipes/")
ANSWERS_FIRST = ("guide/troubleshooting", "guide/hangs", "guide/host-memory", "guide/checkpoints")
LEAST = 10  # characters that a message must have to be told from other text

# What a message is about, where no page quotes it: the first of these that it has, and the label of
# the section to begin with.
FAMILIES = (
    (r"cuda (?:error: )?out of memory|outofmemoryerror: cuda", "trouble-oom"),
    (r"gcs_|\bgcs\b|ray start|raylet address|heartbeat", "hangs-ray"),
    (r"placement group|autoscaler", "multi-node-resources"),
    (
        r"object ?store|raylet|actordied|rayactor|ray\.exceptions|workercrashed",
        "host-memory-messages",
    ),
    (r"out of memory|outofmemory|killed", "trouble-oom"),
    (r"hydra|omegaconf|not in struct|could not override|mismatched input", "trouble-start"),
    (r"undefined symbol|no module named|cannot import|flash_?attn|_opnamespace", "recipes-before"),
    (
        r"illegal memory|cuda (?:error|failure)|outofresources|device-side assert",
        "hangs-engine-died",
    ),
    (r"nccl|processgroup|distbackend|store based barrier|gloo|socket timeout", "multi-node-nccl"),
    (r"tokeni[sz]ation", "chat-templates-mismatch"),
    (r"chat[ _]template|final message|generation prompt", "chat-templates"),
    (r"\btools?\b|tool_call", "multi-turn"),
    (r"workerproc|(?:scheduler|enginecore) hit an exception", "hangs-engine-died"),
    (r"maximum (?:allowed|context) length|input length", "rollout-length"),
    (r"weights only load", "checkpoints-errors"),
    (r"kv cache|cache blocks|memory utili[sz]ation|free memory on device", "rollout-memory"),
    (r"\blora|lora_|adapter", "recipe-lora"),
    (r"\[columns\]|parquet|feature type|dataset", "data-columns"),
    (r"specdecode|speculative", "low-mtp"),
    (r"vllm|sglang|engine ?core|max(?:imum)? model len", "rollout-engines"),
    (r"update parameter|load(?:ed)? weight|\w\.weight\b", "rollout-engines"),
    (r"divisible|micro_batch|batch_size", "batch-rules"),
    (r"checkpoint|global_step|model_world_size|state[ _]dict", "checkpoints-errors"),
    (r"megatron|mcore|\bmoe_", "megatron-errors"),
    (r"fsdp|flatparam|flatten tensors|dtensor|use_orig_params", "fsdp"),
    (r"\b(?:torch_)?npu\b|hccl|\bcann\b", "amd-ascend"),
    (r"reward|compute_score", "rewards-wrong"),
    (r"\bnan\b|\binf\b|grad_norm", "training-problems"),
    (r"timeout|timed out|hang|stuck|deadlock", "hangs"),
)

_COMMAND = re.compile(
    r"(?:[$+~.#{-]|(?:python3?|pip|uv|ray|git|export|nvidia-smi|snippet-checker)\b)"
)
_WORDS = re.compile(r"[A-Za-z]{2,}[^=]*\s[^=]*[A-Za-z]{2,}")
_COMPARISON = re.compile(r" [=!<>]= ")  # no setting of a command
_CAMEL = re.compile(r"(?:\w+\.)*[A-Z][A-Za-z]*[a-z][A-Z]\w*")
_OF_PYTHON = frozenset(dir(builtins))
# What Python itself says of any name: it tells a message from others only with the name.
_OF_ANY_NAME = re.compile(
    r"(?:\w+: )?\W*(?:has no attribute|(?:got an )?unexpected keyword argument|is not defined"
    r"|No module named|cannot import name|object is not \w+)\W*"
)


def is_message(text: str) -> bool:
    """Whether a literal reads like what a program says: words, or the name of a rare exception."""
    if len(text) < LEAST or "×" in text or _COMMAND.match(text) or _OF_ANY_NAME.fullmatch(text):
        return False
    if _CAMEL.fullmatch(text):
        return text not in _OF_PYTHON
    return _WORDS.search(_COMPARISON.sub(" ", text)) is not None


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Note the messages of a page with their places; Sphinx keeps a page's metadata with it."""
    page = app.env.current_document.docname
    if not page.startswith(FOLDERS):
        return
    found: dict[str, tuple[str, str]] = {}
    known = {*doctree.ids, *(used for row in doctree.findall(nodes.row) for used in row["ids"])}
    for literal in doctree.findall(nodes.literal):
        text = _text(literal)
        place = _place_of(literal, known) if is_message(text) else None
        if place is not None:
            found.setdefault(text, place)
    app.env.metadata[page]["messages"] = [[text, *place] for text, place in found.items()]


def _place_of(literal: nodes.literal, known: set[str]) -> tuple[str, str] | None:
    """The anchor of the row or section around a message, and the heading there.

    A row without an id gets one, which is `known` from then on.
    """
    anchor = heading = ""
    around: nodes.Node | None = literal
    while around is not None and not heading:
        if isinstance(around, nodes.row) and not anchor:
            if not around["ids"]:
                around["ids"].append(_id_for(around, known))
                known.add(around["ids"][0])
            anchor = around["ids"][0]
        if isinstance(around, nodes.section):
            anchor = anchor or around["ids"][0]
            heading = around[0].astext()
        around = around.parent
    return (anchor, heading) if heading else None


def _text(literal: nodes.literal) -> str:
    return " ".join(literal.astext().split())


def _id_for(row: nodes.row, known: set[str]) -> str:
    """An id that is the same in every language, where a row may name its messages in any order."""
    texts = sorted(filter(is_message, map(_text, row.findall(nodes.literal))))
    name = f"message-{nodes.make_id(texts[0])[:60].strip('-')}"
    numbered = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(each for each in numbered if each not in known)


def listed(env: BuildEnvironment) -> list[list[str]]:
    """Each message once, with page, anchor, the page's title and the heading."""
    rank = {page: number for number, page in enumerate(ANSWERS_FIRST)}
    pages = sorted(env.metadata, key=lambda page: (rank.get(page, len(rank)), page))
    found: dict[str, list[str]] = {}
    for page in pages:
        for text, anchor, heading in env.metadata[page].get("messages", ()):
            title = env.titles[page].astext()
            found.setdefault(text, [text, page, anchor, title, heading])
    return [*found.values()]


def families(env: BuildEnvironment) -> Iterator[list[str]]:
    """What a message of each family looks like, and where to begin with it."""
    labels: dict[str, tuple[str, str, str]] = env.domains["std"].data["labels"]
    for pattern, label in FAMILIES:
        if label in labels:
            page, anchor, heading = labels[label]
            yield [pattern, page, anchor, env.titles[page].astext(), heading]


def write(app: Sphinx, builder: Builder) -> None:
    if page_data.is_wanted(builder):
        known = {"messages": listed(app.env), "families": [*families(app.env)]}
        page_data.write(app, DATA, "const messageList", known)


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", collect)
    app.connect("write-started", write)
