"""What readers find with the search field."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "docs/_ext"))

from verl_docs.search import Search  # noqa: E402

LANGUAGES = ("en", "zh_CN", "ja")
SHOWN_FIRST = 5
ENOUGH = 0.95

# What the page does with a question in its address, and the addresses of the first results.
ASK = """
async (question) => {
  document.getElementById("search-results").replaceChildren();
  Search.performSearch(question);
  const step = () => new Promise((resolve) => setTimeout(resolve, 5));
  while (!Search.status.innerText) await step();
  return [...document.querySelectorAll("ul.search > li > a")].map((a) => a.getAttribute("href"));
}
"""
ANSWERS = """
(questions) => questions.map((question) => Ranking.answer(question).items.map(([page]) => page))
"""
SPLIT = """
(lines) => lines.map((line) => (normalised(line).match(RUN) ?? []).flatMap(unstemmedOf))
"""
KEYS_NOT_FIRST = """
(every) => Object.entries(Search._index.objects)
  .flatMap(([parent, keys]) => keys.map((key) => (parent ? `${parent}.${key[4]}` : key[4])))
  .filter((_, number) => number % every === 0)
  .filter((name) => Ranking.answer(name).items[0]?.[1] !== name)
"""

# Whether the preview below the field has the first of some pages.
SHOWS = """
(pages) => {
  const links = [...document.querySelectorAll(".search-preview:not([hidden]) li > a")];
  const shown = links.map((a) => a.getAttribute("href").slice("../".length).split(".html")[0]);
  return shown.length > 5 && shown.join() === pages.slice(0, shown.length).join();
}
"""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("search")]


PLACES = {"five": SHOWN_FIRST, "three": 3, "first": 1}
LEAST = tomllib.loads((HERE / "queries-least.toml").read_text("utf-8"))


def by_kind(language: str) -> dict[str, dict[str, list[str]]]:
    """The questions of each kind, with the pages that answer them."""
    return tomllib.loads((HERE / f"queries-{language}.toml").read_text("utf-8"))


def queries(language: str) -> dict[str, list[str]]:
    return {q: pages for kind in by_kind(language).values() for q, pages in kind.items()}


@pytest.fixture(scope="module")
def opened() -> dict[str, Page]:
    """The search pages that are open, by language."""
    return {}


@pytest.fixture
def search_page(browser: Browser, address: str, opened: dict[str, Page]) -> Callable[[str], Page]:
    """The search page of a language, with its index loaded."""

    def page_of(language: str) -> Page:
        if language not in opened or opened[language].is_closed():
            opened[language] = browser.new_page()
            opened[language].goto(f"{address}{language}/search.html")
            opened[language].wait_for_function("Search.hasIndex()")
        return opened[language]

    return page_of


def ask(page: Page, question: str) -> list[str]:
    found: list[str] = page.evaluate(ASK, question)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_readers_find_their_page(search_page: Callable[[str], Page], language: str) -> None:
    asked = queries(language)
    found = dict(zip(asked, search_page(language).evaluate(ANSWERS, [*asked]), strict=True))
    missed = {q: found[q][:SHOWN_FIRST] for q in asked if not is_among(found[q], asked[q])}
    print(f"{language}: {len(asked) - len(missed)} of {len(asked)} found; not: {missed}")
    assert 1 - len(missed) / len(asked) >= ENOUGH, missed
    for kind, questions in by_kind(language).items():
        counts = {
            place: sum(is_among(found[q], pages, first) for q, pages in questions.items())
            for place, first in PLACES.items()
        }
        least = LEAST[language][kind]
        assert {place: min(counts[place], least[place]) for place in PLACES} == least, kind


def is_among(found: list[str], expected: list[str], first: int = SHOWN_FIRST) -> bool:
    """Whether one of the pages that answer a question is among its first results."""
    return bool(set(found[:first]) & set(expected))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_the_answers_in_their_order(
    search_page: Callable[[str], Page], language: str
) -> None:
    page = search_page(language)
    questions = [*queries(language)][::20]
    shown = [[href.partition(".html")[0] for href in ask(page, q)] for q in questions]
    assert shown == page.evaluate(ANSWERS, questions)


def test_the_lists_are_long_enough_and_name_pages() -> None:
    for language, least in (("en", 40), ("zh_CN", 100), ("ja", 100)):
        asked = queries(language)
        assert len(asked) >= least
        assert LEAST[language].keys() == by_kind(language).keys()
        named = {page for pages in asked.values() for page in pages}
        assert [page for page in named if not (ROOT / f"docs/{page}.md").exists()] == []


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("gpu memory utilization", "actor_rollout_ref.rollout.gpu_memory_utilization"),
        ("Max num seqs", "actor_rollout_ref.rollout.max_num_seqs"),
        ("router replay", None),  # a topic, with a page of its own
    ],
)
def test_the_words_of_a_name_find_its_key(
    search_page: Callable[[str], Page], words: str, name: str | None
) -> None:
    title = search_page("en").evaluate(f"Ranking.answer({words!r}).items[0][1]")
    assert title == name or (name is None and "." not in title)


@pytest.mark.parametrize(
    ("question", "is_a_name"),
    [
        ("checkpoint", True),
        ("Checkpoint ", True),
        ("resume from checkpoint", False),
        ("which algorithm", False),
        ("保存 checkpoint", False),
        ("which data.train_files", True),
    ],
)
def test_a_plain_word_of_a_question_names_no_key(
    search_page: Callable[[str], Page], question: str, is_a_name: bool
) -> None:
    language = "en" if question.isascii() else "zh_CN"
    found = search_page(language).evaluate(f"Ranking.answer({question!r}).items[0][2]")
    assert found.startswith("#key-") == is_a_name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_key_finds_its_own_row_first(
    search_page: Callable[[str], Page], language: str
) -> None:
    every = 1 if language == "en" else 10
    assert search_page(language).evaluate(KEYS_NOT_FIRST, every) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "typed",
    [
        "gpu_memory_utilization",
        "GPU_Memory_Utilization",
        "ｇｐｕ＿ｍｅｍｏｒｙ＿ｕｔｉｌｉｚａｔｉｏｎ",
    ],
)
def test_a_key_comes_before_the_pages_that_explain_it(
    search_page: Callable[[str], Page], language: str, typed: str
) -> None:
    first, second, *_ = ask(search_page(language), typed)
    assert first == "reference/rollout.html#key-actor_rollout_ref.rollout.gpu_memory_utilization"
    assert second.startswith("guide/rollout-generation.html")


@pytest.mark.parametrize(
    ("language", "typed", "plain"),
    [
        ("ja", "ﾊﾞｯﾁｻｲｽﾞ", "バッチサイズ"),
        ("ja", "ＧＰＵ　メモリ", "gpu メモリ"),
        ("zh_CN", "ＧＰＵ　显存", "gpu 显存"),
        ("zh_CN", "如何减少显存占用", "减少显存占用"),
        ("en", "FSDP_Size", "fsdp_size"),
        ("en", "how to reduce memory", "reduce memory"),
    ],
)
def test_how_a_question_is_written_does_not_matter(
    search_page: Callable[[str], Page], language: str, typed: str, plain: str
) -> None:
    found = ask(search_page(language), typed)
    assert found == ask(search_page(language), plain)
    assert found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_is_found_without_the_number_that_no_page_has(
    search_page: Callable[[str], Page], language: str
) -> None:
    for typed in ("InternVL3", "InternVL3.5"):
        assert ask(search_page(language), typed)[0].startswith("guide/models.html")


def test_nothing_is_found_for_what_no_page_has(search_page: Callable[[str], Page]) -> None:
    for language, words in (("en", "zzzz"), ("zh_CN", "葡萄酒"), ("ja", "葡萄酒"), ("ja", "?!")):
        assert ask(search_page(language), words) == []


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Every line of the pages and of their translations."""
    files = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "locales").rglob("*.po")]
    return sorted({line for file in files for line in file.read_text("utf-8").splitlines()})


