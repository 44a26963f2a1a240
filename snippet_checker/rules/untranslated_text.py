"""`untranslated-text`: a translation that is not in the language of its catalog."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.model import Problem, Stage
from snippet_checker.rules.base import Case, Rule

# A few words may be a title or a name, which stays as it is.
_FEW_WORDS = 4
_CODE = re.compile(
    r"(?m)^(?: {2,}|\t|>>> |\$ |(?:import|from|class|def) |:[\w-]+:)|[;{}\\]$|^[\w.]+ = "
)
_ENGLISH = re.compile(r"(?<![\w-])[a-z]{2,}(?![\w-])")
_OWN = {
    "ja": re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff]"),
    "zh_CN": re.compile(r"[\u3400-\u9fff]"),
    "zh_TW": re.compile(r"[\u3400-\u9fff]"),
    "ko": re.compile(r"[\uac00-\ud7a3]"),
}
_FOREIGN = {
    "zh_CN": (re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc]+"), "Japanese"),
    "zh_TW": (re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc]+"), "Japanese"),
    "ja": (re.compile(r"[\uac00-\ud7a3]+"), "Korean"),
}


def _check(case: Case) -> Iterator[Problem]:
    translation = case.translation
    if translation is None:
        return
    block, words = translation.block, translation.target.words
    own = _OWN.get(block.tongue or "")
    is_same = words.split() == translation.source.words.split()
    is_foreign = is_same if own is None else own.search(words) is None
    if is_foreign and len(_ENGLISH.findall(words)) > _FEW_WORDS and not _CODE.search(block.text):
        message = "this is not translated: leave it empty, and readers are told that it is not"
        yield Problem(translation.whole, message)
    foreign, language = _FOREIGN.get(block.tongue or "", (None, ""))
    for match in foreign.finditer(words) if foreign is not None else ():
        if match[0] not in translation.source.words:
            yield Problem(block.span(*match.span()), f"'{match[0]}' is {language}", match[0])


RULE = Rule("untranslated-text", Stage.DOCS, "A translation that is not in its language.", _check)
