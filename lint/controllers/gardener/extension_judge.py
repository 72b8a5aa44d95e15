"""The judge of an extension resource: one condition, by the checks registered for it.

A registration is Go code, so that it comes as settings:

    registrations   name of a check -> the condition type that it counts for
    results         name of a check -> what it returns, for a check of one's own
    conditionType   the condition to judge, where several types are registered
    shoot           the Shoot that the extension belongs to
    messages        `documented` for the message of success as documents show it

The name of a check without a result is `Kind/name` or `Kind/namespace/name` of
the object that Gardener's ready-made check looks at. A result has `status`,
`detail`, `threshold` (such as `5m`) and `error`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from celvet.lint.controllers.gardener.aggregation import documented_success
from celvet.lint.controllers.gardener.checks import CheckResult, check_named
from celvet.lint.controllers.gardener.extension import examine
from celvet.lint.controllers.gardener.objects import items
from celvet.lint.controllers.judge import Program, Situation, WithoutCel
from celvet.lint.controllers.unstructured import FieldTypeError, text_or
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.controllers.waiting import duration
from celvet.lint.model import GroupKind, Path, Value


@dataclass(frozen=True, slots=True)
class ExtensionJudge(WithoutCel):
    """Judges the objects of an extension."""

    declaration: Value

    path: Path = ()
    group_kind: GroupKind | None = None
    programs: Sequence[Program] = ()
    statuses: Sequence[str] = ("True", "False", "Progressing", "Unknown")

    @property
    def title(self) -> str:
        """The kind of the extension."""
        return f"health of the {text_or('extension', self.declaration, 'kind')}"

    def applies(self, _: Value) -> bool:
        """To any object: the settings name those that are checked."""
        return True

    def judge(self, situation: Situation) -> Verdict:
        """The condition; its time comes from `previous`, else from the status of the owner."""
        registered = _texts(situation.settings.get("registrations"))
        types = list(dict.fromkeys(registered.values()))
        chosen = situation.settings.get("conditionType") or (types[0] if len(types) == 1 else "")
        if chosen not in types:
            return _undecided(types)
        names = [name for name, kind in registered.items() if kind == chosen]
        results = [self._result(name, situation) for name in names]
        return self._judged(chosen, results, situation)

    def _judged(self, kind: str, results: Sequence[CheckResult], situation: Situation) -> Verdict:
        extension = self.declaration if situation.owner is None else situation.owner
        try:
            extension = _told(extension, kind, situation)
        except FieldTypeError as error:
            return Verdict(status="Unknown", error=str(error))
        shoot = situation.settings.get("shoot")
        verdict = examine(extension, {kind: results}, situation.now, shoot).get(kind)
        if verdict is None:
            message = "not checked, for the extension is being deleted or migrated"
            return situation.previous or Verdict(status="Unknown", message=message)
        if _documented(verdict, situation):
            verdict = replace(verdict, message=documented_success(results))
        return replace(verdict, since=_since(verdict, situation))

    def _result(self, name: str, situation: Situation) -> CheckResult:
        given = situation.settings.get("results")
        own = given.get(name) if isinstance(given, dict) else None
        if isinstance(own, dict):
            return CheckResult(
                status=text_or("", own, "status"),
                detail=text_or("", own, "detail"),
                threshold=duration(text_or("", own, "threshold")),
                error=text_or("", own, "error"),
            )
        kind, _, rest = name.partition("/")
        namespace, slash, bare = rest.rpartition("/")
        namespace = namespace if slash else text_or("", self.declaration, "metadata", "namespace")
        return check_named(kind, namespace, bare, situation.objects)


def _texts(value: Value) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {name: kind for name, kind in pairs if isinstance(kind, str)}


def _undecided(types: Sequence[str]) -> Verdict:
    told = (
        f"`conditionType` chooses none of {', '.join(types)}" if types else "no check is registered"
    )
    return Verdict(status="Unknown", message=told)


def _documented(verdict: Verdict, situation: Situation) -> bool:
    succeeded = verdict.message == "All health checks successful"
    return succeeded and situation.settings.get("messages") == "documented"


def _told(extension: Value, kind: str, situation: Situation) -> Value:
    """The extension with what was said last as its condition; raises `FieldTypeError`."""
    previous = situation.previous
    if previous is None:
        return extension
    since = previous.since or situation.now - situation.waited
    condition = {"type": kind, "status": previous.status, "lastTransitionTime": _stamp(since)}
    others = [item for item in items(extension, "status", "conditions") if _type(item) != kind]
    fields = extension or {}
    status = {**(fields.get("status") or {}), "conditions": [condition, *others]}
    return {**fields, "status": status}


def _type(condition: Value) -> str:
    return text_or("", condition, "type")


def _since(verdict: Verdict, situation: Situation) -> datetime:
    """When the condition got its status."""
    previous = situation.previous
    if previous is None or previous.status != verdict.status:
        return situation.now
    return previous.since or situation.now - situation.waited


def _stamp(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
