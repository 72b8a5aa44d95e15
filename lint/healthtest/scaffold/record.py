"""Writes a health test from the real states of an object, for `celvet test --record`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path as File

from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.healthtest.read.cases import CaseReader
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.run.run import verdicts
from celvet.lint.healthtest.scaffold.cases import TestedPart
from celvet.lint.healthtest.scaffold.scaffold import parts, test_of, tests_text
from celvet.lint.manifest import Manifest
from celvet.lint.model import Value
from celvet.lint.values import object_ref_of
from celvet.schemas import Catalog

_HEAD = """\
# Recorded by `celvet test --record`: the objects that came, with the verdicts of today.
# Correct the verdicts that are wrong.
"""


def record(
    versions: Sequence[Value],
    manifests: Sequence[Manifest],
    chosen: str,
    directory: File,
    catalog: Catalog,
) -> str:
    """A health test of the one check that applies to the objects; `chosen` is in its title.

    `versions` are the objects as a watch prints them, one after the other.
    Raises `UnusableTestError` if no check applies, or more than one.
    """
    if not versions:
        raise UnusableTestError(
            "standard input has no object", (), "Pipe `kubectl get -w -o yaml`."
        )
    fitting = [
        (part, manifest)
        for part, manifest in _most_specific(parts(manifests, catalog))
        if chosen.lower() in _title(part).lower() and any(map(part.evaluator.applies, versions))
    ]
    if len(fitting) != 1:
        raise _ambiguous(versions, [part for part, _ in fitting])
    part, manifest = fitting[0]
    case = _case(part, [_without_managers(version) for version in versions])
    test = test_of(part, manifest, directory, [case])
    if test is None:
        raise UnusableTestError(f"`target` cannot identify `{part.evaluator.title}`", ())
    return tests_text([test], _HEAD)


def _most_specific(
    candidates: Iterator[tuple[TestedPart, Manifest]],
) -> list[tuple[TestedPart, Manifest]]:
    """The candidates without those for whole objects, if there is one for a part."""
    pairs = list(candidates)
    return [pair for pair in pairs if pair[0].evaluator.path] or pairs


def _ambiguous(versions: Sequence[Value], fitting: Sequence[TestedPart]) -> UnusableTestError:
    kinds = ", ".join(sorted({f"`{object_ref_of(version).kind}`" for version in versions}))
    if not fitting:
        return UnusableTestError(f"no such check applies to {kinds}", ())
    names = ", ".join(f"`{_title(part)}`" for part in fitting)
    message = f"{len(fitting)} checks apply to {kinds}: {names}"
    return UnusableTestError(message, (), "Choose one with `-k`.")


def _title(part: TestedPart) -> str:
    return f"{part.name}: {part.evaluator.title}"


def _case(part: TestedPart, versions: list[Value]) -> dict[str, Value]:
    title = object_ref_of(versions[0]).title
    case_content = {"name": f"recorded {title}", "recording": versions, "expect": []}
    case = CaseReader(Fixtures(File()), part.evaluator).case(case_content, ())
    return {**case_content, "expect": verdicts(part.evaluator, case)}


def _without_managers(value: Value) -> Value:
    """The object without `managedFields`, which are long and decide nothing."""
    metadata = value.get("metadata")
    if not isinstance(metadata, dict):
        return value
    return {**value, "metadata": {k: v for k, v in metadata.items() if k != "managedFields"}}
