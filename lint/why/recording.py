"""Makes health tests of objects as they change: each becomes a fixture, with its verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.build import check_value
from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.healthtest.scaffold.record import record
from celvet.lint.manifest import read
from celvet.lint.model import GroupKind, ObjectRef, Value
from celvet.lint.safe_text import yaml_text
from celvet.lint.values import get, group_kind_of, mapping_at, object_ref_of
from celvet.lint.verdicts.inventory import entry_of, inventory
from celvet.lint.why.snapshot import Key, key_of
from celvet.regex import regex
from celvet.schemas import Catalog
from celvet.schemas.live.waiter import waiters

_SECRET = GroupKind("", "Secret")
_METADATA = ("name", "namespace", "generation", "creationTimestamp", "deletionTimestamp", "labels")
_SENSITIVE = regex(r"(?i)(passw|secret|token|credential|private|apikey|api_key|connection)")
_HIDDEN = "(hidden)"
_MOST_VERSIONS = 200
_UNNAMED = regex(r"[^A-Za-z0-9._-]+")


class Recording:
    """The versions of objects that a health check covers, in the order in which they were seen."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._declarations: dict[Key, Mapping[str, Value]] = {}
        self._versions: dict[Key, list[Mapping[str, Value]]] = {}

    def add(self, objects: Iterable[Mapping[str, Value]]) -> None:
        """Take the objects that have changed."""
        for obj in objects:
            kind, key = group_kind_of(obj), key_of(object_ref_of(obj))
            waiter = waiters().get((kind.group, kind.kind))
            if waiter is not None and not waiter.is_foreign:
                self._declarations[key] = obj
            elif kind != _SECRET:
                versions = self._versions.setdefault(key, [])
                if (not versions or versions[-1] != obj) and len(versions) < _MOST_VERSIONS:
                    versions.append(obj)

    def write(self, directory: Path, waiters: Iterable[ObjectRef]) -> list[Path]:
        """Write what these objects wait for as health tests; the tests that were written."""
        directory.mkdir(parents=True, exist_ok=True)
        declarations = filter(None, (self._declarations.get(key_of(name)) for name in waiters))
        return [path for one in declarations for path in self._write(one, directory)]

    def _write(self, declaration: Mapping[str, Value], directory: Path) -> Iterator[Path]:
        checked = check_value(declaration, self._catalog)
        name = _file_name(declaration)
        for check in checked.doing("health-check"):
            for versions in self._versions.values():
                covered = group_kind_of(versions[0]) == check.named
                if not (covered and _is_waited_for(checked, versions[-1])):
                    continue
                manifest = directory / f"{name}.yaml"
                manifest.write_text(yaml_text(_declared(declaration)), encoding="utf-8")
                test = self._test(manifest, check, versions, directory)
                if test:
                    path = directory / f"{name}-{_file_name(versions[0])}.test.yaml"
                    path.write_text(test, encoding="utf-8")
                    yield path

    def _test(
        self, manifest: Path, check: Check, versions: list[Mapping[str, Value]], directory: Path
    ) -> str:
        """The text of a test; empty if no check can be told from the others."""
        fixtures = [_fixture(version, check) for version in versions]
        distinct = [
            fixture
            for number, fixture in enumerate(fixtures)
            if not number or fixture != fixtures[number - 1]
        ]
        manifests = [read(manifest.read_bytes(), str(manifest))]
        try:
            return record(distinct, manifests, str(check.named), directory, self._catalog)
        except UnusableTestError:
            return ""


def _is_waited_for(checked: CheckedObject, obj: Mapping[str, Value]) -> bool:
    """Whether a declaration lists an object or, if it waits for everything, has applied it."""
    waiting, reference = checked.waiting, object_ref_of(obj)
    if not waiting.everything:
        return key_of(reference) in map(key_of, map(object_ref_of, waiting.listed_objects))
    own = object_ref_of(checked.value)
    kind = waiters()[own.group_kind.group, own.kind]
    labels = kind.labels_of(own.name, own.namespace)
    present = mapping_at(obj, ("metadata", "labels"))
    labelled = bool(labels) and labels.items() <= present.items()
    return labelled or entry_of(obj) in (inventory(checked.value) or ())


def _declared(declaration: Mapping[str, Value]) -> dict[str, Value]:
    """What the user has written of an object that waits."""
    names = mapping_at(declaration, ("metadata",))
    metadata = {key: names[key] for key in ("name", "namespace") if key in names}
    fields = {key: declaration[key] for key in ("apiVersion", "kind")}
    return {**fields, "metadata": metadata, "spec": _visible(get(declaration, ("spec",)))}


def _fixture(obj: Mapping[str, Value], check: Check) -> dict[str, Value]:
    """The fields of an object that the expressions of a check name, without what may be secret."""
    names = {name for expression in check.cel for name, _ in expression.program.variables}
    own = mapping_at(obj, ("metadata",))
    metadata = {key: own[key] for key in _METADATA if key in own}
    fields = {name: _visible(obj[name]) for name in sorted({"status", *names}) if name in obj}
    return {**fields, "apiVersion": obj["apiVersion"], "kind": obj["kind"], "metadata": metadata}


def _visible(value: Value) -> Value:
    """The value with each text hidden whose key looks like that of a secret."""
    if isinstance(value, list):
        return [*map(_visible, value)]
    if not isinstance(value, dict):
        return value
    return {
        key: _HIDDEN if isinstance(item, str) and _SENSITIVE.search(str(key)) else _visible(item)
        for key, item in value.items()
    }


def _file_name(obj: Mapping[str, Value]) -> str:
    reference = object_ref_of(obj)
    parts = filter(None, (reference.kind.lower(), reference.namespace, reference.name))
    return _UNNAMED.sub("-", "-".join(parts))
