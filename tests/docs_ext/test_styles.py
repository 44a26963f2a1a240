"""Which rules of the theme's style sheets are left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs_ext import conftest  # noqa: F401 - makes verl_docs known
from verl_docs.styles import classes_in, needed

KNOWN = {"page", "open"}


@pytest.mark.parametrize(
    ("css", "left"),
    [
        (".page{a:b}.other{a:b}", ".page{a:b}"),
        ("p,.other,.page.open{a:b}", "p,.page.open{a:b}"),
        (".page:not(.other){a:b}", ".page:not(.other){a:b}"),
        (".page:is(.other,p){a:b}", ".page:is(.other,p){a:b}"),
        (r".page\:wide{a:b}p{a:b}", "p{a:b}"),
        ("@media print{.other{a:b}}", ""),
        ("@media print{.page{a:b}.other{a:b}}", "@media print{.page{a:b}}"),
        ("@supports (a:b){@media print{p{a:b}}}", "@supports (a:b){@media print{p{a:b}}}"),
        ("@keyframes turn{0%{a:b}to{a:c}}", "@keyframes turn{0%{a:b}to{a:c}}"),
        (r"@font-face{font-family:Font Awesome\ 7 Free;src:url(a)}p{a:b}", "p{a:b}"),
        (':root{--fa-family:"x";--fa-font:y}', ""),
        (":root{--fa-family:x;--pst-colour:y}", ":root{--fa-family:x;--pst-colour:y}"),
        ('@charset "UTF-8";/* {} */p{a:b}', "p{a:b}"),
    ],
)
def test_a_rule_stays_if_its_classes_can_be_there(css: str, left: str) -> None:
    assert needed(css, KNOWN) == left


def test_pages_and_scripts_tell_which_classes_there_are(tmp_path: Path) -> None:
    (tmp_path / "_static").mkdir()
    tmp_path.joinpath("page.html").write_text('<p class="one two">not-a-class</p>', "utf-8")
    tmp_path.joinpath("_static/a.js").write_text('add("three-four")', "utf-8")
    found = classes_in(tmp_path, tmp_path.rglob("*.html"))
    assert {"one", "two", "three-four"} <= found
    assert "not-a-class" not in found
