"""What the logits of a micro-batch, and the entropy from them, take at their peak."""

from __future__ import annotations

from verl_docs.calculators.form import GIB, Calculator, Field, Result, Values

FORWARD, UPDATE = 0, 1
NONE, COMPILED, PLAIN = 0, 1, 2


def compute(v: Values) -> Values:
    """GiB and bytes on one GPU, with FSDP and flash-attn's cross entropy.

    Measured with verl's own code; the page "Memory" has the table, and what each byte is. Those
    of an update in chunks are upper bounds: they depend on the size of a chunk.
    """
    tokens = v["tokens"] / v["sp"]
    logits = 2 if v["temperature"] == 1 else 4
    in_chunks = v["chunk"] > 0
    part = min(1, v["chunk"] / tokens) if in_chunks else 1
    if v["entropy"] == NONE or (v["entropy"] == COMPILED and v["pass"] == FORWARD):
        each = float(logits)
    elif v["pass"] == FORWARD:
        each = logits + 12 * part
    elif v["entropy"] == COMPILED:
        each = 10.5 if part < 1 else 6.0
    else:
        each = 26.0 if not in_chunks else 15.0 if part <= 0.25 else 30.0
    return {"each": each, "memory": each * tokens * v["vocabulary"] / GIB}


LOGITS = Calculator(
    name="logits",
    title="Logits and entropy",
    fields=(
        Field("tokens", "Tokens of a micro-batch", 16384),
        Field("sp", "Ulysses size", 1),
        Field("vocabulary", "Vocabulary", 152064),
        Field(
            "pass",
            "Pass",
            UPDATE,
            choices=((FORWARD, "without gradients"), (UPDATE, "update")),
        ),
        Field("temperature", "Temperature", 1, least=0.05, step=0.05),
        Field(
            "entropy",
            "Entropy",
            NONE,
            choices=((NONE, "not computed"), (COMPILED, "compiled"), (PLAIN, "not compiled")),
        ),
        Field("chunk", "Tokens of a chunk, 0 for no chunks", 0, least=0),
    ),
    results=(
        Result("each", "Bytes for each token and word of the vocabulary", 1),
        Result("memory", "Memory at the peak, in GiB", 1),
    ),
    compute=compute,
    of_fsdp=True,
)
