"""The theme's style sheets, cut down to the rules that the built pages can need.

Most of what the theme brings is for icons and for classes that no page of ours has. A rule stays if
the classes of one of its selectors all stand in pages or scripts.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

NAME = "styles/of-theme.css"
COMMON, OF_THEME = "basic.css", "styles/pydata-sphinx-theme.css"
# What pages load no more, once there is the short style sheet.
LEFT_OVER = ("styles/theme.css", OF_THEME, "scripts/fontawesome.js", "vendor/fontawesome")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CLASSES = re.compile(r'\bclass="([^"]*)"')
_WORD = re.compile(r"[\w-]+")
_CLASS = re.compile(r"\.((?:[\w-]|\\.)+)")
_NESTED = re.compile(r"\([^()]*\)")
_AROUND_RULES = ("@media", "@supports")
_OF_ICONS = re.compile(r"(?:\s*--_?fa[\w-]*\s*:[^;]*;?)+\s*")


def needed(css: str, known: Set[str]) -> str:
    """The rules of a style sheet that can apply where there are only the classes `known`."""
    return "".join(_rules(_COMMENT.sub("", css), known))


def _rules(css: str, known: Set[str]) -> Iterator[str]:
    for head, body in _blocks(css):
        if head.startswith(_AROUND_RULES):
            inside = "".join(_rules(body, known))
            if inside:
                yield f"{head}{{{inside}}}"
        elif head.startswith("@"):
            if not (head == "@font-face" and "Font Awesome" in body.replace("\\", "")):
                yield f"{head}{{{body}}}"
        else:
            selectors = [one for one in _selectors(head) if _classes(one) <= known]
            if selectors and not _OF_ICONS.fullmatch(body):
                yield f"{','.join(selectors)}{{{body}}}"


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """What stands before each pair of braces, and within."""
    start = depth = opened = 0
    for place in re.finditer("[{};]", css):
        match place.group():
            case "{":
                depth += 1
                if depth == 1:
                    opened = place.end()
            case "}":
                depth -= 1
                if depth == 0:
                    yield css[start : opened - 1].strip(), css[opened : place.start()]
                    start = place.end()
            case _ if depth == 0:  # `@charset` and the like
                start = place.end()


def _selectors(head: str) -> list[str]:
    """The selectors of a list; a comma in parentheses divides none."""
    return re.split(r",(?![^()]*(?:\([^()]*\)[^()]*)*\))", head)


def _classes(selector: str) -> set[str]:
    """The classes that an element and those around it must have."""
    while selector != (outside := _NESTED.sub("", selector)):
        selector = outside
    return {name.replace("\\", "") for name in _CLASS.findall(selector)}


def classes_in(folder: Path, pages: Iterable[Path]) -> frozenset[str]:
    """Each class in a page, and each word in a script, which may give a class to something."""
    found: set[str] = set()
    for page in pages:
        for value in set(_CLASSES.findall(page.read_text("utf-8"))):
            found.update(value.split())
    for script in folder.rglob("_static/**/*.js"):
        if script.name in {path.rpartition("/")[2] for path in LEFT_OVER}:
            continue
        found.update(_WORD.findall(script.read_text("utf-8")))
    return frozenset(found)


def _pages(builder: StandaloneHTMLBuilder) -> Iterator[Path]:
    """The pages of this build: those that an earlier one left are no part of the site."""
    made = {"search": builder.search, "genindex": builder.use_index}
    names = (*builder.env.found_docs, *(name for name, is_made in made.items() if is_made))
    return (Path(builder.get_output_path(name)) for name in sorted(names))


def shorten(app: Sphinx, exception: Exception | None) -> None:
    builder = app.builder
    if exception or not isinstance(builder, StandaloneHTMLBuilder) or builder.embedded:
        return
    folders = [Path(folder, "static") for folder in builder.theme.get_theme_dirs()]
    sheets = [folder / OF_THEME for folder in folders if (folder / OF_THEME).is_file()]
    if not sheets:  # another theme
        return
    static = Path(app.outdir, "_static")
    known = classes_in(Path(app.outdir), _pages(builder))
    css = (needed(sheet.read_text("utf-8"), known) for sheet in (static / COMMON, sheets[0]))
    static.joinpath(NAME).write_text("".join(css), "utf-8")
    for place in (*(static / name for name in LEFT_OVER), *static.rglob("*.map")):
        _remove(place)


def _remove(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def setup(app: Sphinx) -> None:
    app.connect("build-finished", shorten)
