"""The settings of editors that the page shows start the server, for what it serves."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from snippet_checker import command_line, commands

PAGE = (Path(__file__).parents[2] / "docs/checker/editors.md").read_text("utf-8")


def block(label: str, language: str) -> str:
    """The only code block of a language in the section with a label."""
    section = PAGE.split(f"({label})=")[1].split("\n(checker-editors")[0]
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    return str(found)


def starts_the_server(command: str, arguments: list[str]) -> bool:
    options = command_line.parser().parse_args(arguments)
    return (command, f"{commands.__name__}.{options.run}") == (
        "snippet-checker",
        "snippet_checker.commands.lsp:run",
    )


def test_the_settings_of_vs_code() -> None:
    settings: dict[str, Any] = json.loads(block("checker-editors-vscode", "json"))
    said = {name.removeprefix("glspc.server."): value for name, value in settings.items()}
    assert {*said} == {"command", "commandArguments", "languageId"}
    assert starts_the_server(said["command"], said["commandArguments"])


def test_the_settings_of_helix() -> None:
    settings = tomllib.loads(block("checker-editors-helix", "toml"))
    ((name, server),) = settings["language-server"].items()
    assert starts_the_server(server["command"], server["args"])
    languages = settings["language"]
    assert all(language["language-servers"][-1] == name for language in languages)
    assert {one["name"] for one in languages} == {"bash", "yaml", "markdown", "rst", "python"}
