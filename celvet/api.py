"""The public functions and their results; `import celvet` offers them.

The results have types of their own, separate from those of the engine, so that a change inside
does not change the interface.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celvet import schemas
from celvet.lint import engine, model
from celvet.lint.config import find, load
from celvet.lint.crds import SchemaSources
from celvet.lint.engine.result import FileResult
from celvet.lint.engine.settings import Settings
from celvet.lint.locate import LineRange
from celvet.lint.model import Counterexample, ObjectRef, Severity, field_path
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.healthtest.run.evaluation import Evaluation

_NO_PLACE = LineRange(0, 0, 0, 0)


@record(kw_only=True)
class LocatedFinding:
    """A mistake, or a piece of advice, about one place in a manifest: `celvet.Finding`.

    `rule` is the id of the rule, `url` the page that explains it, `help` the advice, which may be
    empty. Lines and columns count from 1, columns in code points; the end is exclusive. All four
    are 0 in the result of `lint_object`, which has no text. `field` is the path in the document,
    such as `spec.healthCheckExprs[0].current`, and `object` the object with that field. A finding
    about behaviour has a `counterexample`.
    """

    rule: str
    severity: Severity
    message: str
    help: str
    url: str
    line: int
    column: int
    end_line: int
    end_column: int
    field: str
    object: ObjectRef
    counterexample: Counterexample | None


@record(kw_only=True)
class LintResult:
    """The findings in one text or object, in the order of the text.

    `notes` name CRDs that could not be read. `internal_errors` name rules that crashed: that is a
    bug in celvet, and their findings are missing.
    """

    name: str
    findings: tuple[LocatedFinding, ...]
    notes: tuple[str, ...]
    internal_errors: tuple[str, ...]

    @property
    def worst(self) -> Severity | None:
        """The highest severity among the findings; None if there are none."""
        return max((each.severity for each in self.findings), default=None)


@record(kw_only=True)
class ExpressionResult:
    """The result of one expression of a check.

    `role` is its key in the declaration, such as `current`, and `field` its path. `value` is the
    result, `error` the message of an evaluation error, `refusal` the reason why the controller does
    not accept the expression; the last two may be empty.
    """

    role: str
    field: str
    value: Any
    error: str
    refusal: str


@record(kw_only=True)
class CheckVerdict:
    """A controller's verdict on objects, by one check of a declaration.

    `declaration` is the object that declares the check, `field` the path of the check in it (empty
    if the whole object is one), `check` its name, such as `Certificate.cert-manager.io`. `status`
    is the controller's own word, such as `Current` or `InProgress`, with its `reason`, `message`
    and `error`. `objects` are those that the check covers.
    """

    declaration: ObjectRef
    field: str
    check: str
    objects: tuple[ObjectRef, ...]
    status: str
    reason: str
    message: str
    error: str
    expressions: tuple[ExpressionResult, ...]


def lint_text(data: str | bytes, name: str = "", *, settings: Settings | None = None) -> LintResult:
    """Lint a file of manifests, YAML or JSON; messages call it `name`.

    Never raises on any content. Raises `CatalogError` if a directory in `settings.schemas` cannot
    be used.
    """
    from celvet.lint.report.report import file_report

    found = engine.lint_text(data, name, settings)
    located = (_finding(each.finding, each.place) for each in file_report(found).findings)
    return _result(found, located)


def lint_object(value: Mapping[str, Any], *, settings: Settings | None = None) -> LintResult:
    """Lint one object that is not in a file, such as that of an AdmissionReview.

    Never raises on any object that JSON can hold. Raises `CatalogError` as `lint_text` does.
    """
    found = engine.lint_object(value, settings)
    return _result(found, (_finding(each) for each in found.findings))


def evaluate(
    declaration: Mapping[str, Any],
    objects: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    owner: Mapping[str, Any] | None = None,
    now: datetime | None = None,
    settings: Settings | None = None,
) -> tuple[CheckVerdict, ...]:
    """The controllers' verdicts on objects, by the checks of a declaration.

    `declaration` is an object that declares checks, such as a Flux Kustomization; `objects` are
    those in the cluster, one or several. The result has a verdict for each check that applies, in
    the order of the declaration; a check of single objects gives one for each object. `owner` is
    the `self` of a `readyExpr`, by default the declaration. `now` must have a time zone; it is the
    current time by default. Never raises, whatever is in the objects; fields whose name is not a
    string, which YAML allows, are ignored. Raises `CatalogError` as `lint_text` does.
    """
    from celvet.lint.healthtest.run.evaluation import evaluations
    from celvet.lint.manifest import Document, Manifest
    from celvet.lint.verdicts.evaluator import ClusterState

    given = [objects] if isinstance(objects, Mapping) else objects
    seen = [{key: each[key] for key in each if isinstance(key, str)} for each in given]
    cluster = ClusterState(objects=seen, now=now or datetime.now(UTC), owner=owner)
    manifest = Manifest("", "", (Document(1, 0, 0, value=declaration),))
    catalog = (settings or Settings()).catalog
    return tuple(_verdict(each) for each in evaluations(manifest, cluster, catalog))


def load_settings(path: Path | None = None) -> Settings:
    """The settings of a configuration file, by default the nearest above the working directory.

    Without a file, these are the defaults. Raises `ConfigError` if the file is wrong,
    `CatalogError` if a schema directory that it names cannot be used.
    """
    config = load(path or find(Path.cwd()))
    schemas.load(config.schemas)
    crds = SchemaSources(config.crds, config.schema_location)
    targets = tuple(config.targets.items())
    return Settings(
        config.schemas,
        config.rules,
        config.substitute,
        crds=crds,
        targets=targets,
        files=config.files,
    )


def _result(found: FileResult, findings: Iterable[LocatedFinding]) -> LintResult:
    return LintResult(
        name=found.name,
        findings=tuple(findings),
        notes=found.notes,
        internal_errors=tuple(f"{crash.rule}: {crash.error}" for crash in found.crashes),
    )


def _finding(found: model.Finding, place: LineRange = _NO_PLACE) -> LocatedFinding:
    return LocatedFinding(
        rule=found.rule,
        severity=found.severity or Severity.INFO,
        message=found.message,
        help=found.help,
        url=found.url,
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        field=field_path(found.where.path),
        object=found.object,
        counterexample=found.counterexample,
    )


def _verdict(found: Evaluation) -> CheckVerdict:
    answer = found.answer
    return CheckVerdict(
        declaration=found.object,
        field=field_path(answer.evaluator.path),
        check=answer.evaluator.title,
        objects=tuple(found.objects),
        status=answer.verdict.status,
        reason=answer.verdict.reason,
        message=answer.verdict.message,
        error=answer.verdict.error,
        expressions=tuple(
            ExpressionResult(
                role=given.expression.role,
                field=field_path(given.expression.path),
                value=given.outcome.value,
                error=given.outcome.error,
                refusal=given.refusal,
            )
            for given in answer.expressions
        ),
    )
