"""Writes the beginning of a health test for each part of a declaration that decides by itself."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any

import yaml

from lint.engine.declare import reference_of
from lint.manifest import KubeObject, Manifest, whole_objects
from lint.model import ObjectRef, Value
from lint.suite.clock import latest
from lint.suite.model import Unusable
from lint.suite.stock import MadeUp, made_up
from lint.suite.target import assure_known, declaration_meant, judge_meant, part_of
from lint.systems import judges
from lint.systems.judge import Judge, Situation

_HEAD = """\
# Begun by `celvet test --new`: these are the answers of today. Correct what should be otherwise,
# and put real objects in the place of the made-up ones.
"""

_LAYOUT: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": 1_000}
_NAMES = ("apiVersion", "kind", "name", "namespace")


def scaffold(manifests: Sequence[Manifest], chosen: str, directory: File) -> str:
    """Health tests for the parts whose title has a text in it; empty where there is none.

    The path of a manifest is written as it is seen from `directory`. Each test
    has a case for every verdict that is met in a made-up situation.
    """
    tests = [
        _test(_Part(found, each, among), manifest, os.path.relpath(manifest.name, directory))
        for manifest in manifests
        for found in whole_objects(manifest)
        for among in [judges(found.value)]
        for each in _worth_a_test(among)
        if chosen.lower() in each.title.lower()
    ]
    texts = [yaml.dump(test, Dumper=_Dumper, **_LAYOUT) for test in tests if test]
    return _HEAD + "---\n".join(texts) if texts else ""


class _Dumper(yaml.SafeDumper):
    """Writes every object out: an alias would only puzzle who goes on with the test."""

    def ignore_aliases(self, data: object) -> bool:
        """Always."""
        return True


def _worth_a_test(found: Sequence[Judge]) -> list[Judge]:
    """All, without that of the whole where it is no more than parts with texts of their own."""
    parts = [judge for judge in found if judge.path]
    return parts if any(judge.programs for judge in parts) else list(found)


@dataclass(frozen=True, slots=True)
class _Part:
    """What a test is begun for: one of the judges of a declaration."""

    declaration: KubeObject
    judge: Judge
    among: Sequence[Judge]

    @property
    def reference(self) -> ObjectRef:
        """The names of the declaration."""
        return reference_of(self.declaration.value)

    @property
    def fields(self) -> Mapping[str, Value]:
        """The fields of the part, none of a whole."""
        part = part_of(self.declaration.value, self.judge) if self.judge.path else {}
        return part if isinstance(part, Mapping) else {}


def _test(part: _Part, manifest: Manifest, file: str) -> dict[str, Value] | None:
    meant = _target(part, manifest)
    cases = [*_cases(part)] if meant else []
    if not cases:
        return None
    return {
        "apiVersion": "celvet.dev/v1alpha1",
        "kind": "HealthTest",
        "metadata": {"name": f"{part.reference.name}: {part.judge.title}"},
        "target": {"file": file, **(meant or {})},
        "cases": cases,
    }


def _target(part: _Part, manifest: Manifest) -> dict[str, Value] | None:
    """What leads to the part, by its names if they do; None where nothing does."""
    names, fields = part.reference.fields(), part.fields
    declaration: dict[str, Value] = {
        key: names[key] for key in ("kind", "namespace", "name") if names[key]
    }
    plain = {key: value for key, value in fields.items() if isinstance(value, str | int)}
    for entry in ({key: fields[key] for key in _NAMES if key in fields}, {}, plain, dict(fields)):
        given = {**declaration, **({"entry": entry} if entry else {})}
        if _leads_to(part, given, manifest):
            return given
    return None


def _leads_to(part: _Part, given: Mapping[str, Value], manifest: Manifest) -> bool:
    try:
        declaration = declaration_meant(given, manifest)
        assure_known(declaration, part.judge)
        return judge_meant(given, declaration.value, part.among) is part.judge
    except Unusable:
        return False


def _cases(part: _Part) -> Iterator[dict[str, Value]]:
    """The first situation of each verdict."""
    judge = part.judge
    seen: set[str] = set()
    for made in made_up(judge, part.declaration.value):
        objects = tuple(_renamed(obj, part) for obj in made.objects)
        if not any(map(judge.applies, objects)):
            continue
        situation = Situation(objects=objects, now=latest(objects), settings=made.settings)
        verdict = judge.judge(situation).status
        if verdict not in seen:
            seen.add(verdict)
            yield _case(made, objects, verdict)


def _case(made: MadeUp, objects: Sequence[Value], verdict: str) -> dict[str, Value]:
    settings = {"settings": made.settings} if made.settings else {}
    one = {"dep" if made.dependency else "object": objects[0]}
    shown = one if len(objects) == 1 else {"objects": list(objects)}
    return {"name": made.name, **settings, **shown, "expect": verdict}


def _renamed(obj: Value, part: _Part) -> dict[str, Value]:
    """The object as the part names it, in the namespace of the declaration if need be."""
    fields = part.fields if part.judge.group_kind else {}
    version = {key: fields[key] for key in ("apiVersion",) if key in fields}
    names = {key: fields[key] for key in ("name", "namespace") if key in fields}
    renamed = {**obj, **version, "metadata": {**obj.get("metadata", {}), **names}}
    if part.judge.applies(renamed):
        return renamed
    namespace = {"namespace": part.reference.namespace}
    return {**renamed, "metadata": {**renamed["metadata"], **namespace}}