def test_the_browser_splits_text_as_the_index_does(
    search_page: Callable[[str], Page], lines: list[str]
) -> None:
    split = search_page("en").evaluate(SPLIT, lines)
    expected = [Search({}).split(line) for line in lines]
    assert [(a, b) for a, b in zip(split, expected, strict=True) if a != b] == []


def test_the_browser_finds_stems_as_the_index_does(
    search_page: Callable[[str], Page], lines: list[str]
) -> None:
    """The stemmers are of different releases: where they differ, parts of words are found."""
    words = sorted({word for line in lines for word in Search({}).split(line)})
    stems = search_page("en").evaluate("(words) => words.map(stemOf)", words)
    differing = [(a, b) for a, b in zip(stems, map(Search({}).stem, words), strict=True) if a != b]
    assert [(a, b) for a, b in differing if a not in b] == []
    assert len(differing) < len(words) / 1000


@pytest.mark.parametrize(
    ("language", "question", "marked"),
    [
        ("en", "offload optimizer", {"offload", "optimizer"}),
        ("zh_CN", "如何节省显存", {"节省显存"}),
        ("ja", "ロールアウトが遅い", {"ロールアウト"}),
        ("ja", "use_liger", {"use_liger"}),
    ],
)
def test_the_words_stand_out_in_what_is_shown_of_a_page(
    page: Page, address: str, language: str, question: str, marked: set[str]
) -> None:
    page.goto(f"{address}{language}/search.html?q={question}")
    page.wait_for_selector(
        "li.kind-text p.context .highlighted, li.kind-title p.context .highlighted"
    )
    first = page.locator("li:has(p.context)").first
    shown = {text.lower() for text in first.locator(".context .highlighted").all_inner_texts()}
    assert marked <= shown
    first.locator("a").click()
    page.wait_for_selector("article .highlighted")


