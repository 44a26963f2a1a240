"""Draw the picture that other sites show for a link to the guide: docs/_static/card-<language>.png.

Run by hand after a change of the title: needs /usr/bin/chromium and a CJK font.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "docs/_static"
CARDS = {
    "en": ("verl tuning guide", "Every setting checked against verl's own schema"),
    "zh-CN": ("verl 调优指南", "每一项设置都经 verl 自身的 schema 检查"),
    "ja": ("verl チューニングガイド", "すべての設定を verl 自身のスキーマで検査"),
}
PAGE = """<!doctype html><html lang="{tag}"><meta charset="utf-8"><style>
body {{ align-items: center; background: #0b3d4f; box-sizing: border-box; color: #fff;
  display: flex; gap: 64px; height: 630px; margin: 0; padding: 0 80px;
  font-family: "Helvetica Neue", Arial, "Noto Sans CJK SC", "Noto Sans CJK JP", sans-serif; }}
svg {{ flex: none; height: 220px; width: 220px; }}
h1 {{ font-size: 68px; word-break: auto-phrase; margin: 0 0 24px; }}
p {{ font-size: 36px; line-height: 1.4; margin: 0; opacity: 0.85; }}
</style>{logo}<div><h1>{title}</h1><p>{line}</p></div></html>"""


def main() -> None:
    from playwright.sync_api import sync_playwright

    logo = (STATIC / "logo.svg").read_text("utf-8")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1200, "height": 630})
        for tag, (title, line) in CARDS.items():
            text = PAGE.format(tag=tag, logo=logo, title=escape(title), line=escape(line))
            page.set_content(text)
            page.screenshot(path=STATIC / f"card-{tag}.png")
        browser.close()


if __name__ == "__main__":
    main()
