"""Runs the health tests of a file."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from celvet.lint.engine import Settings
from celvet.lint.healthtest.health_test import HealthTest
from celvet.lint.healthtest.read.read import TestFile, read_tests
from celvet.lint.healthtest.run.coverage import Covered, covered
from celvet.lint.healthtest.run.results import CaseResult, Unrun
from celvet.lint.healthtest.run.run import CaseRun, explanation, run_case
from celvet.lint.locate import Locator
from celvet.lint.locate.edits import Edit, edited
from celvet.lint.manifest import Manifest, YamlNode
from celvet.lint.manifest.source.files import read_source
from celvet.lint.model import Span, Value, Where
from celvet.lint.report.report import FileReport, file_report
from celvet.lint.rule_ids import UNREADABLE_FILE
from celvet.record import record


@record
class FileRun:
    """The results of one file; `report` has the reasons why tests could not be run.

    `content` is the updated content with which the tests pass, None if they pass already or are
    not updated; `left` counts the cases that still fail.
    """

    path: Path
    report: FileReport
    cases: tuple[CaseResult, ...] = ()
    content: bytes | None = None
    left: int = 0
    covered: tuple[Covered, ...] = ()

    @property
    def unrun(self) -> Iterator[Unrun]:
        """The reasons why tests could not be run, for reports."""
        if self.report.unread:
            yield Unrun(self.report.name, 0, 0, UNREADABLE_FILE, self.report.unread)
        for each in self.report.findings:
            found, place = each.finding, each.place
            yield Unrun(each.file, place.line, place.column, found.rule, found.message, found.help)
        for crash in self.report.crashes:
            message = f"rule {crash.rule} failed: {crash.error}"
            yield Unrun(self.report.name, 0, 0, crash.rule, message)


@record
class RunTests:
    """Runs the tests in the file at a path; can be sent to another process.

    Runs only cases with `chosen` in their name. With `update` it also makes the content with which
    the tests pass; with `cover` it measures the coverage of the expressions.
    """

    settings: Settings
    chosen: str = ""
    fail_fast: bool = False
    update: bool = False
    cover: bool = False

    def __call__(self, path: Path) -> FileRun:
        """The results of a file; for one that cannot be opened, the reason."""
        try:
            data = read_source(path)
        except OSError as error:
            return FileRun(path, FileReport(path.as_posix(), unread=error.strerror or str(error)))
        file = read_tests(path, data, self.settings)
        runs = list(self._runs(file.tests))
        content, left = self._update(path, file, runs) if self.update else (None, 0)
        return FileRun(
            path,
            file_report(file.result),
            tuple(_cases(file, runs)),
            content,
            left,
            tuple(_covered(runs) if self.cover else ()),
        )

    def _runs(self, tests: Iterable[HealthTest]) -> Iterator[_Run]:
        for test in tests:
            for case in test.cases:
                if self.chosen.lower() not in f"{test.name}: {case.name}".lower():
                    continue
                start = time.perf_counter()
                run = run_case(test, case)
                yield _Run(test, run, time.perf_counter() - start)
                if self.fail_fast and run.failed:
                    return

    def _update(self, path: Path, file: TestFile, runs: Sequence[_Run]) -> tuple[bytes | None, int]:
        """The new content and how many cases fail with it; None if its tests cannot be run."""
        manifest = file.result.manifest
        wrong = [
            (each.test.place(off.path), off.value)
            for each in runs
            if not each.run.case.xfail
            for off in each.run.mismatches
        ]
        if manifest is None or not wrong:
            return None, 0
        content = _updated(manifest, wrong)
        again = read_tests(path, content, self.settings)
        if len(again.tests) < len(file.tests):
            return None, sum(each.run.failed for each in runs)
        return content, sum(each.run.failed for each in self._runs(again.tests))


@record
class _Run:
    """A run of a case of a test, and its duration in seconds."""

    test: HealthTest
    run: CaseRun
    seconds: float


def _covered(runs: Sequence[_Run]) -> Iterator[Covered]:
    for _, some in groupby(runs, key=lambda each: id(each.test)):
        of_test = list(some)
        yield from covered(of_test[0].test.target, [s for each in of_test for s in each.run.steps])


def _cases(file: TestFile, runs: Sequence[_Run]) -> Iterator[CaseResult]:
    if file.result.manifest is not None:
        locator = Locator(file.result.manifest)
        yield from (_case(each, locator) for each in runs)


def _case(each: _Run, locator: Locator) -> CaseResult:
    case = each.run.case
    return CaseResult(
        file=each.test.file,
        test=each.test.name,
        case=case.name,
        line=locator.place(each.test.place(case.path)).line,
        verdicts=tuple(step.verdict.status for step in each.run.steps),
        seconds=each.seconds,
        waits=each.run.waits,
        mismatches=each.run.mismatches,
        explanation=tuple(explanation(each.run)) if each.run.failed else (),
        skip=case.skip,
        xfail=case.xfail,
        guess=case.guess,
    )


def _updated(manifest: Manifest, answers: Iterable[tuple[Where, Value]]) -> bytes:
    """The content of the file with each value in its place.

    Comments, quotes and layout elsewhere stay as they are; the file stays in
    UTF-8, with its byte order mark if it has one. A value that is an alias is
    written out at the alias.
    """
    locator = Locator(manifest)
    edits = [_edit(manifest, locator, where, value) for where, value in answers]
    return (("\ufeff" if manifest.bom else "") + edited(manifest.text, edits)).encode()


def _edit(manifest: Manifest, locator: Locator, where: Where, value: Value) -> Edit:
    node = _as_written(manifest, where)
    span = node.span if node else locator.offsets(where)
    # The line breaks that end a block scalar end its line as well.
    end = span.start + len(manifest.text[span.start : span.end].rstrip())
    return Edit(Span(span.start, end), _written(value, node.style if node else "plain"))


def _as_written(manifest: Manifest, where: Where) -> YamlNode | None:
    """The node at a place, or the alias there."""
    document = manifest.document(where.document)
    parent = document.node_at(where.path[:-1]) if document and where.path else None
    step = where.path[-1] if where.path else None
    if parent is None:
        return None
    if isinstance(step, int):
        return parent.items[step] if step < len(parent.items) else None
    return parent.entries[str(step)][1] if str(step) in parent.entries else None


def _written(value: Value, style: str = "plain") -> str:
    """A value in YAML's flow style; a text has the style of the one that it replaces."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_written(item)}' for key, item in value.items())}}}"
    plain = isinstance(value, str) and value.isalpha() and value not in ("True", "False")
    if plain and style == "single":
        return f"'{value}'"
    return str(value) if plain and style != "double" else json.dumps(value, ensure_ascii=False)
