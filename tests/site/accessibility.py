"""Asks axe what keeps people from using a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Some rules of these sets are off unless the sets are named.
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# Those of the rules that ask for colours; all others find the same in every colour scheme.
COLOUR_RULES = ("color-contrast", "link-in-text-block")

# axe is published with its classes' private fields in weak maps, and makes a colour of every text
# that it reads in a style: more than half of its time. Here a field is a property, and a colour is
# read once. That it finds the same is tested.
_WITH_QUICK_FIELDS = """
(() => {
  class Fields {
    #name = Symbol();
    has(owner) { return owner != null && this.#name in Object(owner); }
    get(owner) { return owner?.[this.#name]; }
    set(owner, value) { owner[this.#name] = value; return this; }
    add(owner) { return this.set(owner, true); }
    delete(owner) { return this.has(owner) && delete owner[this.#name]; }
  }
  ((WeakMap, WeakSet) => { AXE; })(Fields, Fields);
  const { Color } = axe.commons.color;
  const { parseString } = Color.prototype;
  const known = new Map();
  Color.prototype.parseString = function (text) {
    if (!known.has(text)) known.set(text, parseString.call(new Color(0, 0, 0), text));
    const { r, g, b, alpha } = known.get(text);
    return Object.assign(this, { r, g, b, alpha });
  };
  axe.isQuick = true;
})()
"""
QUICK_AXE = _WITH_QUICK_FIELDS.replace("AXE", AXE_SCRIPT)

# Half a megabyte of script goes to a page once, and what nobody reads of an answer stays there.
_ASK = "async (given) => globalThis.axe?.isQuick ? (READ)(await axe.run(...given)) : null"
_ALL_OF_IT = "(answer) => answer"
_FAULTS = """
(answer) => answer.violations.flatMap(({ id, nodes }) => nodes.map(
  ({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`))
"""


def ask_axe(page: Page, options: dict[str, Any], within: Any = None, read: str = _ALL_OF_IT) -> Any:
    """What axe answers, as the function `read` of the page gives it."""
    asking = _ASK.replace("READ", read)
    given = [within, options] if within else [options]
    found = page.evaluate(asking, given)
    if found is None:
        page.evaluate(QUICK_AXE)
        found = page.evaluate(asking, given)
    return found


# All that rules which do not ask for colours can see of a page. They know no classes, by which the
# theme shows one of two logos and colours its menus. The empty banner of the theme opens while we
# look. In which order attributes were set is nothing to see.
_SHAPE = """
async () => {
  const tag = (element) => element.localName + [...element.attributes]
    .filter(({ name, value }) => !["class", "data-theme"].includes(name)
      && !(name === "style" && /^height: (0px|auto);$/.test(value)))
    .map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).sort().join("");
  const whole = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return [node.data];
    if (node.nodeType !== Node.ELEMENT_NODE) return [];
    return [`<${tag(node)}>`, ...[...node.childNodes].flatMap(whole), `</${node.localName}>`];
  };
  const shown = [...document.querySelectorAll("body, body *")]
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const { visibility, opacity, overflow, position } = getComputedStyle(element);
      return [x, y, width, height, visibility, opacity, overflow, position].join() + tag(element);
    });
  const seen = [...whole(document.documentElement), ...shown].join("\\n");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(seen));
  return [...new Uint8Array(digest)].join();
}
"""


# One text for each combination of colours that was not seen before, by its place: how a text is
# written, what the elements around it paint behind it, and, for a link, how the text around it is
# written. The answers of the rules about colours depend on these alone. A place is a selector, not
# a mark on the element: axe would name the element by that mark.
_NEW_COLOURS = """
(seen) => {
  const known = new Set(seen);
  const written = (element) => {
    const style = getComputedStyle(element);
    return [style.color, style.fontSize, style.fontWeight, style.textDecorationLine,
      style.textShadow, style.borderBottom, style.webkitTextFillColor].join();
  };
  const grounds = new Map([[null, ""]]);
  const ground = (element) => {
    if (!grounds.has(element)) {
      const style = getComputedStyle(element);
      const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter,
        style.mixBlendMode, style.position].join();
      const below = ground(element.parentElement);
      grounds.set(element, own === "rgba(0, 0, 0, 0),none,1,none,normal,static"
        ? below : `${below}|${own}`);
    }
    return grounds.get(element);
  };
  const place = (element) => {
    const above = element.parentElement;
    if (!above) return ":root";
    return `${place(above)} > :nth-child(${[...above.children].indexOf(element) + 1})`;
  };
  const found = {};
  for (const element of document.querySelectorAll("body *")) {
    const isText = [...element.childNodes]
      .some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!(isText || element.matches("a, input, textarea, select"))) continue;
    if (!element.checkVisibility()) continue;
    const link = element.closest("a");
    const colours = [written(element), ground(element),
      link ? written(link) + written(link.parentElement) : ""].join(";");
    if (known.has(colours)) continue;
    known.add(colours);
    found[colours] = place(element);
  }
  return found;
}
"""

# A long table outside of the window has an estimated height, and axe takes its rows for the ground
# of what stands below it.
_LAY_OUT_ALL = """
() => {
  if (document.adoptedStyleSheets.length) return;
  const all = new CSSStyleSheet();
  all.replaceSync("* { content-visibility: visible !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, all];
}
"""


def lay_out_all(page: Page) -> None:
    """Give every part of a page the size that it really has."""
    page.evaluate(_LAY_OUT_ALL)


def new_colours(page: Page, seen: set[str]) -> Iterator[str]:
    """What breaks a rule about colours: one text is asked for each combination not yet in `seen`.

    Axe reads every text of a page by itself, which takes most of its time.
    """
    found: dict[str, str] = page.evaluate(_NEW_COLOURS, [*seen])
    seen.update(found)
    if found:
        yield from violations(page, [*found.values()], COLOUR_RULES)


def violations(
    page: Page,
    within: str | Sequence[str] | None = None,
    rules: Sequence[str] = RULES,
    without: Sequence[str] = (),
) -> Iterator[str]:
    """What breaks a rule of WCAG 2.2 A and AA, or of good practice, with its place.

    `within` is a selector, or several: an open menu lies over links of the page, which axe takes
    for small.
    `without` are single rules of the sets in `rules` that are not asked.
    """
    lay_out_all(page)
    # Without `preload`, axe asks for no style sheets of its own: none of these rules needs them.
    options = {
        "runOnly": [*rules],
        "rules": {rule: {"enabled": False} for rule in without},
        "resultTypes": ["violations"],
        "preload": False,
    }
    yield from ask_axe(page, options, within, _FAULTS)


def shape(page: Page) -> str:
    """What a page is apart from its colours: two pages of one shape break the same other rules."""
    found: str = page.evaluate(_SHAPE)
    return found