@pytest.mark.parametrize(
    ("language", "kind", "status"),
    [
        ("en", "configuration key · Actor", r"\d+ results\."),
        ("zh_CN", "配置键 · Actor", r"\d+ 条结果。"),
        ("ja", "設定キー · アクター", r"検索結果：\d+ 件"),
    ],
)
def test_results_speak_the_language(
    page: Page, address: str, language: str, kind: str, status: str
) -> None:
    page.goto(f"{address}{language}/search.html?q=use_dynamic_bsz")
    page.wait_for_selector(".search-summary:not(:empty)")
    assert page.locator("li.kind-object > span").first.inner_text().strip() == f"({kind})"
    assert re.fullmatch(status, page.inner_text(".search-summary"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_field_of_any_page_searches_without_a_server(
    page: Page, site: Path, language: str
) -> None:
    page.goto((site / language / "guide/memory.html").as_uri())
    page.locator(".search-button-field:visible").click()
    field = page.locator("input[name=q]:visible")
    field.fill("use_dynamic_bsz")
    field.press("Enter")
    page.wait_for_selector(".search-summary:not(:empty)")
    assert page.locator("ul.search > li > a").count() > SHOWN_FIRST


@pytest.mark.parametrize(
    ("language", "question", "status"),
    [
        ("en", "sequence packing", r"\d+ results\."),
        ("zh_CN", "动态批", r"\d+ 条结果。"),
        ("ja", "メモリ不足", r"検索結果：\d+ 件"),
    ],
)
def test_the_first_results_are_shown_while_one_types(
    search_page: Callable[[str], Page],
    page: Page,
    site: Path,
    language: str,
    question: str,
    status: str,
) -> None:
    page.goto((site / language / "guide/memory.html").as_uri())
    page.locator(".search-button-field:visible").click()
    field, preview = page.locator("input[name=q]:visible"), page.locator(".search-preview:visible")
    field.press_sequentially(question, delay=20)
    [answers] = search_page(language).evaluate(ANSWERS, [question])
    page.wait_for_function(SHOWS, arg=answers)  # those for its beginning come first
    expect(preview.get_by_role("status")).to_have_text(re.compile(status))
    assert field.input_value() == question
    page.keyboard.press("ArrowDown")
    expect(preview.locator("li > a").first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{language}/{answers[0]}.html*")
    page.wait_for_load_state("networkidle")  # closed while it loads, a page stayed open for ever


def test_a_field_that_is_emptied_shows_nothing(page: Page, site: Path) -> None:
    page.goto((site / "en/guide/memory.html").as_uri())
    page.locator(".search-button-field:visible").click()
    field, preview = page.locator("input[name=q]:visible"), page.locator(".search-preview:visible")
    field.fill("xyzzyq")
    expect(preview).to_have_text(re.compile("Nothing was found"))
    field.fill("")
    expect(preview).to_have_count(0)
