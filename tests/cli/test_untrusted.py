"""A repository is untrusted: what its files must not make celvet fetch, read or print."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from celvet.lint.config import find
from tests.cli.command import Ran, celvet
from tests.cli.test_lint import BAD

_PLACE = "{{ .Group }}/{{ .ResourceKind }}.json"
_REMOTE = f"https://127.0.0.1:1/{_PLACE}"
_CONSENT = "not fetched without CELVET_ALLOW_REMOTE=1 or --config"
_ENTRY = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a}
spec:
  interval: 1h
  path: ./a
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - {apiVersion: example.com/v1, kind: Database, current: status.phase == 'Ready'}
"""


def _lint(tree: Path, location: str, *arguments: str, **env: str) -> Ran:
    (tree / ".celvet.yaml").write_text(f"schema-location: ['{location}']\n", encoding="utf-8")
    (tree / "a.yaml").write_text(_ENTRY, encoding="utf-8")
    return celvet("lint", "a.yaml", *arguments, cwd=tree, env=env)


def test_a_discovered_file_needs_consent_to_fetch(tmp_path: Path) -> None:
    wanted = f"schema location {_REMOTE}: {_CONSENT}; what it describes is not checked"
    assert wanted in _lint(tmp_path, _REMOTE).err
    for ran in (
        _lint(tmp_path, _REMOTE, "--allow-remote"),
        _lint(tmp_path, _REMOTE, CELVET_ALLOW_REMOTE="1"),
        _lint(tmp_path, _REMOTE, "--config", ".celvet.yaml"),
    ):
        assert "cannot be reached" in ran.err
        assert _CONSENT not in ran.err


def test_the_default_location_needs_it_too(tmp_path: Path) -> None:
    assert f"schema location default: {_CONSENT}" in _lint(tmp_path, "default").err


def test_without_tls_it_has_to_be_named(tmp_path: Path) -> None:
    ran = _lint(tmp_path, f"http://127.0.0.1:1/{_PLACE}", "--allow-remote")
    assert "only `https` in a configuration that celvet found" in ran.err
    ran = _lint(tmp_path, f"http://127.0.0.1:1/{_PLACE}", "--config", ".celvet.yaml")
    assert "Connection refused" in ran.err


def test_a_directory_needs_no_consent(tmp_path: Path) -> None:
    assert "schema location" not in _lint(tmp_path, _PLACE).err


def test_configuration_outside_the_repository_does_not_count(tmp_path: Path) -> None:
    (tmp_path / ".celvet.yaml").write_text("fail-on: info\n")
    inside = tmp_path / "repository" / "apps"
    inside.mkdir(parents=True)
    assert find(inside) == tmp_path / ".celvet.yaml"
    (tmp_path / "repository" / ".git").mkdir()
    assert find(inside) is None
    (tmp_path / "repository" / ".celvet.yaml").write_text("")
    assert find(inside) == tmp_path / "repository" / ".celvet.yaml"


def test_without_a_repository_it_belongs_to_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".celvet.yaml"
    file.write_text("")
    owner = file.stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner)
    assert find(tmp_path) == file
    if owner:
        monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    else:  # root's files count for everybody
        os.chown(file, 4321, -1)
    assert find(tmp_path) is None


def test_links_to_pipes_and_devices_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, target in {
        "fifo.yaml": "pipe",
        "zero.yaml": "/dev/zero",
        "null.json": "/dev/null",
        ".gitignore": "pipe",
    }.items():
        (tmp_path / name).symlink_to(target)
    (tmp_path / "a.yaml").write_text(BAD)
    ran = celvet("lint", ".", "--format", "json", cwd=tmp_path, cpu=30)
    assert {finding["file"] for finding in json.loads(ran.out)["findings"]} == {"a.yaml"}


def test_nor_those_that_a_kustomization_names(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "apps").mkdir()
    patches = "[{path: ../pipe}, {path: patch}]"
    (tmp_path / "apps" / "patch").symlink_to("/dev/zero")
    (tmp_path / "apps" / "kustomization.yaml").write_text(
        f"resources: [a.yaml]\npatches: {patches}\n"
    )
    (tmp_path / "apps" / "a.yaml").write_text(BAD)
    assert "[result-type]" in celvet("lint", ".", cwd=tmp_path, cpu=30).out


@pytest.mark.parametrize("key", ["crds: [pipe]", "baseline: pipe", "schemas: [pipe]"])
def test_nor_those_that_the_configuration_names(tmp_path: Path, key: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / ".celvet.yaml").write_text(f"{key}\n")
    (tmp_path / "a.yaml").write_text(BAD)
    ran = celvet("lint", "a.yaml", cwd=tmp_path, cpu=30)
    assert ran.status == 2
    assert ".celvet.yaml:1: " in ran.err
    assert "pipe is a device or a pipe" in ran.err


@pytest.mark.parametrize("name", ["text", "json", "junit", "github", "markdown", "sarif", "gitlab"])
def test_no_report_has_characters_that_reorder_others(tmp_path: Path, name: str) -> None:
    text = _ENTRY.replace("status.phase == 'Ready'", "status.\u202ephase\u2066\u200b == 1")
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    out = celvet("lint", "a.yaml", "--format", name, cwd=tmp_path).out
    assert "cel-syntax" in out
    assert not set(out) & set("\u202e\u2066\u200b")
