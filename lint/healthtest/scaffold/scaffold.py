"""Writes a first health test for each check, and for each object that decides as a whole."""

from __future__ import annotations

import os.path
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path as File
from typing import Any

from celvet.lint.checks import check_found
from celvet.lint.controllers import evaluators
from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.healthtest.read.declarations import declarations
from celvet.lint.healthtest.read.target import assure_known, find_declaration, find_evaluator
from celvet.lint.healthtest.scaffold.cases import TestedPart, first_cases
from celvet.lint.manifest import Manifest
from celvet.lint.model import Value
from celvet.lint.safe_text import yaml_text
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.schemas import Catalog

_HEAD = """\
# Written by `celvet test --new`, with the verdicts of today. Correct the verdicts that are wrong.
# The objects are made up: replace them with real ones, or check that real ones look like this, and
# remove `guess`.
"""

_LAYOUT: dict[str, Any] = {"allow_unicode": True, "width": 1_000}
_NAMES = ("apiVersion", "kind", "name", "namespace")


def scaffold(manifests: Sequence[Manifest], chosen: str, directory: File, catalog: Catalog) -> str:
    """Health tests for the checks whose title contains a text; empty if there are none.

    The path of a manifest is relative to `directory`. Each test has a case for every verdict that
    an example meets.
    """
    tests = (
        test_of(part, manifest, directory, first_cases(part))
        for part, manifest in parts(manifests, catalog)
        if chosen.lower() in part.evaluator.title.lower()
    )
    return tests_text(_with_unique_names([*filter(None, tests)]), _HEAD)


def parts(manifests: Sequence[Manifest], catalog: Catalog) -> Iterator[tuple[TestedPart, Manifest]]:
    """A target that can get a test, with its manifest."""
    for manifest in manifests:
        for obj in (declaration.obj for declaration in declarations(manifest)):
            siblings = evaluators(check_found(obj, catalog))
            yield from (
                (TestedPart(obj, evaluator, siblings), manifest)
                for evaluator in _testable_evaluators(siblings)
            )


def tests_text(tests: Sequence[Value], head: str) -> str:
    """The tests as documents below a comment; empty where there is none."""
    texts = [yaml_text(test, **_LAYOUT) for test in tests]
    return head + "---\n".join(texts) if texts else ""


def _with_unique_names(tests: list[dict[str, Value]]) -> list[dict[str, Value]]:
    """The tests; if several have the same name, it gets more of the object, and then the file."""
    for prefix, suffix in (("{kind} {namespace}/", ""), ("", " ({file})")):
        names = Counter(test["metadata"]["name"] for test in tests)
        for test in tests:
            name, fields = test["metadata"]["name"], {"namespace": "", **test["target"]}
            if names[name] > 1:
                longer = f"{prefix.format_map(fields)}{name}{suffix.format_map(fields)}"
                test["metadata"] = {"name": longer}
    return tests


def _testable_evaluators(candidates: Sequence[Evaluator]) -> list[Evaluator]:
    """All evaluators, except that of the whole object if its parts have expressions."""
    parts = [evaluator for evaluator in candidates if evaluator.path]
    return parts if any(evaluator.expressions for evaluator in parts) else list(candidates)


def test_of(
    part: TestedPart, manifest: Manifest, directory: File, cases: Iterable[dict[str, Value]]
) -> dict[str, Value] | None:
    """A test with these cases; None without any, or if nothing identifies the part."""
    target = _target(part, manifest)
    case_list = list(cases) if target else []
    if target is None or not case_list:
        return None
    return {
        "apiVersion": "celvet.dev/v1alpha1",
        "kind": "HealthTest",
        "metadata": {"name": f"{part.name}: {part.evaluator.title}"},
        "target": {"file": os.path.relpath(manifest.name, directory), **target},
        "cases": case_list,
    }


def _target(part: TestedPart, manifest: Manifest) -> dict[str, Value] | None:
    """The fields that identify the part, names if they do; None if nothing does."""
    names, fields = part.reference.fields(), part.fields
    declaration: dict[str, Value] = {
        key: names[key] for key in ("kind", "namespace", "name") if names[key]
    }
    plain = {key: value for key, value in fields.items() if isinstance(value, str | int)}
    for entry in ({key: fields[key] for key in _NAMES if key in fields}, {}, plain, dict(fields)):
        target = {**declaration, **({"entry": entry} if entry else {})}
        if _leads_to(part, target, manifest):
            return target
    return None


def _leads_to(part: TestedPart, target: Mapping[str, Value], manifest: Manifest) -> bool:
    try:
        declaration = find_declaration(target, manifest)
        assure_known(declaration.obj, part.evaluator)
        return find_evaluator(target, declaration.value, part.among) is part.evaluator
    except UnusableTestError:
        return False
