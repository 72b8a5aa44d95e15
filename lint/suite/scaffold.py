"""Writes the beginning of a health test for each entry of a file of declarations."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as File

import yaml

from lint.cel import Compiled
from lint.engine.declare import reference_of
from lint.lifecycle import State, subject, table
from lint.manifest import KubeObject, Manifest, whole_objects
from lint.model import GroupKind, Value
from lint.suite.clock import latest
from lint.suite.target import part_of
from lint.systems import judges
from lint.systems.judge import Judge, Situation

_HEAD = """\
# Begun by `celvet test --new`: these are the answers of today. Correct what should be otherwise,
# and put real objects in the place of the made-up ones.
"""


def scaffold(manifests: Sequence[Manifest], chosen: str, directory: File) -> str:
    """Health tests for the entries whose title has a text in it; empty where there is none.

    The path of a manifest is written as it is seen from `directory`. Each test
    has a case for every verdict that there is.
    """
    tests = [
        _test(found, judge, os.path.relpath(manifest.name, directory))
        for manifest in manifests
        for found in whole_objects(manifest)
        for judge in judges(found.value)
        if chosen.lower() in judge.title.lower()
    ]
    texts = [yaml.safe_dump(test, sort_keys=False, allow_unicode=True) for test in tests if test]
    return _HEAD + "---\n".join(texts) if texts else ""


def _test(found: KubeObject, judge: Judge, file: str) -> dict[str, Value] | None:
    if not judge.path:
        return None
    reference = reference_of(found.value)
    names = {"kind": reference.kind, "namespace": reference.namespace, "name": reference.name}
    part = part_of(found.value, judge)
    cases = [*_cases(judge, part)]
    if not cases:
        return None
    entry = {key: part[key] for key in ("apiVersion", "kind", "name", "namespace") if key in part}
    return {
        "apiVersion": "celvet.dev/v1alpha1",
        "kind": "HealthTest",
        "metadata": {"name": f"{reference.name}: {judge.title}"},
        "target": {
            "file": file,
            **{key: text for key, text in names.items() if text},
            "entry": entry,
        },
        "cases": cases,
    }


def _cases(judge: Judge, part: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
    """The first state of each verdict, of an object with the name that the part gives."""
    names = {key: part[key] for key in ("name", "namespace") if key in part}
    seen: set[str] = set()
    for state in _states(judge):
        now = latest([state.object])
        version = {key: part[key] for key in ("apiVersion",) if key in part}
        metadata = {**state.object.get("metadata", {}), **names}
        shown = {**state.object, **version, "metadata": metadata}
        verdict = judge.judge(Situation(objects=[shown], now=now)).status
        if verdict not in seen:
            seen.add(verdict)
            key = "dep" if "dep" in state.variables else "object"
            yield {"name": f"an object {state.description}", key: shown, "expect": verdict}


def _states(judge: Judge) -> Iterator[State]:
    programs = {
        each.role: each.compiled for each in judge.programs if isinstance(each.compiled, Compiled)
    }
    texts: Mapping[str, Value] = dict.fromkeys(programs)
    found = subject(texts, programs, judge.group_kind or GroupKind("", "")) if programs else None
    yield from (row.state for row in table(found).rows) if found else ()
