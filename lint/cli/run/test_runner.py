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
from celvet.lint.locate.edits import FileEdit, apply_edits
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
    not updated; `failures` counts the cases that still fail.
    """

    path: Path
    report: FileReport
    cases: tuple[CaseResult, ...] = ()
    content: bytes | None = None
    failures: int = 0
    coverage: tuple[Covered, ...] = ()

    @property
    def unrun(self) -> Iterator[Unrun]:
        """The reasons why tests could not be run, for reports."""
        if self.report.unread:
            yield Unrun(self.report.name, 0, 0, UNREADABLE_FILE, self.report.unread)
        for finding_record in self.report.findings:
            finding, place = finding_record.finding, finding_record.place
            yield Unrun(
                finding_record.file,
                place.line,
                place.column,
                finding.rule,
                finding.message,
                finding.help,
            )
        for crash in self.report.crashes:
            message = f"rule {crash.rule} failed: {crash.error}"
            yield Unrun(self.report.name, 0, 0, crash.rule, message)


@record
class RunTests:
    """Runs the tests in the file at a path; can be sent to another process.

    Runs only cases with `filter_text` in their name. With `update` it also makes the content with
    which the tests pass; with `cover` it measures the coverage of the expressions.
    """

    settings: Settings
    filter_text: str = ""
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
        content, failures = self._update(path, file, runs) if self.update else (None, 0)
        return FileRun(
            path,
            file_report(file.result),
            tuple(_cases(file, runs)),
            content,
            failures,
            tuple(_coverage(runs) if self.cover else ()),
        )

    def _runs(self, tests: Iterable[HealthTest]) -> Iterator[_TimedRun]:
        for test in tests:
            for case in test.cases:
                if self.filter_text.lower() not in f"{test.name}: {case.name}".lower():
                    continue
                start = time.perf_counter()
                run = run_case(test, case)
                yield _TimedRun(test, run, time.perf_counter() - start)
                if self.fail_fast and run.failed:
                    return

    def _update(
        self, path: Path, file: TestFile, runs: Sequence[_TimedRun]
    ) -> tuple[bytes | None, int]:
        """The new content and how many cases fail with it; None if its tests cannot be run."""
        manifest = file.result.manifest
        answers = [
            (run.test.place(mismatch.path), mismatch.value)
            for run in runs
            if not run.result.case.xfail
            for mismatch in run.result.mismatches
            if mismatch.path is not None
        ]
        if manifest is None or not answers:
            return None, sum(run.result.failed for run in runs)
        content = _update_text(manifest, answers)
        new_file = read_tests(path, content, self.settings)
        if len(new_file.tests) < len(file.tests):
            return None, sum(run.result.failed for run in runs)
        return content, sum(run.result.failed for run in self._runs(new_file.tests))


@record
class _TimedRun:
    """The result of a case of a test, and how long it took in seconds."""

    test: HealthTest
    result: CaseRun
    seconds: float


def _coverage(runs: Sequence[_TimedRun]) -> Iterator[Covered]:
    for _, runs_of_test in groupby(runs, key=lambda run: id(run.test)):
        timed_runs = list(runs_of_test)
        yield from covered(
            timed_runs[0].test.target, [step for run in timed_runs for step in run.result.steps]
        )


def _cases(file: TestFile, runs: Sequence[_TimedRun]) -> Iterator[CaseResult]:
    if file.result.manifest is not None:
        locator = Locator(file.result.manifest)
        yield from (_case(run, locator) for run in runs)


def _case(run: _TimedRun, locator: Locator) -> CaseResult:
    case = run.result.case
    return CaseResult(
        file=run.test.file,
        test=run.test.name,
        case=case.name,
        line=locator.place(run.test.place(case.path)).line,
        verdicts=tuple(step.verdict.status for step in run.result.steps),
        seconds=run.seconds,
        waits=run.result.waits,
        mismatches=run.result.mismatches,
        explanation=tuple(explanation(run.result)) if run.result.failed else (),
        skip=case.skip,
        xfail=case.xfail,
        guess=case.guess,
    )


def _update_text(manifest: Manifest, answers: Iterable[tuple[Where, Value]]) -> bytes:
    """The content of the file with each value in its place.

    Comments, quotes and layout elsewhere stay as they are; the file stays in
    UTF-8, with its byte order mark if it has one. A value that is an alias is
    written out at the alias.
    """
    locator = Locator(manifest)
    edits = [_edit(manifest, locator, place, value) for place, value in answers]
    return (("\ufeff" if manifest.bom else "") + apply_edits(manifest.text, edits)).encode()


def _edit(manifest: Manifest, locator: Locator, where: Where, value: Value) -> FileEdit:
    node = _node_at(manifest, where)
    span = node.span if node else locator.offsets(where)
    # The line breaks that end a block scalar end its line as well.
    end = span.start + len(manifest.text[span.start : span.end].rstrip())
    return FileEdit(Span(span.start, end), _yaml_text(value, node.style if node else "plain"))


def _node_at(manifest: Manifest, where: Where) -> YamlNode | None:
    """The node at a place, or the alias there."""
    document = manifest.document(where.document)
    parent = document.node_at(where.path[:-1]) if document and where.path else None
    step = where.path[-1] if where.path else None
    if parent is None:
        return None
    if isinstance(step, int):
        return parent.items[step] if step < len(parent.items) else None
    return parent.entries[str(step)][1] if str(step) in parent.entries else None


def _yaml_text(value: Value, style: str = "plain") -> str:
    """A value in YAML's flow style; a text has the style of the one that it replaces."""
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_yaml_text(item)}' for key, item in value.items())}}}"
    plain = isinstance(value, str) and value.isalpha() and value not in ("True", "False")
    if plain and style == "single":
        return f"'{value}'"
    return str(value) if plain and style != "double" else json.dumps(value, ensure_ascii=False)
