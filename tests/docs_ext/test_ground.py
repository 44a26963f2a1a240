"""All pages are read again when something has changed that every page is made of."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from verl_docs import interface, rebuild


def test_each_part_of_the_ground_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conf = tmp_path / "conf.py"
    conf.write_text("one = 1\n", "utf-8")
    own = interface.catalog_in(tmp_path / "locales", "ja")
    strings = own.with_stem("sphinx")
    own.parent.mkdir(parents=True)
    for catalog in (own, strings):
        catalog.write_text("", "utf-8")
    monkeypatch.setattr(rebuild, "libraries", lambda: iter(["sphinx-9.0.0.dist-info"]))
    config = SimpleNamespace(language="ja", locale_dirs=["locales"])
    app = SimpleNamespace(confdir=str(tmp_path), srcdir=str(tmp_path), config=config)
    states = [rebuild.ground(app), rebuild.ground(app)]  # type: ignore[arg-type]
    assert states[0] == states[1]
    conf.write_text("one = 2\n", "utf-8")
    states.append(rebuild.ground(app))  # type: ignore[arg-type]
    strings.write_text('msgid "a"\nmsgstr "b"\n', "utf-8")
    states.append(rebuild.ground(app))  # type: ignore[arg-type]
    own.write_text('msgid "c"\nmsgstr "d"\n', "utf-8")
    states.append(rebuild.ground(app))  # type: ignore[arg-type]
    monkeypatch.setattr(rebuild, "libraries", lambda: iter(["sphinx-9.0.1.dist-info"]))
    states.append(rebuild.ground(app))  # type: ignore[arg-type]
    monkeypatch.setattr(rebuild, "_code", lambda: 1)
    states.append(rebuild.ground(app))  # type: ignore[arg-type]
    assert len({*states}) == len(states) - 1
