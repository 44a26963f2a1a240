"""Hydra's grammar, form by form: what it takes and what it refuses, and that we read it alike.

Forms: https://hydra.cc/docs/advanced/override_grammar/basic/ and …/extended/.
"""

from __future__ import annotations

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException

from snippet_checker.hydra.override import OverrideError, parse

TAKEN = """
key=value
key.a.b=value
key-with-dash=1
group/sub=option
group@package=option
group@a.b=option
+group@_global_=option
+key=value
++key=value
~key
~key=value
~group@package
key=
key=null
key=-1
key=1_000
key=1e-6
key=.5
key=inf
key=True
key=2021-01-01
key=10:30
key=a b c
key='a, b'
key="it's"
key='it\\'s'
key=a\\,b
key=[]
key=[a, b]
key=[[1], {a: 2}]
key={}
key={a:1,b:{c:[x]}}
key={a : 1}
key=${other.key}
key=${oc.env:HOME}
key=prefix-${other}-suffix
key=$HOME
key=a/b/c.d
key=s3://bucket/key
key=a@b
key=int(3.5)
key=str(1)
key=bool(1)
"""
SWEPT = """
key=1,2
key=a,'b c'
key=[1],[2]
key=choice(a,b)
key=range(1,10)
key=range(0.0,1,0.1)
key=interval(1,2)
key=glob(*)
key=tag(x,choice(a,b))
key=sort(3,1,2)
"""
REFUSED = """
key
key=a=b
key=json_str({a:1})
key=extend_list(1)
key=[a
key=a]
key={a:1
key={a}
key='a
key="a
key=a(b
key=unknown(1)
key=choice(
key=int(x)
key=~/data
key=a~b
key=a#b)
a..b=1
.a=1
a.=1
"""


def lines(table: str) -> list[str]:
    return table.strip("\n").split("\n")


def hydras_parse(text: str) -> object:
    return OverridesParser.create().parse_override(text)


@pytest.mark.parametrize("text", lines(TAKEN))
def test_taken(text: str) -> None:
    assert hydras_parse(text)
    assert not parse(text).is_sweep


@pytest.mark.parametrize("text", lines(SWEPT))
def test_a_sweep(text: str) -> None:
    assert hydras_parse(text)
    assert parse(text).is_sweep


@pytest.mark.parametrize("text", lines(REFUSED))
def test_refused(text: str) -> None:
    with pytest.raises(HydraException):
        hydras_parse(text)
    with pytest.raises(OverrideError):
        parse(text)
