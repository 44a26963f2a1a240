"""Reading `glossary.toml`: what it may hold, and what is said about one that is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippet_checker.config import ConfigError
from snippet_checker.translations import glossary, glossary_file
from snippet_checker.translations.glossary import Forms, Glossary, Keep, Term

ROOT = Path(__file__).resolve().parents[2]

WHOLE = """
[[term]]
en = ["gradient checkpointing", "activation checkpointing"]
zh_CN = { use = ["梯度检查点"], avoid = ["梯度检查站"] }
ja = { avoid = ["勾配チェックポインティング"] }
note = "Not the saved state."

[[term]]
en = ["batch"]

[[keep]]
en = ["vLLM"]
"""

BROKEN = {
    "[[term": "Expected ']]' at the end of an array declaration",
    "[[word]]": "has no 'word'; it has [[term]] and [[keep]]",
    "term = 1": "write every term under [[term]]",
    "[keep]\nen = ['a']": "write every keep under [[keep]]",
    "[[term]]": "a term lacks 'en'",
    "[[term]]\nen = 'a'": "a term: 'en' must be a list of one or more strings",
    "[[term]]\nen = []": "a term: 'en' must be a list of one or more strings",
    "[[term]]\nen = ['a', '']": "term 'a': 'en' must be a list of one or more strings, none",
    "[[keep]]\nen = [' a']": "keep ' a': 'en' must be a list of one or more strings, none",
    "[[term]]\nen = ['a', 'a']": "term 'a': 'en' has 'a' twice",
    "[[term]]\nen = ['a']\nnotes = ''": "term 'a': 'notes' is no language code like zh_CN",
    "[[term]]\nen = ['a']\nnote = 1": "term 'a': 'note' must be a string",
    "[[keep]]\nen = ['a']\nja = {}": "keep 'a' has no 'ja'; it has en, note",
    "[[term]]\nen = ['a']\nja = 'x'": "term 'a', ja: write { use = […], avoid = […] }",
    "[[term]]\nen = ['a']\nja = {}": "term 'a', ja is empty",
    "[[term]]\nen = ['a']\nja = { used = ['x'] }": "term 'a', ja has no 'used'; it has use, avoid",
    "[[term]]\nen = ['a']\nja = { use = [1] }": (
        "term 'a', ja: 'use' must be a list of one or more strings"
    ),
    "[[term]]\nen = ['a']\nja = { use = ['x', 'xy'], avoid = ['xy'] }": (
        "term 'a', ja: 'xy' is to be avoided and stands in 'xy'"
    ),
    "[[term]]\nen = ['a']\nja = { use = ['xy'], avoid = ['x'] }": (
        "term 'a', ja: 'x' is to be avoided and stands in 'xy'"
    ),
    "[[term]]\nen = ['a']\n[[term]]\nen = ['b', 'a']": "'a' stands twice",
    "[[term]]\nen = ['ray']\n[[keep]]\nen = ['Ray']": "'Ray' stands twice, once as 'ray'",
}


def written(folder: Path, text: str) -> Path:
    path = folder / "glossary.toml"
    path.write_text(text, "utf-8")
    return path


def test_what_a_file_holds(tmp_path: Path) -> None:
    assert glossary_file.load(written(tmp_path, WHOLE)) == Glossary(
        (
            Term(
                ("gradient checkpointing", "activation checkpointing"),
                {
                    "zh_CN": Forms(("梯度检查点",), ("梯度检查站",)),
                    "ja": Forms((), ("勾配チェックポインティング",)),
                },
                "Not the saved state.",
            ),
            Term(("batch",)),
        ),
        (Keep(("vLLM",)),),
    )


@pytest.mark.parametrize(("text", "said"), BROKEN.items())
def test_a_broken_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as raised:
        glossary_file.load(path)
    message = str(raised.value)
    assert message.startswith(f"{path}: {said}")
    assert "\n" not in message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"glossary\.toml"):
        glossary_file.load(tmp_path / "glossary.toml")


def test_the_glossary_of_this_repository() -> None:
    found = glossary_file.load(ROOT / "locales/glossary.toml")
    for entries in (found.terms, found.keeps):
        words = [entry.en[0].casefold() for entry in entries]
        assert words == sorted(words)
    languages = {folder.name for folder in (ROOT / "locales").iterdir() if folder.is_dir()}
    assert {code for term in found.terms for code in term.forms} == languages


# -- Looking a text up -------------------------------------------------------------------------

TERMS = Glossary(
    (Term(("batch",)), Term(("micro-batch size", "size of a micro-batch")), Term(("weight",))),
    (Keep(("Weights & Biases",)), Keep(("Ray",))),
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Two batches.", {"batches": "batch"}),
        ("The Micro batch size.", {"Micro batch size": "micro-batch size"}),
        ("The size of a\nmicro-batch", {"size of a\nmicro-batch": "micro-batch size"}),
        ("Log to Weights & Biases.", {"Weights & Biases": "Weights & Biases"}),
        ("Ray, not an array or a ray", {"Ray": "Ray"}),
        ("rollout.batch and batch.size and sub-batch", {}),
        ("The end of a batch.", {"batch": "batch"}),
        # What Unicode takes for the small letter of an English one is another letter.
        ("A m\u0131cro-batch \u017fize, two batche\u017f", {}),
        ("A BATCH, a m\u0130cro-batch \u017fize", {"BATCH": "batch"}),
    ],
)
def test_what_a_text_says(text: str, said: dict[str, str]) -> None:
    found = glossary.vocabulary(TERMS).said(text)
    assert {spelling: entry.en[0] for spelling, entry in found.items()} == said


def test_an_empty_glossary_finds_nothing() -> None:
    assert glossary.vocabulary(Glossary()).said("batch") == {}
