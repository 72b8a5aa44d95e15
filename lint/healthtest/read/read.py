"""Reads a file of health tests; a reason why one cannot run becomes a finding at its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path as File
from typing import TypeVar

from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.healthtest.health_test import HealthTest, Target, UnusableTestError, unusable
from celvet.lint.healthtest.read.cases import CaseReader, rows
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.read.script_tests import is_script_test, script_tests
from celvet.lint.healthtest.read.target import target
from celvet.lint.manifest import KubeObject, Manifest, objects_in
from celvet.lint.manifest.source import byte_search
from celvet.lint.model import Finding, Severity, field_path
from celvet.lint.rule_ids import HELM_TEMPLATE, UNREADABLE_FILE, YAML_SYNTAX
from celvet.lint.values import get, list_at
from celvet.record import field, record, replace

_GROUP, _KIND = "celvet.dev", "HealthTest"
_WORDS = byte_search.words([_GROUP])
_UNREADABLE = (YAML_SYNTAX, UNREADABLE_FILE, HELM_TEMPLATE)

ResultT = TypeVar("ResultT")


@record
class TestFile:
    """The health tests of a file; the findings of `result` say why others cannot run."""

    result: FileResult
    tests: tuple[HealthTest, ...] = ()


def read_tests(path: File, data: bytes, settings: Settings) -> TestFile:
    """The health tests in a file, with all files that they name; never raises."""
    name = path.as_posix()
    if is_script_test(path):
        return TestFile(*script_tests(path, data))
    if not byte_search.may_hold(data, _WORDS):
        return TestFile(FileResult(name))
    result = lint_text(data, name, settings)
    if result.manifest is None:
        return TestFile(result)
    # A document with a mistake has no tests that could run; the other documents do.
    problems = [finding for finding in result.findings if _spoils(finding)]
    spoilt = {finding.where.document for finding in problems}
    tests: list[HealthTest] = []
    for obj in _health_tests(result.manifest):
        if obj.where.document not in spoilt:
            reader = _TestReader(
                obj,
                result.manifest,
                Fixtures(path.parent, settings.substitutions, settings.catalog),
            )
            tests += filter(None, [reader.test()])
            problems += reader.problems
    return TestFile(replace(result, findings=tuple(problems)), tuple(tests))


def _spoils(finding: Finding) -> bool:
    return finding.rule in _UNREADABLE or (
        finding.object.kind == _KIND and finding.severity is not Severity.INFO
    )


def _health_tests(manifest: Manifest) -> Iterator[KubeObject]:
    for document in manifest.documents:
        for obj in objects_in(document):
            group = str(obj.value.get("apiVersion")).partition("/")[0]
            if (group, obj.value.get("kind")) == (_GROUP, _KIND):
                yield obj


@record(frozen=False)
class _TestReader:
    """Reads one test, whose structure the schema has checked."""

    test_object: KubeObject
    manifest: Manifest
    fixtures: Fixtures
    problems: list[Finding] = field(default_factory=list)

    def _known_structure(self) -> bool:
        """True; the schema does not look at a value that a variable or a template gives."""
        value = self.test_object.value
        mappings = [
            ("target",),
            *(("cases", at) for at, _ in enumerate(list_at(value, ("cases",)))),
        ]
        for path in (path for path in (*mappings, ("settings",)) if get(value, path) is not None):
            if not isinstance(get(value, path), dict):
                message = f"`{field_path(path)}` is not known here"
                raise UnusableTestError(message, path, "Write its value, without a variable.")
        if not isinstance(value.get("cases"), list):
            message = "`cases` is not known here"
            raise UnusableTestError(message, ("cases",), "Write the cases, without a variable.")
        return True

    def test(self) -> HealthTest | None:
        """The test with the cases that can run; None without any, and `problems` say why."""
        value = self.test_object.value
        if self._attempt(self._known_structure) is None:
            return None
        test_target = self._attempt(self._target)
        if test_target is None:
            return None
        reader = CaseReader(self.fixtures, test_target.evaluator, value.get("settings") or {})
        # One case that cannot run leaves the others: each attempt notes its own problem.
        cases_or_none = [
            self._attempt(partial(reader.case, row_content, ("cases", at), row))
            for at, case in enumerate(value["cases"])
            for row_content, row in rows(case, ("cases", at))
        ]
        cases = tuple(filter(None, cases_or_none))
        if not cases:
            return None
        return HealthTest(
            self.manifest.name,
            value["metadata"]["name"],
            self.test_object.place,
            test_target,
            cases,
        )

    def _target(self) -> Target:
        content = self.test_object.value["target"]
        if "file" not in content:
            return target(content, self.manifest, self.fixtures.catalog)
        manifest = self.fixtures.manifest(content["file"], ("target", "file"))
        return target(content, manifest, self.fixtures.catalog)

    def _attempt(self, read: Callable[[], ResultT]) -> ResultT | None:
        try:
            return read()
        except UnusableTestError as problem:
            self.problems.append(unusable(problem, self.test_object.place))
            return None
