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
from celvet.lint.config import load, load_nearest
from celvet.lint.engine.result import FileResult
from celvet.lint.engine.settings import Settings
from celvet.lint.locate import LineRange
from celvet.lint.model import Counterexample, ObjectRef, Severity, field_path
from celvet.record import record, replace

if TYPE_CHECKING:
    from celvet.lint.healthtest.run.evaluation import Evaluation
    from celvet.lint.report import located as report
    from celvet.lint.suggest.suggestion import Suggestion

_NO_PLACE = LineRange(0, 0, 0, 0)


@record(kw_only=True)
class Edit:
    """A range of a text and what replaces it; lines and columns as those of a finding."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@record(kw_only=True)
class FindingFix:
    """The edits that resolve a finding: `celvet.Fix`; a `safe` one changes no right verdict."""

    title: str
    safe: bool
    edits: tuple[Edit, ...]


@record(kw_only=True)
class ManifestFinding:
    """A mistake, or a piece of advice, about one place in a manifest: `celvet.Finding`.

    `rule` is the id of the rule, `url` the page that explains it, `help` the advice, which may be
    empty. Lines and columns count from 1, columns in code points; the end is exclusive. All four
    are 0 in the result of `lint_object`, which has no text. `field` is the path in the document,
    such as `spec.healthCheckExprs[0].current`, and `object` the object with that field. A finding
    about behaviour has a `counterexample`. `fix` has the edits that resolve it; None if there are
    none, as without a text.
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
    fix: FindingFix | None = None


@record(kw_only=True)
class LintResult:
    """The findings in one text or object, in the order of the text.

    `notes` name CRDs that could not be read. `internal_errors` name rules that crashed: that is a
    bug in celvet, and their findings are missing.
    """

    name: str
    findings: tuple[ManifestFinding, ...]
    notes: tuple[str, ...]
    internal_errors: tuple[str, ...]

    @property
    def worst(self) -> Severity | None:
        """The highest severity among the findings; None if there are none."""
        return max((finding.severity for finding in self.findings), default=None)


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


def lint_text(
    data: str | bytes, name: str = "", *, root: Path | None = None, settings: Settings | None = None
) -> LintResult:
    """Lint a file of manifests, YAML or JSON; messages call it `name`.

    It sees only this text, unless `root` is the directory of the repository in which `name` is a
    file: other files may apply its objects, patch them, and depend on them, and `celvet lint` knows
    that. `lint_paths` lints files as `celvet lint` does. Never raises on any content. Raises
    `CatalogError` if a directory in `settings.schemas` cannot be used.
    """
    from celvet.lint.report.report import file_report

    if root:
        settings = _in_repository(name, root, settings or Settings())
    result = engine.lint_text(data, name, settings)
    return _result(result, map(_located, file_report(result).findings))


def lint_paths(
    paths: Sequence[Path | str], *, root: Path | None = None, settings: Settings | None = None
) -> tuple[LintResult, ...]:
    """Lint the files at and below paths as `celvet lint` does, each with its repository around it.

    `root` is the directory of the repository, by default that of the first file. CRDs in the files
    count for all of them. Files that git ignores are left out, and hidden directories that nothing
    applies. Raises `OSError` for a path that cannot be read, and `CatalogError` as `lint_text`.
    """
    from celvet.lint.cli.archives import archived_files
    from celvet.lint.cli.run.lint_files import LintFile, lint_files
    from celvet.lint.discovery.discover import discover
    from celvet.lint.repository.surroundings import Repository

    places = [Path(path) for path in paths]
    files = list(discover(places, (), Path()))
    archives = archived_files(files, places)
    files = [file for file in files if file not in archives]
    repository = Repository(Path(root).absolute()) if root else None
    run = LintFile(settings or Settings(), "<stdin>", repository=repository)
    report = lint_files(files, run, 1, Severity.INFO)
    # A caller of the library has no standard error on which a skipped file could be named.
    for name, reason in report.unread:
        raise OSError(f"{name}: {reason}")
    findings: dict[str, list[ManifestFinding]] = {file.as_posix(): [] for file in files}
    for finding in report.findings:
        findings[finding.file].append(_located(finding))
    errors: dict[str, list[str]] = {}
    for name, crash in report.crashes:
        errors.setdefault(name, []).append(f"{crash.rule}: {crash.error}")
    return tuple(
        LintResult(
            name=name,
            findings=tuple(findings[name]),
            notes=report.notes,
            internal_errors=tuple(errors.get(name, ())),
        )
        for name in findings
    )


