"""Catalogs: the one form in which they are written, and whether they match the English pages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from difflib import ndiff
from io import StringIO
from pathlib import Path

import polib
import pytest
import tidy_catalogs

ROOT = Path(__file__).resolve().parents[2]

# As an editor might leave it: wrapped, dated, in another order, with a message that is gone.
MESSY = r"""# Somebody <somebody@example.org>, 2026.
msgid ""
msgstr ""
"POT-Creation-Date: 2026-01-02 03:04+0000\n"
"PO-Revision-Date: 2026-01-02 03:04+0000\n"
"Content-Type: text/plain; charset=UTF-8\n"
"X-Generator: An editor\n"

#: ../docs/guide/page.md:7
#, fuzzy, python-format
msgid "Second, 50 % of it"
msgstr "2番目、"
"その50 %"

msgid "First"
msgstr "最初"

#~ msgid "Gone"
#~ msgstr "もうない"
"""

TIDY = r"""msgid ""
msgstr ""
"Project-Id-Version: verl-tuning-guide\n"
"Language: ja\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

msgid "First"
msgstr "最初"

#, fuzzy
msgid "Second, 50 % of it"
msgstr "2番目、その50 %"
"""

TEMPLATE = (
    'msgid ""\nmsgstr ""\n\nmsgid "First"\nmsgstr ""\n\nmsgid "Second, 50 % of it"\nmsgstr ""\n'
)


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    po = tmp_path / "locales/ja/LC_MESSAGES/guide/page.po"
    po.parent.mkdir(parents=True)
    po.write_text(MESSY, "utf-8")
    pot = tmp_path / "pot/guide/page.pot"
    pot.parent.mkdir(parents=True)
    pot.write_text(TEMPLATE, "utf-8")
    return po


def tidy(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """As the command would, without a process of its own: `update` starts it as make does."""
    out, err = StringIO(), StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            status = tidy_catalogs.main(options)
        except SystemExit as asked:  # by argparse, or with what to say
            status = asked.code if isinstance(asked.code, int) else 1
            err.write(f"{asked.code}\n" if isinstance(asked.code, str) else "")
    return subprocess.CompletedProcess(options, status, out.getvalue(), err.getvalue())


def update(folder: Path) -> str:
    """What `make i18n-update` does with templates that are there already, and says of it."""
    tools = folder / "tools"
    if not tools.exists():
        tools.symlink_to(ROOT / "tools")
    command = ["make", "-s", "-f", ROOT / "Makefile", "-o", "templates", "i18n-update", "POT=pot"]
    command += [f"RUN={sys.executable}", f"INTL={Path(sys.executable).with_name('sphinx-intl')}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_one_form(catalog: Path, tmp_path: Path) -> None:
    assert "rewritten" in tidy(tmp_path, "--pot", "pot").stdout
    assert catalog.read_text("utf-8") == TIDY


def test_a_second_run_changes_nothing(catalog: Path, tmp_path: Path) -> None:
    catalog.write_text(TIDY, "utf-8")
    assert tidy(tmp_path, "--pot", "pot").stdout == ""
    assert catalog.read_text("utf-8") == TIDY


def test_check_names_the_file_and_changes_nothing(catalog: Path, tmp_path: Path) -> None:
    checked = tidy(tmp_path, "--check")
    assert checked.returncode == 1
    assert "locales/ja/LC_MESSAGES/guide/page.po" in checked.stdout
    assert catalog.read_text("utf-8") == MESSY
    catalog.write_text(TIDY, "utf-8")
    assert tidy(tmp_path, "--check").returncode == 0


@pytest.mark.slow
def test_a_catalog_without_a_page_goes(catalog: Path, tmp_path: Path) -> None:
    template = tmp_path / "pot/guide/page.pot"
    template.rename(template.with_name("other.pot"))
    update(tmp_path)
    assert not catalog.exists()


def test_templates_that_were_not_built_take_no_catalog_away(catalog: Path, tmp_path: Path) -> None:
    (tmp_path / "pot/guide/page.pot").unlink()
    refused = tidy(tmp_path, "--pot", "pot")
    assert refused.returncode == 2
    assert "pot holds no template" in refused.stderr
    assert catalog.exists()


def test_a_text_of_several_pages_is_translated_once(catalog: Path, tmp_path: Path) -> None:
    other = catalog.with_name("other.po")
    long, short = "A text of four words", "Two words"
    template = "".join(f'msgid "{text}"\nmsgstr ""\n\n' for text in (long, short))
    for name in ("page", "other"):
        pot = tmp_path / f"pot/guide/{name}.pot"
        pot.write_text(TEMPLATE.partition('msgid "First')[0] + template, "utf-8")
    catalog.write_text(template.replace('msgstr ""', 'msgstr "訳"'), "utf-8")
    update(tmp_path)
    filled = {entry.msgid: entry.msgstr for entry in polib.pofile(str(other))}
    # Few words may mean something else on another page.
    assert filled == {long: "訳", short: ""}


def po(*entries: str) -> str:
    """A catalog in canonical form; an entry is `id = translation`, with a `~` in front if fuzzy."""
    text = TIDY.partition('msgid "First"')[0]
    for entry in entries:
        msgid, _, msgstr = entry.removeprefix("~").partition(" = ")
        text += "#, fuzzy\n" * entry.startswith("~") + f'msgid "{msgid}"\nmsgstr "{msgstr}"\n\n'
    return text.rstrip("\n") + "\n"


ONE, TWO, THREE = "One sentence of the page", "A second thing to say", "What comes at the end"
MATCHING = po(f"{ONE} = 一", f"{TWO} = 二", f"{THREE} = 三")
PAGE = "locales/ja/LC_MESSAGES/guide/page.po"
UPDATE = "run `make i18n-update`"

# The catalog, the English messages of its page, what is said about it.
MISMATCHES = {
    "none": (MATCHING, (ONE, TWO, THREE), []),
    "new": (
        po(f"{ONE} = 一", f"{THREE} = 三"),
        (ONE, TWO, THREE),
        [f'{PAGE}: "{TWO}" is new in English; {UPDATE}'],
    ),
    "changed": (
        MATCHING,
        (ONE, f"{TWO}!", THREE),
        [
            f'{PAGE}:12: "{TWO}" is no longer in English; {UPDATE}',
            f'{PAGE}: "{TWO}!" is new in English; {UPDATE}',
        ],
    ),
    "gone": (
        MATCHING,
        (ONE, THREE),
        [f'{PAGE}:12: "{TWO}" is no longer in English; {UPDATE}'],
    ),
    "untranslated": (
        po(f"{ONE} = 一", f"{TWO} = "),
        (ONE, TWO),
        [f'{PAGE}:12: "{TWO}" is not translated; translate it'],
    ),
    "fuzzy": (
        po(f"{ONE} = 一", f"~{TWO} = 二"),
        (ONE, TWO),
        [f'{PAGE}:13: "{TWO}" is fuzzy; translate it'],
    ),
    "another order": (
        MATCHING,
        (TWO, ONE, THREE),
        [f"{PAGE}: not as `make i18n-update` leaves it; run it"],
    ),
    "another form": (
        MATCHING.replace('"二"', '""\n"二"'),
        (ONE, TWO, THREE),
        [f"{PAGE}: not in canonical form; {UPDATE}"],
    ),
    "no page": (MATCHING, (), [f"{PAGE}: its page is gone; {UPDATE}"]),
    "no catalog": ("", (ONE,), [f"{PAGE}: missing, its page has no catalog; {UPDATE}"]),
    "a long message": (
        po(f"{ONE} = 一"),
        (ONE, "word " * 30),
        [f'{PAGE}: "{"word " * 11}…" is new in English; {UPDATE}'],
    ),
}


def lay_out(folder: Path, catalog: str, messages: Sequence[str], page: str = "page") -> None:
    """One page in Japanese, with its template; without text the file is not there.

    Beside it stands a page that needs nothing.
    """
    for file, text in {
        folder / "locales/ja/LC_MESSAGES/index.po": po(f"{ONE} = 一"),
        folder / "pot/index.pot": po(ONE),
        (folder / PAGE).with_stem(page): catalog,
        folder / f"pot/guide/{page}.pot": po(*messages) if messages else "",
    }.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        if text:
            file.write_text(text, "utf-8")


def contents(folder: Path) -> dict[Path, str]:
    return {file: file.read_text("utf-8") for file in folder.rglob("*") if file.is_file()}


BROKEN = {"another form"}


@pytest.mark.parametrize("name", MISMATCHES)
def test_a_check_against_the_pages_names_what_to_do(tmp_path: Path, name: str) -> None:
    catalog, messages, said = MISMATCHES[name]
    lay_out(tmp_path, catalog, messages)
    before = contents(tmp_path)
    checked = tidy(tmp_path, "--pot", "pot", "--check")
    assert checked.stdout.splitlines()[:-1] == said
    assert checked.returncode == (name in BROKEN)
    assert tidy(tmp_path, "--pot", "pot", "--check", "--complete").returncode == bool(said)
    assert contents(tmp_path) == before


# Beside these messages stands one that is translated.
@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("none", "ja: all 4 messages are translated"),
        ("new", "ja: 1 of 4 messages are shown in English (1 not translated, 0 fuzzy)"),
        ("changed", "ja: 1 of 4 messages are shown in English (1 not translated, 0 fuzzy)"),
        ("gone", "ja: all 3 messages are translated"),
        ("fuzzy", "ja: 1 of 3 messages are shown in English (0 not translated, 1 fuzzy)"),
        ("untranslated", "ja: 1 of 3 messages are shown in English (1 not translated, 0 fuzzy)"),
        ("no catalog", "ja: 1 of 2 messages are shown in English (1 not translated, 0 fuzzy)"),
        ("no page", "ja: all 1 messages are translated"),
    ],
)
def test_what_is_shown_in_english_is_counted(tmp_path: Path, name: str, counted: str) -> None:
    catalog, messages, _ = MISMATCHES[name]
    lay_out(tmp_path, catalog, messages)
    assert tidy(tmp_path, "--pot", "pot", "--check").stdout.splitlines()[-1] == counted


def test_an_update_leaves_nothing_but_translating(tmp_path: Path) -> None:
    for number, (catalog, messages, _) in enumerate(MISMATCHES.values()):
        lay_out(tmp_path, catalog, messages, page=f"page{number}")
    update(tmp_path)
    left, counted = tidy(tmp_path, "--pot", "pot", "--check").stdout.strip().rsplit("\n", 1)
    assert all(line.endswith("; translate it") for line in left.splitlines())
    assert "messages are shown in English" in counted


def test_a_catalog_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    lay_out(tmp_path, MATCHING.replace(f'msgid "{TWO}"', "<<<<<<< HEAD"), (ONE, TWO, THREE))
    checked = tidy(tmp_path, "--pot", "pot", "--check")
    assert checked.returncode == 1
    assert checked.stderr == f"{PAGE}:12: '<<<<<<< HEAD' is no line of a catalog\n"


def test_an_update_takes_nothing_from_a_catalog_that_cannot_be_read(tmp_path: Path) -> None:
    lay_out(tmp_path, MATCHING.replace(f'msgid "{TWO}"', "<<<<<<< HEAD"), (ONE, f"{TWO}!", THREE))
    before = contents(tmp_path / "locales")
    with pytest.raises(AssertionError, match="'<<<<<<< HEAD' is no line of a catalog"):
        update(tmp_path)
    assert contents(tmp_path / "locales") == before


def test_an_update_touches_only_what_changed(tmp_path: Path) -> None:
    comment = "# snippet-checker: ignore[translation-literal] the reader's own word\nmsgid"
    before = MATCHING.replace("msgid", comment).replace(comment, "msgid", 1)
    lay_out(tmp_path, before, (ONE, f"{TWO}!", THREE))
    beside = contents(tmp_path / "locales").keys() - {tmp_path / PAGE}
    untouched = {file: file.stat().st_mtime_ns for file in beside}
    assert "page.po +1, -1" in update(tmp_path)
    after = (tmp_path / PAGE).read_text("utf-8")
    assert [line for line in ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"] == [
        "+ #, fuzzy",
        f'- msgid "{TWO}"',
        f'+ msgid "{TWO}!"',
    ]
    assert untouched == {file: file.stat().st_mtime_ns for file in beside}


@pytest.mark.slow
def test_an_update_without_a_change_says_and_does_nothing(tmp_path: Path) -> None:
    lay_out(tmp_path, MATCHING, (ONE, TWO, THREE))
    before = contents(tmp_path / "locales")
    assert update(tmp_path) == ""
    assert contents(tmp_path / "locales") == before


def test_a_new_page_gets_a_catalog_in_every_language(tmp_path: Path) -> None:
    lay_out(tmp_path, MATCHING, (ONE, TWO, THREE))
    (tmp_path / "locales/zh_CN/LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "pot/new.pot").write_text(po(ONE), "utf-8")
    update(tmp_path)
    assert (tmp_path / "locales/ja/LC_MESSAGES/new.po").read_text("utf-8") == po(f"{ONE} = 一")
    chinese = (tmp_path / "locales/zh_CN/LC_MESSAGES/new.po").read_text("utf-8")
    assert chinese == po(f"{ONE} = ").replace("Language: ja", "Language: zh_CN")


@pytest.mark.slow
def test_a_page_that_was_renamed_keeps_its_translations(tmp_path: Path) -> None:
    lay_out(tmp_path, MATCHING, (ONE, TWO, THREE))
    (tmp_path / "pot/guide/page.pot").rename(tmp_path / "pot/guide/renamed.pot")
    update(tmp_path)
    assert not (tmp_path / PAGE).exists()
    renamed = (tmp_path / PAGE).with_name("renamed.po").read_text("utf-8")
    assert renamed == MATCHING


@pytest.mark.slow
def test_a_text_that_moves_keeps_its_translation_where_another_takes_its_place(
    tmp_path: Path,
) -> None:
    lay_out(tmp_path, MATCHING, (ONE, f"{TWO}!", THREE))
    (tmp_path / "pot/guide/other.pot").write_text(po(TWO), "utf-8")
    update(tmp_path)
    other = (tmp_path / PAGE).with_name("other.po").read_text("utf-8")
    assert other == po(f"{TWO} = 二")


def test_the_reference_follows_the_guide(tmp_path: Path) -> None:
    lay_out(tmp_path, MATCHING, (ONE, TWO, THREE))
    reference = tmp_path / "locales/ja/LC_MESSAGES/reference/keys.po"
    reference.parent.mkdir()
    reference.write_text(po(f"{ONE} = 別の訳"), "utf-8")
    (tmp_path / "pot/reference").mkdir()
    (tmp_path / "pot/reference/keys.pot").write_text(po(ONE), "utf-8")
    assert f"{reference.relative_to(tmp_path)}: not as `make i18n-update`" in (
        tidy(tmp_path, "--pot", "pot", "--check").stdout
    )
    tidy(tmp_path, "--pot", "pot")
    assert reference.read_text("utf-8") == po(f"{ONE} = 一")


def test_catalogs_of_this_repository_are_tidy() -> None:
    checked = tidy(ROOT, "--check")
    assert checked.returncode == 0, checked.stdout
