"""What a translation may say in another way, and what is suggested where it may not."""

from __future__ import annotations

import pytest

from snippet_checker.findings import Finding
from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL


def found(language: str, msgid: str, msgstr: str) -> list[Finding]:
    catalog = f'msgid ""\nmsgstr "Language: {language}\\n"\n\nmsgid "{msgid}"\nmsgstr "{msgstr}"\n'
    return list(check_text("a.po", catalog, Options(VERL)).findings)


@pytest.mark.parametrize(
    ("language", "wrong", "right"),
    [
        # The signs of each language: GB/T 15834 for Chinese, JTF's style guide for Japanese.
        ("zh_CN", "先生成,再训练", "，"),
        ("ja", "生成して,学習する", "、"),
        ("zh_CN", "先生成;再训练", "；"),
        ("zh_CN", "为什么?因为", "？"),
        ("ja", "なぜ?それは", "？"),
        ("ja", "注意!危険", "！"),
        ("zh_CN", "例如:显存", "："),
        ("zh_CN", "先生成. 再训练", "。"),
    ],
)
def test_the_sign_of_the_language_is_suggested(language: str, wrong: str, right: str) -> None:
    [finding] = found(language, "Some words about it", wrong)
    assert (finding.rule, finding.suggestion) == ("translation-punctuation", right)


@pytest.mark.parametrize(
    ("language", "msgid", "msgstr", "is_same"),
    [
        ("zh_CN", "About half of the time", "大约 50 % 的时间", True),
        ("zh_CN", "About half of the time", "大约 500 % 的时间", False),
        ("zh_CN", "It takes 50 % of the time", "需要一半的时间", True),
        ("zh_CN", "It takes 40 % of the time", "需要一半的时间", False),
        ("ja", "Up to 20,000 tokens", "最大 2 万トークン", True),
        ("ja", "Up to 2,000 tokens", "最大 2 万トークン", False),
        ("zh_CN", "It has 300 million parameters", "它有 3 亿个参数", True),
        ("zh_CN", "It has 30 million parameters", "它有 3 亿个参数", False),
        ("ja", "It takes 30 % of it", "その 3 割を使う", True),
        ("zh_CN", "It takes 12 seconds", "需要 12 秒", True),
        ("zh_CN", "It takes 12 seconds", "需要 12 分钟", False),
        ("zh_CN", "Wait for 250 steps", "等待 520 步", False),
        ("zh_CN", "All of it fits", "全部 128 个都放得下", False),  # made up, and of three digits
    ],
)
def test_a_number_is_the_same_in_words_and_other_units(
    language: str, msgid: str, msgstr: str, is_same: bool
) -> None:
    assert (
        [f for f in found(language, msgid, msgstr) if f.rule == "translation-literal"] == []
    ) is is_same


@pytest.mark.parametrize(
    ("comments", "is_checked"),
    [
        ("#, fuzzy\n", False),
        ("# by hand\n#, fuzzy, python-format\n", False),
        ("#: a.md:1\n#, python-format, fuzzy\n", False),
        ("", True),
        ("# fuzzy\n", True),
        ("#, python-format\n", True),
    ],
)
def test_what_waits_for_a_translator_is_not_checked(comments: str, is_checked: bool) -> None:
    entry = f'{comments}msgid "Set `trainer.nnodes`"\nmsgstr "设置 `trainer.nnode`"\n'
    catalog = f'msgid ""\nmsgstr "Language: zh_CN\\n"\n\n{entry}'
    assert bool(check_text("a.po", catalog, Options(VERL)).findings) is is_checked
