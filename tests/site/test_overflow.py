"""What is too wide can be scrolled to, and shows that there is more.

The walk in `test_pages` asks whether anything is cut off on any page.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.site.accessibility import violations
from tests.site.conftest import NewPage
from tests.site.overflow import cut_off

sys.path.insert(0, str(Path(__file__).parents[2] / "docs/_ext"))

from verl_docs.markup import PHONES_LINE

LANGUAGES = ("en", "zh_CN", "ja")
NARROW = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 900}
PHONE = {"viewport": NARROW, "has_touch": True, "is_mobile": True}

pytestmark = pytest.mark.slow


def test_the_sign_stands_where_there_is_more(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=NARROW)
    page.goto(f"{address}en/guide/memory.html")
    frame = page.locator(".diagram-frame").first
    expect(frame).to_have_attribute("data-more", "right")
    frame.evaluate("element => element.scrollTo(60, 0)")
    expect(frame).to_have_attribute("data-more", "left right")
    frame.evaluate("element => element.scrollTo(element.scrollWidth, 0)")
    expect(frame).to_have_attribute("data-more", "left")
    page.set_viewport_size(WIDE)
    expect(frame).not_to_have_attribute("data-more", "left")
    expect(frame).not_to_have_attribute("tabindex", "0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_button_that_copies_is_seen_without_a_mouse(
    new_page: NewPage, address: str, language: str
) -> None:
    page = new_page(**PHONE)
    page.goto(f"{address}{language}/recipes/lora.html")
    expect(page.locator("article .copybtn").first).to_have_css("opacity", "1")


# The lines of a badge, and of what stands beside the name in it, which must not overlap.
OVERLAPS = """
    (badge) => {
      const range = document.createRange();
      range.selectNodeContents(badge);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
      const { borderTopWidth, backgroundColor } = getComputedStyle(badge.querySelector("code"));
      const overlaps = lines.some((a) => lines.some((b) => a !== b && a.left < b.right - 1
        && b.left < a.right - 1 && a.top < b.top && b.top < a.bottom - 2));
      return { overlaps, borderTopWidth, backgroundColor };
    }
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_badge_of_two_lines_has_no_frame_to_break(
    new_page: NewPage, address: str, language: str
) -> None:
    page = new_page(**PHONE)
    page.goto(f"{address}{language}/guide/topology.html")
    for badge in page.locator("p.badge:has(code)").all():
        assert badge.evaluate(OVERLAPS) == {
            "overlaps": False,
            "borderTopWidth": "0px",
            "backgroundColor": "rgba(0, 0, 0, 0)",
        }


# The ends of the lines of names in code, and what the next line begins with.
LINES_OF_NAMES = """
    () => [...document.querySelectorAll("article code .pre:has(wbr)")].flatMap((name) => {
      const parts = [...name.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const range = document.createRange();
      const topOf = (part, at) => {
        range.setStart(part, at);
        range.setEnd(part, at + 1);
        return range.getClientRects()[0]?.top;
      };
      return parts.slice(1).flatMap((part, n) => {
        const before = parts[n];
        const isBroken = topOf(before, before.length - 1) < topOf(part, 0) - 4;
        return isBroken ? [[before.data.slice(-8), part.data.slice(0, 8), name.textContent]] : [];
      });
    })
"""


# Short words of code that stand on two lines.
PARTED = """
    () => [...document.querySelectorAll("article code .pre.short")].filter((word) => {
      const tops = [...word.getClientRects()].map(({ top }) => Math.round(top));
      return new Set(tops).size > 1;
    }).map((word) => word.textContent)
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_long_names_break_and_no_line_of_them_ends_like_a_sentence(
    new_page: NewPage, address: str, language: str
) -> None:
    page = new_page(**PHONE)
    broken = []
    for name in ("guide/checkpoints", "guide/megatron", "reference/rollout"):
        page.goto(f"{address}{language}/{name}.html")
        broken += page.evaluate(LINES_OF_NAMES)
        assert page.locator("article code .pre.short").count() > 20
        assert page.evaluate(PARTED) == []
    assert len(broken) > 20
    assert [lines for lines in broken if lines[0].endswith(".")] == []
    assert [lines for lines in broken if lines[1][1:2].isdigit()] == []
    assert [lines for lines in broken if len(lines[2]) <= PHONES_LINE] == []


ADMONITIONS = """
    () => {
      const first = document.querySelector("article h1");
      const key = "actor_rollout_ref.rollout.engine_kwargs.vllm.enable_prefix_caching_of_all";
      for (const kind of ["note", "tip", "important", "warning", "caution", "danger"]) {
        const box = document.createElement("div");
        box.className = `admonition ${kind}`;
        const [title, text] = [document.createElement("p"), document.createElement("p")];
        title.className = "admonition-title";
        title.textContent = kind;
        text.innerHTML = `A setting <code class="docutils literal notranslate"><span class="pre">`
          + `${key.replaceAll(/(?<=[._])/g, "<wbr>")}</span></code> and <a href="#x">a link</a>.`;
        box.append(title, text);
        first.after(box);
      }
      location.hash || first.setAttribute("id", "x");
    }
"""


@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["390", "1280"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_boxes_that_warn_can_be_read(
    new_page: NewPage, address: str, language: str, scheme: str, viewport: dict[str, int]
) -> None:
    page = new_page(color_scheme=scheme, viewport=viewport)
    page.goto(f"{address}{language}/404.html")
    page.goto(f"{address}{language}/contributing/search.html")
    page.evaluate(ADMONITIONS)
    assert page.locator("article .admonition").count() == 6
    assert [*cut_off(page)] == []
    assert [*violations(page, "article")] == []


def test_the_frame_of_a_row_that_a_link_leads_to_holds_the_key(
    new_page: NewPage, address: str
) -> None:
    row = "key-actor_rollout_ref.rollout.temperature"
    for viewport in (NARROW, WIDE):
        page = new_page(viewport=viewport)
        page.goto(f"{address}en/reference/rollout.html#{row}")
        name = page.locator(f"[id='{row}'] > :first-child")
        covered = name.evaluate(
            """
            (cell) => {
              const row = cell.parentElement;
              const { outlineStyle, outlineOffset } = getComputedStyle(row);
              const [own, all] = [cell, row].map((element) => element.getBoundingClientRect());
              const inside = own.top >= all.top && own.bottom <= all.bottom
                && own.left >= all.left && own.right <= all.right;
              const { position, backgroundColor } = getComputedStyle(cell);
              const hides = position === "sticky" && backgroundColor !== "rgba(0, 0, 0, 0)";
              return [inside, outlineStyle, hides];
            }
            """
        )
        assert covered == [True, "solid", False]
