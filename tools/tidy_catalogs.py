"""Write every translation catalog in one form, so that a diff shows nothing but translations.

Editors and libraries wrap Chinese and Japanese lines differently, stamp dates into the header and
keep old order. The one form here: no wrapping, a header without dates or names, the order of the
page. Run by `make i18n-update` after sphinx-intl has merged new strings; `--check` (for
`make lint`) changes nothing and names the catalogs that are not in that form.

A text that stands on several pages is translated once: a message that has no translation takes
that of the same message in another catalog. The descriptions of keys in the reference always read
as in the guide.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from babel.messages import Catalog
from babel.messages.pofile import generate_po, read_po

HEADER = r"""msgid ""
msgstr ""
"Project-Id-Version: verl-tuning-guide\n"
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""
FEW_WORDS = 3
GUIDE, REFERENCE = "guide", "reference"


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def canonical(catalog: Catalog, language: str) -> str:
    """The text of a catalog in our form. Messages that no page has any more are left out."""
    for message in catalog:
        # Babel takes "{ref}" and "50 % of" for Python formats, and other tools would believe it.
        message.flags &= {"fuzzy"}
    lines = generate_po(catalog, width=-1, no_location=True, omit_header=True, ignore_obsolete=True)
    return HEADER.format(language=language) + "".join(lines).rstrip("\n") + "\n"


def in_order_of(template: Catalog, catalog: Catalog) -> Catalog:
    ordered = Catalog()
    for wanted in template:
        message = catalog.get(wanted.id) if wanted.id else None
        if message is not None:
            ordered[message.id] = message
    return ordered


def translated(folder: Path, pages: str = "") -> dict[str, str]:
    """Every message of a language, or of some of its pages, that has a translation."""
    return {
        str(message.id): str(message.string)
        for po in sorted((folder / "LC_MESSAGES" / pages).rglob("*.po"))
        for message in read(po)
        if message.id and message.string and not message.fuzzy
    }


def fill(catalog: Catalog, known: Mapping[str, str], *, follows: bool) -> None:
    """Translate what another catalog has translated already; one that `follows` it is changed.

    A text of few words may mean something else on another page: "no", "the same", "Reference".
    """
    for message in catalog:
        is_long = len(str(message.id).split()) > FEW_WORDS
        is_open = message.fuzzy or not message.string
        if is_long and message.id in known and (is_open or follows):
            message.string = known[str(message.id)]
            message.flags.discard("fuzzy")


def tidy(
    po: Path, pot: Path | None, language: str, known: Mapping[str, str], guide: Mapping[str, str]
) -> str | None:
    """Bring one file into form, and say what was done to it."""
    if pot is not None and not pot.exists():
        po.unlink()
        return "removed, its page is gone"
    catalog = read(po)
    if pot is not None:
        catalog = in_order_of(read(pot), catalog)
        fill(catalog, known, follows=False)
        fill(catalog, guide, follows=True)
    text = canonical(catalog, language)
    if text == po.read_text("utf-8"):
        return None
    po.write_text(text, "utf-8")
    return "rewritten"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--locales", type=Path, default=Path("locales"))
    parser.add_argument("--pot", type=Path, help="folder of fresh templates: order, dead catalogs")
    parser.add_argument("--check", action="store_true", help="change nothing, fail if needed")
    options = parser.parse_args()

    untidy = 0
    known = {folder.name: translated(folder) for folder in options.locales.iterdir()}
    guide = {folder.name: translated(folder, GUIDE) for folder in options.locales.iterdir()}
    for po in sorted(options.locales.glob("*/LC_MESSAGES/**/*.po")):
        language, _, *page = po.relative_to(options.locales).parts
        if options.check:
            if canonical(read(po), language) != po.read_text("utf-8"):
                print(f"{po}: not in canonical form, run `make i18n-update`")
                untidy += 1
            continue
        pot = options.pot and options.pot.joinpath(*page).with_suffix(".pot")
        leading = guide[language] if page[0] == REFERENCE else {}
        done = tidy(po, pot, language, known[language], leading)
        if done:
            print(f"{po}: {done}")
    return 1 if untidy else 0


if __name__ == "__main__":
    raise SystemExit(main())