def suggest(kind: str, *, settings: Settings | None = None) -> Suggestion:
    """The health check entry that the catalogue recommends for a kind, with its reasons.

    `kind` is a name such as `Certificate.cert-manager.io`. Raises `UnknownKindError` if nothing is
    known about it.
    """
    from celvet.lint.suggest.kind_names import catalog_kind
    from celvet.lint.suggest.suggest import Suggester
    from celvet.schemas.kind_files import built_in_kinds

    settings = settings or Settings()
    group_kind = catalog_kind(kind, settings.catalog.directories, built_in_kinds())
    return Suggester(settings.catalog, settings.crds).of(group_kind)


def explain(
    data: str | bytes, name: str = "", *, form: str = "markdown", settings: Settings | None = None
) -> str:
    """The verdicts of each check in a text over the life of an object, as `celvet explain` shows.

    `form` is `text`, `markdown` or `html`. Raises `CatalogError` as `lint_text` does.
    """
    from celvet.lint.explain.output import FORMATS
    from celvet.lint.explain.pages import file_pages, pages

    result = engine.lint_text(data, name, replace(settings or Settings(), everything=True))
    return FORMATS.renderer(form)([*file_pages(result), *pages(result)], False)


def lint_object(value: Mapping[str, Any], *, settings: Settings | None = None) -> LintResult:
    """Lint one object that is not in a file, such as that of an AdmissionReview.

    Never raises on any object that JSON can hold. Raises `CatalogError` as `lint_text` does.
    """
    result = engine.lint_object(value, settings)
    return _result(result, map(_finding, result.findings))


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

    values = [objects] if isinstance(objects, Mapping) else objects
    states = [{key: obj[key] for key in obj if isinstance(key, str)} for obj in values]
    cluster = ClusterState(objects=states, now=now or datetime.now(UTC), owner=owner)
    manifest = Manifest("", "", (Document(1, 0, 0, value=declaration),))
    catalog = (settings or Settings()).catalog
    return tuple(map(_verdict, evaluations(manifest, cluster, catalog)))


def load_settings(path: Path | None = None) -> Settings:
    """The settings of a configuration file, by default the nearest above the working directory.

    Without a file, these are the defaults. Raises `ConfigError` if the file is wrong,
    `CatalogError` if a schema directory that it names cannot be used.
    """
    config = load(path) if path else load_nearest(Path.cwd())
    schemas.load(config.schemas)
    crds = config.schema_sources()
    targets = tuple(config.targets.items())
    return Settings(
        config.schemas,
        config.rules,
        config.substitute,
        crds=crds,
        targets=targets,
        files=config.files,
    )


def _result(result: FileResult, findings: Iterable[ManifestFinding]) -> LintResult:
    return LintResult(
        name=result.name,
        findings=tuple(findings),
        notes=result.notes,
        internal_errors=tuple(f"{crash.rule}: {crash.error}" for crash in result.crashes),
    )


def _in_repository(name: str, root: Path, settings: Settings) -> Settings:
    """The settings for a file of a repository, whose other files rules may ask about."""
    from celvet.lint.repository.questions import InputProviders
    from celvet.lint.repository.surroundings import Repository

    surroundings = Repository(root.absolute()).surroundings_of(name)
    providers = surroundings.ask(InputProviders())
    return replace(settings, surroundings=surroundings, providers=providers)


def _located(located: report.LocatedFinding) -> ManifestFinding:
    """A finding of a text, with the edits that resolve it."""
    edits = tuple(
        Edit(
            line=place.line,
            column=place.column,
            end_line=place.end_line,
            end_column=place.end_column,
            text=text,
        )
        for place, text in (located.fix.replacements if located.fix else ())
    )
    fix = located.fix
    if fix is None:
        return _finding(located.finding, located.place)
    own_fix = FindingFix(title=fix.title, safe=fix.safe, edits=edits)
    return replace(_finding(located.finding, located.place), fix=own_fix)


def _finding(finding: model.Finding, place: LineRange = _NO_PLACE) -> ManifestFinding:
    return ManifestFinding(
        rule=finding.rule,
        severity=finding.severity or Severity.INFO,
        message=finding.message,
        help=finding.help,
        url=finding.url,
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        field=field_path(finding.where.path),
        object=finding.object,
        counterexample=finding.counterexample,
    )


def _verdict(evaluation: Evaluation) -> CheckVerdict:
    answer = evaluation.answer
    return CheckVerdict(
        declaration=evaluation.object,
        field=field_path(answer.evaluator.path),
        check=answer.evaluator.title,
        objects=tuple(evaluation.objects),
        status=answer.verdict.status,
        reason=answer.verdict.reason,
        message=answer.verdict.message,
        error=answer.verdict.error,
        expressions=tuple(
            ExpressionResult(
                role=result.expression.role,
                field=field_path(result.expression.path),
                value=result.outcome.value,
                error=result.outcome.error,
                refusal=result.refusal,
            )
            for result in answer.expressions
        ),
    )
