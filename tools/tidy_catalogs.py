"""Write every translation catalog in one form, so that a diff shows nothing but translations.

`sphinx-intl update` makes catalogs and merges what changed in English into them. Editors and
libraries wrap Chinese and Japanese lines differently, stamp dates into the header and keep old
order. The one form here: no wrapping, a header without dates or names, the order of the page.

With `--pot`, the catalogs of pages that are gone go, and a text that stands on several pages is
translated once: a message that has no translation takes that of the same message in another
catalog. The descriptions of keys in the reference always read as in the guide.

With `--check` nothing is written, and every message that needs a hand is named. What is not
translated does not fail: the site shows it in English, with a mark. `--complete` asks for
everything. The targets `i18n-…` of the Makefile run all of this.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

from babel.messages import Catalog, Message
from babel.messages.pofile import PoFileError, generate_po, read_po

HEADER = r"""msgid ""
msgstr ""
"Project-Id-Version: verl-tuning-guide\n"
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""
FEW_WORDS = 3
SHOWN = 60
GUIDE, REFERENCE = "guide", "reference"
UPDATE = "run `make i18n-update`"


class Page(NamedTuple):
    """A page in one language: where its catalog and its template are, if they exist."""

    language: str
    part: str
    po: Path
    pot: Path | None

    @property
    def is_gone(self) -> bool:
        return self.pot is not None and not self.pot.exists()


class Translations(NamedTuple):
    """What a language has translated: anywhere, and in the guide."""

    known: Mapping[str, str]
    guide: Mapping[str, str]

    @classmethod
    def below(cls, homes: Sequence[Path]) -> Translations:
        """Those of the same language in several folders; the last one that has a text counts."""
        return cls(translated(homes), translated([home / GUIDE for home in homes]))


def read(path: Path) -> Catalog:
    try:
        with path.open("rb") as file:
            return read_po(file, abort_invalid=True)
    except PoFileError as error:
        place = f"{path}:{error.lineno + 1}"
        raise SystemExit(f"{place}: {error.line.strip()!r} is no line of a catalog") from None


def canonical(catalog: Catalog, language: str) -> str:
    """The text of a catalog in our form. Messages that no page has any more are left out."""
    for message in catalog:
        # Babel takes "{ref}" and "50 % of" for Python formats, and other tools would believe it.
        message.flags &= {"fuzzy"}
    lines = generate_po(catalog, width=-1, no_location=True, omit_header=True, ignore_obsolete=True)
    return HEADER.format(language=language) + "".join(lines).rstrip("\n") + "\n"


def pages(locales: Path, pot: Path | None) -> Iterator[Page]:
    """Every catalog; with templates, also those that a page should have."""
    templates = [file.relative_to(pot) for file in pot.rglob("*.pot")] if pot else []
    for home in sorted(locales.glob("*/LC_MESSAGES")):
        names = {po.relative_to(home).with_suffix("") for po in home.rglob("*.po")}
        for name in sorted(names.union(template.with_suffix("") for template in templates)):
            template = pot / f"{name}.pot" if pot else None
            yield Page(home.parent.name, name.parts[0], home / f"{name}.po", template)


def translated(homes: Sequence[Path]) -> dict[str, str]:
    """Every message below some folders that has a translation."""
    return {
        str(message.id): str(message.string)
        for home in homes
        for po in sorted(home.rglob("*.po"))
        for message in read(po)
        if message.id and not is_open(message)
    }


def is_open(message: Message) -> bool:
    return message.fuzzy or not message.string


def tidied(page: Page, translations: Translations) -> Catalog:
    """A catalog with the messages of its page in their order, and what is translated elsewhere."""
    catalog = read(page.po)
    if page.pot is not None:
        catalog.update(read(page.pot), no_fuzzy_matching=True)
        fill(catalog, translations.known, follows=False)
        if page.part == REFERENCE:
            fill(catalog, translations.guide, follows=True)
    return catalog


def fill(catalog: Catalog, known: Mapping[str, str], *, follows: bool) -> None:
    """Translate what another catalog has translated already; one that `follows` it is changed.

    A text of few words may mean something else on another page: "no", "the same", "Reference".
    """
    for message in catalog:
        is_long = len(str(message.id).split()) > FEW_WORDS
        if is_long and message.id in known and (is_open(message) or follows):
            message.string = known[str(message.id)]
            message.flags.discard("fuzzy")


def tidy(page: Page, translations: Translations) -> str | None:
    """Bring one catalog into form, and say what was done to it."""
    if not page.po.exists():
        return None  # to make it is the task of sphinx-intl
    if page.is_gone:
        page.po.unlink()
        return "removed, its page is gone"
    text = canonical(tidied(page, translations), page.language)
    if text == page.po.read_text("utf-8"):
        return None
    page.po.write_text(text, "utf-8")
    return "rewritten"


