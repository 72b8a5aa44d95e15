"""What the extension for VS Code tells of the server is what the server has."""

from __future__ import annotations

import json

from celvet.lint.lsp.server import Server
from celvet.lint.lsp.state.client_settings import client_settings
from celvet.version import REPOSITORY
from tests.lsp.editors.vscode import EXTENSION, ROOT

_PACKAGE = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
_SETTINGS = _PACKAGE["contributes"]["configuration"]["properties"]
_OWN = {"path", "package"}


def test_the_server_takes_every_setting_with_its_default() -> None:
    defaults = {name.removeprefix("celvet."): item["default"] for name, item in _SETTINGS.items()}
    settings = client_settings({key: value for key, value in defaults.items() if key not in _OWN})
    assert settings.mistakes == ()
    assert settings.delay == client_settings({}).delay
    guide = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    assert [key for key in defaults.keys() - _OWN if f"`{key}`" not in guide] == []


def test_the_server_has_every_command_but_the_restart() -> None:
    commands = {each["command"] for each in _PACKAGE["contributes"]["commands"]}
    served = set(Server().protocol.fm.commands)
    assert commands - served == {"celvet.restart"}


def test_it_belongs_to_the_repository() -> None:
    assert _PACKAGE["repository"]["url"] == f"{REPOSITORY}.git"
    assert REPOSITORY in _SETTINGS["celvet.package"]["default"]
