"""Health scripts of Argo CD: what they give, and that none takes more than its budget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.model import GroupKind
from celvet.lint.waiters.argocd import health
from celvet.lint.waiters.argocd.health import Health
from celvet.lint.waiters.argocd.lua import run
from celvet.lint.waiters.argocd.scripts import (
    Script,
    Scripts,
    ScriptsError,
    config_scripts,
    read_scripts,
)
from tests.tables import read_table

_TABLE = read_table(Path(__file__).with_name("lua.yaml"))


@pytest.mark.parametrize("case", _TABLE, ids=lambda case: case["name"])
def test_script(case: dict[str, Any]) -> None:
    script = Script(case["script"], libraries=case.get("libraries", False))
    result = run(script, case.get("object", {}))
    assert result.status == case["health"]
    assert bool(result.error) is ("error" in case)
    assert case.get("error", "") in result.error
    assert "error" in case or result.message == case.get("message", "")


@pytest.mark.parametrize(
    ("obj", "status"),
    [
        ({"apiVersion": "v1", "kind": "Pod", "status": {"phase": None}}, "Unknown"),
        ({"apiVersion": "v1", "kind": "Service", "spec": {"type": None}}, "Healthy"),
        ({"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": None}}, "Healthy"),
        ({"apiVersion": "batch/v1", "kind": "Job", "status": {"conditions": None}}, "Progressing"),
    ],
)
def test_null_in_a_built_in_kind_counts_as_absent(obj: dict[str, Any], status: str) -> None:
    assert health(obj, Scripts()) == Health(status)


def test_scripts_of_a_checkout(tmp_path: Path) -> None:
    for folder in ("Pod", "example.com/Thing", "_.example.com/_"):
        directory = tmp_path / "resource_customizations" / folder
        directory.mkdir(parents=True)
        (directory / "health.lua").write_text(f"-- {folder}")
    scripts = read_scripts(tmp_path)
    texts = {
        kind: script.text if (script := scripts.of(GroupKind.of(*kind.split(" ")))) else None
        for kind in ("v1 Pod", "example.com/v1 Thing", "a.example.com/v1 Any", "example.com/v1 Any")
    }
    assert texts == {
        "v1 Pod": "-- Pod",
        "example.com/v1 Thing": "-- example.com/Thing",
        "a.example.com/v1 Any": "-- _.example.com/_",
        "example.com/v1 Any": None,
    }


def test_a_folder_without_scripts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScriptsError, match="name a checkout of Argo CD"):
        read_scripts(tmp_path)


def test_scripts_of_the_config_map_come_first() -> None:
    data = {
        "resource.customizations.health.example.com_Thing": "own",
        "resource.customizations.health.*.example.com_*": "any",
        "resource.customizations.useOpenLibs.example.com_Thing": "true",
        "resource.customizations.health.a_b_c": "refused",
        "timeout.reconciliation": "180s",
    }
    own = config_scripts({"data": data})
    assert {key: (script.text, script.libraries) for key, script in own.items()} == {
        "example.com/Thing": ("own", True),
        "*.example.com/*": ("any", False),
    }
    scripts = Scripts(own=own, builtin={"example.com/Thing": Script("builtin")})
    thing = scripts.of(GroupKind("example.com", "Thing"))
    assert thing is not None
    assert thing.text == "own"
