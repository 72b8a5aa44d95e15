"""The tools about kinds and their waiters: suggest, forecast, why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from celvet.lint.cli.options.live import LiveSource
from celvet.lint.crds import Schemas, schemas_in
from celvet.lint.crds.lookup import CrdLookup
from celvet.lint.list_item import item as list_item
from celvet.lint.manifest import KubeObject
from celvet.lint.mcp import answers
from celvet.lint.mcp.inputs import Session
from celvet.lint.model import GroupKind, Value
from celvet.lint.safe_text import one_line
from celvet.lint.suggest.kind_names import UnknownKindError, catalog_kind, parse_kind
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.values import group_kind_of
from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.waiters import WAITERS, Waiter
from celvet.lint.waiters.forecast import Forecast, forecast
from celvet.lint.waiters.kubectl_line import kubectl_line
from celvet.lint.waiters.kubectl_wait import ForError, parse_for
from celvet.lint.waiters.report import SENTENCES, wait_command
from celvet.lint.why.inputs.scope import ReadScope
from celvet.lint.why.investigation import investigate
from celvet.lint.why.names import select, title
from celvet.lint.why.report import Root, WaiterReport, WhyReport
from celvet.lint.why.snapshot import Snapshot
from celvet.schemas.kind_files import built_in_kinds
from celvet.wrong_input import WrongInputError

_MOST_REASONS = 4
_MOST_OBJECTS = 20
_MOST_ROOTS = 15
_MOST_TEXT = 400
_KUBECTL = "kubectl-wait"
WAITER_NAMES = (*WAITERS, _KUBECTL)


class Selection(NamedTuple):
    """Names such as `kustomization/apps`, and a namespace; empty for all."""

    names: Sequence[str]
    namespace: str


def suggest(
    session: Session, kind: str, variant: str, text: str, path: str
) -> answers.SuggestAnswer:
    """The entry for a kind; a text or a file has its CRD, or objects of it."""
    objects, crds = _evidence(session, text, path)
    group_kind = _group_kind(session, kind, objects)
    catalog = session.settings.catalog
    try:
        suggestion = Suggester(catalog, crds, variant).of(group_kind, objects.get(group_kind, ()))
    except UnknownKindError as error:
        raise _lack_of_evidence(error) from None
    entry = suggestion.fields
    return answers.SuggestAnswer(
        kind=str(suggestion.kind),
        entry=entry,
        yaml="\n".join(list_item(entry)) if entry else "",
        proved=suggestion.proven,
        basis=suggestion.basis,
        reasons=list(suggestion.reasons[:_MOST_REASONS]),
        questions=list(suggestion.questions),
        variants={
            name: answers.VariantAnswer(entry=choice.entry, why=choice.why)
            for name, choice in suggestion.variants.items()
            if name != suggestion.variant
        },
        life=[
            answers.ExpectedState(state=state.name, verdict=state.verdict)
            for state in suggestion.life
        ],
    )


def forecast_waits(
    session: Session, waiter_name: str, condition: str, text: str, path: str
) -> answers.ForecastAnswer:
    """What a waiter does with rendered objects over their lives."""
    waiter = _waiter(waiter_name, condition)
    now = datetime.now(UTC)
    forecasts = [
        forecast(obj, waiter, now, session.config.schemas) for obj in session.objects(text, path)
    ]
    order = sorted(forecasts, key=lambda item: not item.troubles)
    return answers.ForecastAnswer(
        waiter=f"{waiter.name} ({waiter.mirrors})",
        objects=[_forecast(item, now) for item in order[:_MOST_OBJECTS]],
        more=max(0, len(order) - _MOST_OBJECTS),
    )


def why(session: Session, selection: Selection, text: str, path: str, at: str) -> answers.WhyAnswer:
    """What holds up the objects of a cluster, from what kubectl printed or from the cluster."""
    catalog = session.settings.catalog
    scope = ReadScope(selection.namespace)
    now = timestamp(at.strip()) if at else datetime.now(UTC)
    if now is None:
        raise WrongInputError(f"`at` is `{at:.50}`; write a time such as 2026-11-24T00:30:00Z")
    if text or path:
        snapshot = Snapshot.of(session.objects(text, path))
    elif session.cluster:
        snapshot = LiveSource((), None, None).snapshot(catalog, now, scope)
    else:
        raise WrongInputError(
            "give as `text` or `path` what `kubectl get -A -o yaml` prints of the waiting objects"
            " and of those that they wait for, or start `celvet mcp --cluster`"
        )
    report = select(investigate(snapshot, catalog, now), selection.names, scope.covers)
    waiting = [waiter for waiter in report.waiters if waiter.verdict != "ready"]
    return answers.WhyAnswer(
        at=now.isoformat(timespec="seconds"),
        all_ready=not (report.failed or report.waits),
        roots=[_root(root, index, report) for index, root in enumerate(report.roots)][:_MOST_ROOTS],
        waiting=[_waiting(waiter) for waiter in waiting[:_MOST_OBJECTS]],
        more=max(0, len(waiting) - _MOST_OBJECTS) + max(0, len(report.roots) - _MOST_ROOTS),
        notes=list(report.notes),
    )


_Objects = Mapping[GroupKind, Sequence[Value]]


def _evidence(session: Session, text: str, path: str) -> tuple[_Objects, Schemas]:
    """The objects by kind, CRDs aside, and where the CRDs are."""
    crds = session.settings.crds
    objects: dict[GroupKind, list[Value]] = {}
    if text or path:
        values = session.objects(text, path)
        for value in values:
            defined_kinds = [schema.group_kind for schema in schemas_in(value)]
            for kind in defined_kinds:
                objects.setdefault(kind, [])
            if not defined_kinds:
                objects.setdefault(group_kind_of(value), []).append(value)
        crds = CrdLookup.of([KubeObject.of(value) for value in values], crds)
    return objects, crds


def _group_kind(session: Session, name: str, objects: _Objects) -> GroupKind:
    """The kind of a name, else the only one of the objects; raises `WrongInputError`."""
    if not name:
        if len(objects) == 1:
            return next(iter(objects))
        kinds = ", ".join(map(str, objects)) or "`Certificate.cert-manager.io`"
        raise WrongInputError(f"name the `kind`, such as {kinds}")
    directories = session.settings.catalog.directories
    group_kinds = [*built_in_kinds(), *((kind.group, kind.kind) for kind in objects)]
    try:
        return catalog_kind(name, directories, group_kinds)
    except UnknownKindError as error:
        kind = parse_kind(name)
        if kind and session.settings.crds.find(f"{kind.group}/v1", kind.kind):
            return kind
        raise _lack_of_evidence(error) from None


def _lack_of_evidence(error: UnknownKindError) -> WrongInputError:
    """The error with what an agent can do, in place of options of the command line."""
    problem, has_advice, _ = str(error).partition("; name ")
    if not (has_advice or problem.endswith("?")):
        return WrongInputError(problem)
    advice = "Otherwise give its CRD, or an object with a status, as `text` or `path`"
    return WrongInputError(f"{problem}{'.' if has_advice else ''} {advice}")


def _waiter(name: str, condition: str) -> Waiter:
    if name != _KUBECTL:
        if name not in WAITERS:
            raise WrongInputError(f"`waiter` is one of {', '.join(WAITER_NAMES)}")
        return WAITERS[name]
    try:
        return parse_for(condition or "condition=Ready")
    except ForError as error:
        raise WrongInputError(f"kubectl refuses `--for={condition}`: {error}") from None


def _forecast(item: Forecast, now: datetime) -> answers.ObjectForecast:
    line = kubectl_line(item.facts, now) if item.facts and item.troubles else None
    return answers.ObjectForecast(
        object=title(item.object),
        known=item.is_known,
        states=[
            answers.WaiterAnswer(
                state=state.state.name,
                effect=state.judgement.effect,
                trouble=SENTENCES[state.trouble] if state.trouble else "",
            )
            for state in item.states
        ],
        kubectl=wait_command(item, line) if line else "",
    )


def _root(root: Root, index: int, report: WhyReport) -> answers.RootAnswer:
    return answers.RootAnswer(
        object=title(root.object),
        cause=root.cause,
        message=root.message[:_MOST_TEXT],
        outlook=root.outlook,
        field=root.field,
        expression=root.expression[:_MOST_TEXT],
        observed={path: one_line(str(value), _MOST_TEXT) for path, value in root.observed.items()},
        finding=root.finding,
        place=root.place,
        holds_up=len(report.dependants(index)),
    )


def _waiting(waiter: WaiterReport) -> answers.WaitingAnswer:
    at = f" {waiter.next.at.isoformat(timespec='seconds')}" if waiter.next.at else ""
    return answers.WaitingAnswer(
        object=title(waiter.object),
        verdict=waiter.verdict,
        since=waiter.since.isoformat(timespec="seconds") if waiter.since else "",
        roots=[index for index in waiter.roots if index < _MOST_ROOTS],
        next=f"{waiter.next.event}{at}",
    )
