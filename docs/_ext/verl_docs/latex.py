"""How the PDF is set: the same fonts and rules in every language.

Sphinx sets each language with other tools by itself. XeLaTeX with xeCJK takes all three, and the
fonts come from packages that Debian and Ubuntu have.
"""

from __future__ import annotations

from verl_docs.interface import _

# Noto CJK draws a character as each region writes it.
_REGIONS = {"en": "SC", "zh_CN": "SC", "ja": "JP"}

_FONTS = r"""
\setmainfont{DejaVu Serif Condensed}[Scale=0.92]
\setsansfont{DejaVu Sans Condensed}[Scale=0.92]
\setmonofont{DejaVu Sans Mono}[Scale=0.78]
\setCJKmainfont{Noto Serif CJK REGION}
\setCJKsansfont{Noto Sans CJK REGION}
\setCJKmonofont{Noto Sans Mono CJK REGION}[Scale=0.86]
"""
# In English text these are Latin characters, not full-width ones.
_LATIN_PUNCTUATION = r"""
\xeCJKDeclareCharClass{Default}{`“,`”,`‘,`’,`…,`·,`×,`—}
"""
_PREAMBLE = r"""
\setcounter{tocdepth}{1}
\setcounter{secnumdepth}{-1}
\fvset{formatcom=\xeCJKVerbAddon}
\AtBeginDocument{\renewcommand{\contentsname}{CONTENTS}}
% Names of keys are longer than the cells of tables are wide.
\renewcommand{\_}{\textunderscore\allowbreak}
\pdfstringdefDisableCommands{\def\_{\textunderscore}}
\sloppy
"""


def elements(language: str) -> dict[str, str]:
    """What Sphinx calls `latex_elements`."""
    fonts = _FONTS.replace("REGION", _REGIONS[language])
    latin = _LATIN_PUNCTUATION if language == "en" else ""
    return {
        "papersize": "a4paper",
        "extraclassoptions": "openany,oneside",
        "fontenc": r"\usepackage{xeCJK}",
        "fontpkg": fonts + latin,
        "polyglossia": "",
        "fncychap": "",
        "makeindex": "",
        "printindex": "",
        "sphinxsetup": "hmargin={18mm,18mm},vmargin={20mm,22mm}",
        "preamble": _PREAMBLE.replace("CONTENTS", _("Table of Contents")),
    }
