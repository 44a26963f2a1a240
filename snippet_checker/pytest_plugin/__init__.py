"""`pytest --verl-snippets`: each snippet a test.

pytest loads this module in every run, so all that takes time to import waits in `items`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("snippet-checker").addoption(
        "--verl-snippets",
        action="store_true",
        help="make a test of each snippet with verl settings in documents, scripts and configs",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Load the rest where it is asked for."""
    if config.option.verl_snippets:
        from snippet_checker.pytest_plugin.items import Snippets

        config.pluginmanager.register(Snippets.of(config), "snippet-checker-items")
