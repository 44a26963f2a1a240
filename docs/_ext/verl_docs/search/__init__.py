"""The search of these pages: Chinese, Japanese, English and the names of keys, in any mixture.

Sphinx makes the index and shows what was found. What counts as a word is said here, for the index,
and in `words.js`, for what a reader types. `ranking.js` finds the answers and puts them in order.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.search.en import SearchEnglish

from verl_docs.search import counts

FOLDER = Path(__file__).parent

# The sign that repeats an ideograph, kana, ideographs.
CJK = "\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff"
# Versions and sizes such as 0.9.1 and qwen2.5; names and words; text that has no spaces. Python
# and JavaScript read the same expression: \w is ASCII in both.
RUNS = rf"\w*[0-9](?:\.[0-9]\w*)+|\w+|[{CJK}]+"
RUN = re.compile(RUNS, re.ASCII)
IS_CJK = re.compile(f"[{CJK}]")


def terms_of(run: str) -> list[str]:
    """What the index holds for a run: pairs of characters, or a name and its parts."""
    if IS_CJK.match(run):
        return [run[n : n + 2] for n in range(max(1, len(run) - 1))]
    parts = [part for part in run.split("_") if part]
    return parts if len(parts) < 2 else [run, *parts]


class Search(SearchEnglish):
    """Pairs of neighbouring characters stand for the words of a text without spaces.

    Stop words that are written in Chinese or Japanese are left out of questions only.
    """

    js_splitter_code = "\n".join(
        (
            f'const RUN = new RegExp({json.dumps(RUNS)}, "g");',
            f"const CJK = new RegExp({json.dumps(f'^[{CJK}]')});",
            FOLDER.joinpath("words.js").read_text("utf-8"),
        )
    )

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self._stem = cache(super().stem)  # each word of a page is asked for several times

    def split(self, input: str) -> list[str]:
        text = unicodedata.normalize("NFKC", input).lower()
        return [term for run in RUN.findall(text) for term in terms_of(run)]

    def stem(self, word: str) -> str:
        """A name stays as it is: what a reader types may be a part of it."""
        return word if "_" in word else self._stem(word)

    def word_filter(self, word: str) -> bool:
        """Numbers count: sizes and releases are looked for."""
        return word not in self.stopwords


class SearchChinese(Search):
    lang = "zh"
    stopwords = Search.stopwords | {
        *("怎么", "怎么办", "怎样", "如何", "为什么", "什么", "多少", "哪个", "哪些", "的", "吗"),
    }


class SearchJapanese(Search):
    lang = "ja"
    stopwords = Search.stopwords | {"とは", "方法", "やり方", "仕方", "どう", "なぜ"}


def use_ranking(app: Sphinx, config: Config) -> None:
    config.html_search_scorer = str(FOLDER / "ranking.js")


def settle(app: Sphinx) -> list[tuple[str, dict[str, Any], str]]:
    """Make the index the same whichever of its pages this build has written.

    Sphinx takes the other pages from the last build's index, keeps words there that are on no page
    any more, and forgets the index entries, which `counts` holds.
    """
    builder = app.builder
    if isinstance(builder, StandaloneHTMLBuilder) and builder.indexer is not None:
        builder.indexer._index_entries.clear()
        for words in (builder.indexer._mapping, builder.indexer._title_mapping):
            for word in [word for word, pages in words.items() if not pages]:
                del words[word]
    return []


def setup(app: Sphinx) -> None:
    app.connect("html-collect-pages", settle)  # between the last page and the index
    for language in (Search, SearchChinese, SearchJapanese):
        app.add_search_language(language)
    app.connect("config-inited", use_ranking)
    counts.setup(app, Search({}))
