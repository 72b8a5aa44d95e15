"""The tools about checks in manifests: lint, eval, explain."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from celvet.lint import model
from celvet.lint.cli.run.fixes import fix_file
from celvet.lint.cli.run.lint_files import LintFile, lint_files
from celvet.lint.engine import lint_text
from celvet.lint.explain.page import VERDICT, Line, Page
from celvet.lint.explain.pages import explained
from celvet.lint.healthtest.run.answer import ExpressionAnswer
from celvet.lint.healthtest.run.evaluation import BareExpression, Evaluation, evaluations, of_each
from celvet.lint.healthtest.run.reason import reason
from celvet.lint.manifest import read
from celvet.lint.mcp import answers
from celvet.lint.mcp.inputs import TEXT, Session, assure_one
from celvet.lint.model import Severity, field_path
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.report import FileReport, file_report
from celvet.lint.report.report import report as report_of
from celvet.lint.repository.surroundings import Repository, forget
from celvet.lint.safe_text import one_line, yaml_text
from celvet.lint.values import object_ref_of
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.record import replace
from celvet.wrong_input import WrongInputError

_MOST_FINDINGS = 30
_MOST_CHECKS = 12
_MOST_STATES = 40
_MOST_FIXED = 10
_MOST_TEXT = 800
"""Characters of an object, a value or a message."""

FixLevel = Literal["none", "safe", "unsafe"]


def lint(session: Session, text: str, path: str, fix: FixLevel) -> answers.LintAnswer:
    """The findings of a text, a file or a directory, after the fixes that are wanted."""
    assure_one(text, path)
    forget()  # the files may have changed since the last call
    run = LintFile(session.settings, TEXT, fix != "none", fix == "unsafe")
    if text:
        data, name = session.content(text, path)
        report = report_of([_text_report(data, name, run)])
    else:
        files = session.files(path)
        run = replace(run, repository=Repository(session.repository(files)))
        report = lint_files(files, run, 1, Severity.INFO)
    findings = sorted(report.findings, key=lambda item: -item.severity)
    crashes = (f"{name}: rule {crash.rule} failed: {crash.error}" for name, crash in report.crashes)
    return answers.LintAnswer(
        findings=[_located(item) for item in findings[:_MOST_FINDINGS]],
        more=max(0, len(findings) - _MOST_FINDINGS),
        fixed={name: file.new_text for name, file in report.rewritten[:_MOST_FIXED]},
        notes=[*report.notes, *(f"{name}: {why}" for name, why in report.unread), *crashes],
    )


def evaluate(
    session: Session, declaration: tuple[str, str], objects: tuple[str, str], expression: str
) -> answers.EvalAnswer:
    """The verdicts on objects, by the checks of a declaration or by one expression.

    Declaration and objects are each a text and a path, of which one is empty.
    """
    values = session.objects(*objects)
    cluster = ClusterState(objects=values, now=datetime.now(UTC))
    catalog = session.settings.catalog
    if expression:
        if any(declaration):
            raise WrongInputError("give either an `expression`, or the manifest of checks")
        dialect = next(item for item in catalog.dialects.values() if item.bare)
        results = list(of_each(BareExpression(expression, dialect), cluster))
    else:
        data, name = session.content(*declaration)
        manifest = read(data, name, session.settings.substitutions)
        results = list(evaluations(manifest, cluster, catalog))
    if not results:
        kinds = ", ".join(sorted({object_ref_of(obj).kind for obj in values}))
        raise WrongInputError(
            f"no check in the manifest applies to {kinds}; see its kinds and names"
        )
    return answers.EvalAnswer(
        verdicts=[_verdict(item) for item in results[:_MOST_CHECKS]],
        more=max(0, len(results) - _MOST_CHECKS),
    )


def explain(session: Session, text: str, path: str) -> answers.ExplainAnswer:
    """The checks of a text or a file over the life of an object."""
    data, name = session.content(text, path)
    check_pages, _ = explained(data, name, replace(session.settings, everything=True))
    if not check_pages:
        raise WrongInputError(
            f"no check in {name} can be explained; give an object with expressions"
        )
    return answers.ExplainAnswer(
        checks=[_life(page) for page in check_pages[:_MOST_CHECKS]],
        more=max(0, len(check_pages) - _MOST_CHECKS),
    )


def _text_report(data: bytes, name: str, run: LintFile) -> FileReport:
    if run.fix:
        return fix_file(data, name, run.settings, unsafe=run.unsafe, minimum=run.minimum)
    return file_report(lint_text(data, name, run.settings))


def _located(item: LocatedFinding) -> answers.FindingAnswer:
    place = f"{item.file}:{item.place.line}:{item.place.column}"
    safety = ("safe" if item.fix.safe else "unsafe") if item.fix else ""
    return _finding(item.finding, place, f"{safety}: {item.fix.title}" if item.fix else "")


def _finding(finding: model.Finding, place: str, fix: str) -> answers.FindingAnswer:
    example = finding.counterexample
    when = ""
    if example:
        text = yaml_text(example.object, allow_unicode=True)[:_MOST_TEXT]
        when = f"an object {example.description} is {example.verdict}\n{text}"
    return answers.FindingAnswer(
        rule=finding.rule,
        severity=str(finding.severity or Severity.INFO),
        place=place,
        field=field_path(finding.where.path),
        message=finding.message[:_MOST_TEXT],
        help=finding.help[:_MOST_TEXT],
        when=when,
        fix=fix,
    )


def _verdict(evaluation: Evaluation) -> answers.VerdictAnswer:
    answer = evaluation.answer
    verdict, cause = answer.verdict, reason(answer)
    because = (cause.sentence if cause else "") or verdict.message or verdict.error
    place = (evaluation.object.title, field_path(answer.evaluator.path), answer.evaluator.title)
    return answers.VerdictAnswer(
        check=", ".join(dict.fromkeys(filter(None, place))),
        object=", ".join(item.title for item in evaluation.objects),
        status=verdict.status,
        reason=verdict.reason or (cause.word if cause else ""),
        because=because[:_MOST_TEXT],
        expressions=[_value(item) for item in answer.expressions],
    )


def _value(item: ExpressionAnswer) -> answers.ExpressionValue:
    outcome = item.outcome
    is_done = not (item.refusal or outcome.error)
    return answers.ExpressionValue(
        role=item.expression.role,
        value=one_line(json.dumps(outcome.value, default=str), _MOST_TEXT) if is_done else "",
        error=outcome.error[:_MOST_TEXT],
        refused=item.refusal[:_MOST_TEXT],
    )


def _life(page: Page) -> answers.CheckLife:
    return answers.CheckLife(
        check=page.heading,
        place=page.place,
        timing=page.timing,
        life=_states(page.life),
        states=[] if page.life else _states(page.lines),
        findings=[_finding(note, page.place, "") for note in page.notes[:_MOST_FINDINGS]],
        fixed=page.fixed_texts,
    )


def _states(lines: Sequence[Line]) -> list[answers.StateAnswer]:
    return [
        answers.StateAnswer(
            state=line.description.replace("`", ""),
            expressions={role: text for role, text in line.cells.items() if role != VERDICT},
            verdict=line.cells[VERDICT],
            wrong=", not " in line.cells[VERDICT] or VERDICT in line.marks,
        )
        for line in lines[:_MOST_STATES]
    ]
