"""Messages call an expression by its role in its own dialect."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import celvet.schemas
from celvet.lint.engine import Settings, lint_object
from celvet.lint.manifest import read
from celvet.lint.values import list_at
from tests.properties import sample
from tests.tables import read_table

_RULES = Path(__file__).parents[1] / "rules"
_DIALECTS = Path(celvet.schemas.__file__).parent / "dialects"
_NAMES = {"current": "done", "failed": "broken", "inProgress": "waiting"}
_BUILT_IN = re.compile("`(current|failed|inProgress)`")
_CHECKED = {
    "error-blocks-verdict",
    "missing-failed",
    "never-true",
    "overlapping-verdicts",
    "premature-current",
    "premature-failed",
    "stale-generation",
    "vacuous-match",
}


def _entries() -> Iterator[Any]:
    """The health checks in the cases of these rules, with their findings."""
    for rule in sorted(_CHECKED):
        for case in read_table(_RULES / f"{rule}.yaml"):
            if "healthCheckExprs" not in case["manifest"] or "crds" in case:
                continue
            for document in read(case["manifest"]).documents:
                for entry in list_at(document.value, ("spec", "healthCheckExprs")):
                    if isinstance(entry, dict) and set(map(type, entry.values())) == {str}:
                        yield pytest.param(entry, id=f"{rule}: {case['name']}")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A directory in which Flux's dialect has other names for its roles."""
    directory = tmp_path_factory.mktemp("kinds")
    dialect = json.loads((_DIALECTS / "flux-health.json").read_text(encoding="utf-8"))
    dialect["roles"] = {_NAMES[role]: given for role, given in dialect["roles"].items()}
    dialect["needs"] = _NAMES[dialect["needs"]]
    (directory / "dialects").mkdir()
    (directory / "dialects/acme.json").write_text(json.dumps(dialect))
    expressions = {
        name: {"type": "string", "x-expression": {"dialect": "acme", "role": name}}
        for name in _NAMES.values()
    }
    entry = {
        "type": "object",
        "x-check": {"dialect": "acme"},
        "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, **expressions},
    }
    app = {
        "title": "App",
        "x-kubernetes-group-version-kind": [
            {"group": "acme.example", "version": "v1", "kind": "App"}
        ],
        "x-plural": "apps",
        "type": "object",
        "properties": {"checks": {"type": "array", "items": entry}},
    }
    (directory / "acme").mkdir()
    (directory / "acme/App.json").write_text(json.dumps(app))
    return Settings((directory,))


def _found(value: Any, settings: Settings) -> tuple[set[str], list[str]]:
    """The rules that report something, and all words of their messages."""
    result = lint_object(value, settings)
    assert not result.crashes
    found = [each for each in result.findings if each.rule in _CHECKED]
    return {each.rule for each in found}, [f"{each.message} {each.help}" for each in found]


@pytest.mark.parametrize("entry", sample([*_entries()]))
def test_roles_of_other_names(entry: dict[str, str], settings: Settings) -> None:
    spec = {"wait": True, "healthCheckExprs": [entry]}
    flux = {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "spec": spec}
    renamed = {_NAMES.get(key, key): value for key, value in entry.items()}
    app = {"apiVersion": "acme.example/v1", "kind": "App", "checks": [renamed]}
    rules, _ = _found(flux, Settings())
    same, words = _found(app, settings)
    assert same == rules
    assert not [each for each in words if _BUILT_IN.search(each)]