class Checked(NamedTuple):
    """A catalog: what is broken, what waits for a hand, and how many messages are in English."""

    broken: tuple[str, ...]
    waiting: tuple[str, ...]
    messages: int
    fuzzy: int
    missing: int


def check(page: Page, translations: Translations) -> Checked:
    """What is wrong with one catalog, and what to do about it."""
    before = read(page.po) if page.po.exists() else Catalog()
    template = read(page.pot) if page.pot and page.pot.exists() else Catalog()
    found = [before.get(message.id) for message in template if message.id]
    return Checked(
        broken=tuple(broken(page, before)),
        waiting=tuple(waiting(page, before, translations)),
        messages=len(found),
        fuzzy=sum(bool(message and message.string and message.fuzzy) for message in found),
        missing=sum(message is None or not message.string for message in found),
    )


def broken(page: Page, catalog: Catalog) -> Iterator[str]:
    if page.po.exists() and canonical(catalog, page.language) != page.po.read_text("utf-8"):
        yield f"{page.po}: not in canonical form; {UPDATE}"


def waiting(page: Page, before: Catalog, translations: Translations) -> Iterator[str]:
    """What the English pages have otherwise than a catalog, and what is not translated."""
    if page.pot is None:
        return
    if page.is_gone:
        yield f"{page.po}: its page is gone; {UPDATE}"
        return
    if not page.po.exists():
        yield f"{page.po}: missing, its page has no catalog; {UPDATE}"
        return
    after = tidied(page, translations)
    changes = [*changed_in_english(page, before, after)]
    yield from changes
    yield from unfinished(page, before, after)
    if not changes and canonical(after, page.language) != canonical(before, page.language):
        yield f"{page.po}: not as `make i18n-update` leaves it; run it"


def changed_in_english(page: Page, before: Catalog, after: Catalog) -> Iterator[str]:
    for message in before:
        if message.id and message.id not in after:
            yield f"{page.po}:{message.lineno}: {shown(message)} is no longer in English; {UPDATE}"
    for message in after:
        if message.id and message.id not in before:
            yield f"{page.po}: {shown(message)} is new in English; {UPDATE}"


def unfinished(page: Page, before: Catalog, after: Catalog) -> Iterator[str]:
    for message in after:
        if message.id and message.id in before and is_open(message):
            what = "is fuzzy" if message.string else "is not translated"
            yield f"{page.po}:{before[message.id].lineno}: {shown(message)} {what}; translate it"


def shown(message: Message) -> str:
    return f'"{shorten(str(message.id), SHOWN, placeholder=" …")}"'


def counted(language: str, checked: Sequence[Checked]) -> str:
    """How much of the site a language shows in English, in a line."""
    messages = sum(page.messages for page in checked)
    fuzzy, missing = sum(page.fuzzy for page in checked), sum(page.missing for page in checked)
    if not fuzzy and not missing:
        return f"{language}: all {messages:,} messages are translated"
    return (
        f"{language}: {fuzzy + missing:,} of {messages:,} messages are shown in English "
        f"({missing:,} not translated, {fuzzy:,} fuzzy)"
    )


def report(checked: Mapping[Page, Checked], *, counts: bool) -> None:
    for found in checked.values():
        print(
            *found.broken, *found.waiting, sep="\n", end="\n" * bool(found.broken + found.waiting)
        )
    for language in dict.fromkeys(page.language for page in checked) if counts else ():
        own = [found for page, found in checked.items() if page.language == language]
        print(counted(language, own))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--locales", type=Path, default=Path("locales"))
    parser.add_argument("--pot", type=Path, help="folder of fresh templates: order, dead catalogs")
    parser.add_argument("--known", type=Path, help="further catalogs to take translations from")
    parser.add_argument("--check", action="store_true", help="change nothing, fail if broken")
    parser.add_argument("--complete", action="store_true", help="fail if anything is left to do")
    options = parser.parse_args(arguments)

    if options.pot and not any(options.pot.rglob("*.pot")):
        parser.error(f"{options.pot} holds no template: build them with `make i18n-update`")
    folders = [folder for folder in (options.known, options.locales) if folder]
    translations = {
        home.parent.name: Translations.below([f / home.parent.name / home.name for f in folders])
        for home in options.locales.glob("*/LC_MESSAGES")
    }
    found = pages(options.locales, options.pot)
    if not options.check:
        for page in found:
            if done := tidy(page, translations[page.language]):
                print(f"{page.po}: {done}")
        return 0
    checked = {page: check(page, translations[page.language]) for page in found}
    report(checked, counts=options.pot is not None)
    fails = (page.broken or (options.complete and page.waiting) for page in checked.values())
    return int(any(fails))


if __name__ == "__main__":
    raise SystemExit(main())
