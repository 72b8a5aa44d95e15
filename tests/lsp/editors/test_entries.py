"""What registries of editors are sent starts the server as the guide does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from docs.generate import ROOT
from tests.lsp.editors.tried import PATH, configuration

_EDITORS = ROOT / "editors"
_HELIX = shutil.which("hx")


def test_the_entry_for_helix_has_the_server_of_the_guide() -> None:
    entry = tomllib.loads((_EDITORS / "helix" / "languages.toml").read_text(encoding="utf-8"))
    guide = tomllib.loads(configuration("Helix", "toml"))
    server = guide["language-server"]["celvet"]
    del server["config"]
    assert entry["language-server"]["celvet"] == server
    assert "celvet" in entry["language"][0]["language-servers"]


@pytest.mark.skipif(_HELIX is None, reason="there is no hx here (make tools)")
def test_helix_finds_the_server(tmp_path: Path) -> None:
    settings = tmp_path / ".config" / "helix"
    settings.mkdir(parents=True)
    shutil.copy(_EDITORS / "helix" / "languages.toml", settings)
    environment = {**os.environ, "PATH": PATH, "HOME": str(tmp_path)}
    command = [str(_HELIX), "--health", "yaml"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    (line,) = [line for line in ran.stdout.splitlines() if "celvet" in line]
    assert f"{Path(PATH.split(os.pathsep)[0]) / 'celvet'}" in line


def test_zed_and_jetbrains_start_the_server() -> None:
    zed = _EDITORS / "zed"
    extension = tomllib.loads((zed / "extension.toml").read_text(encoding="utf-8"))
    crate = tomllib.loads((zed / "Cargo.toml").read_text(encoding="utf-8"))
    assert extension["version"] == crate["package"]["version"]
    assert extension["language_servers"]["celvet"]["languages"] == ["YAML"]
    # `retrieveLicenseCandidates` of zed-industries/extensions looks beside the manifest alone.
    assert (zed / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    template, installer = (
        json.loads((_EDITORS / "jetbrains" / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("template", "installer")
    )
    installed = installer["run"]["exec"]["onSuccess"]["configureServer"]["command"]
    assert template["id"] == installer["id"] == extension["id"]
    assert template["programArgs"]["default"] == "celvet lsp"
    assert installed["default"].endswith("/bin/celvet lsp")
    assert [mapping["languageId"] for mapping in template["fileTypeMappings"]] == ["yaml"]
