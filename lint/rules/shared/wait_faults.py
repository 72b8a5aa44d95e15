"""What is wrong with a `kubectl wait`, as far as the test and the catalogue tell."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from celvet.lint.controllers.flux_operator.reference import guessed_plural
from celvet.lint.jsonpath import JSONPathError, PathTemplate
from celvet.lint.jsonpath.hints.analysis import field_steps
from celvet.lint.jsonpath.hints.mistakes import misreadings
from celvet.lint.model import GroupKind
from celvet.lint.predict import status_fields
from celvet.lint.similar import closest_name
from celvet.lint.values import list_at, text_at
from celvet.lint.waiters.kubectl_line import kubectl_line
from celvet.lint.waiters.kubectl_wait import ConditionWait, ForError, PathWait, parse_test
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import KindFacts, kind_facts
from celvet.schemas.kind_files import built_in_kinds, short_names
from celvet.schemas.known_kinds import known_kinds

_OF_CONDITION = regex(r"\{\.status\.conditions\[\?\(@\.type ?== ?['\"](\w+)['\"]\)\]\.status\}")
_STATUSES = ("True", "False", "Unknown")
_ANY_TIME = datetime.fromtimestamp(0, UTC)
_ENDS = "kubectl waits until its timeout"


@record
class WaitFault:
    """What kubectl does with a test, and what to write; `refused` if it does not even begin."""

    message: str
    help: str
    refused: bool = False


def wait_fault(test: str, resource: str, text: str) -> WaitFault | None:
    """The fault of a test behind `--for`, in a text that may mention the group of the resource."""
    try:
        parsed_test = parse_test(test)
    except ForError as error:
        help_ = "Try it with `celvet jsonpath --wait`."
        if not test.startswith("jsonpath"):
            help_ = "Write `condition=NAME`, `jsonpath={.PATH}=VALUE`, `create` or `delete`."
        cause = error.__cause__
        reason = cause.message if isinstance(cause, JSONPathError) else str(error)
        return WaitFault(f"kubectl refuses the test: {reason}", help_, refused=True)
    if isinstance(parsed_test, PathWait):
        for misreading in misreadings(parsed_test.template):
            hint = "put the whole test in single quotes, which a shell leaves as they are"
            if misreading.cause != "bare-word" or '"' in test or "'" in test:
                hint = misreading.hint
            return WaitFault(misreading.message, f"{hint[0].upper()}{hint[1:]}.")
    # The test is well formed: whether it is ever met depends on the kind.
    kind = _kind(resource, text)
    if parsed_test is None or kind is None:
        return None
    facts = kind_facts(kind.group, kind.kind)
    reason = never_reason(parsed_test, kind, facts)
    return WaitFault(f"{reason}: {_ENDS}", _proposal(facts)) if reason else None


def _kind(resource: str, text: str) -> GroupKind | None:
    """The kind that kubectl most likely finds by a name; its own come first."""
    name, _, group = resource.lower().partition(".")
    if not name:
        return None
    if name in (names := short_names()):
        return GroupKind(*names[name])
    own_kinds, others = (
        [kind for kind in (GroupKind(*pair) for pair in kinds) if _is_named(kind, name, group)]
        for kinds in (built_in_kinds(), known_kinds())
    )
    # Without a group, a name of several words is most likely that of no other group.
    if not own_kinds and not group:
        is_certain = len(others) == 1 and (
            sum(map(str.isupper, others[0].kind)) > 1 or others[0].group in text
        )
        others = others if is_certain else []
    return next(iter((*own_kinds, *others)), None)


def _is_named(kind: GroupKind, name: str, group: str) -> bool:
    """Whether kubectl finds a kind by a name; a version may stand before the group."""
    is_of_group = not group or (kind.group and f".{group}".endswith(f".{kind.group}"))
    return bool(is_of_group) and name in (kind.kind.lower(), guessed_plural(kind.kind))


def never_reason(test: ConditionWait | PathWait, kind: GroupKind, facts: KindFacts | None) -> str:
    """Why a test is never met on any object of a kind; empty if it may be."""
    if isinstance(test, ConditionWait):
        return _of_condition(test.name, test.status, kind, facts) if facts else ""
    source = test.template.source
    if facts and (match := _OF_CONDITION.fullmatch(source)):
        return _of_condition(match[1], test.value, kind, facts)
    path = source.removeprefix("{.").removesuffix("}")
    return field_reason(test.template, kind) or (
        phase_reason(path, test.value, facts) if facts else ""
    )


def _of_condition(name: str, status: str, kind: GroupKind, facts: KindFacts) -> str:
    if status.title() not in {*_STATUSES, *facts.own_statuses, ""}:
        return f"the status of a condition is `True`, `False` or `Unknown`, never `{status}`"
    if "conditions" not in facts.content and "nestedConditions" not in facts.content:
        return ""
    names = {*facts.conditions, *_written(facts)}
    if name.casefold() in {other.casefold() for other in names}:
        return ""
    near = closest_name(name, names)
    return f"a `{kind.kind}` has no condition `{name}`" + (f", but `{near}`" if near else "")


def _written(facts: KindFacts) -> Iterator[str]:
    """The types of the conditions in the states of a life."""
    for state in facts.life:
        for condition in list_at(dict(state.object), ("status", "conditions")):
            yield text_at(condition, ("type",))


def field_reason(template: PathTemplate, kind: GroupKind) -> str:
    """The field that a kind of Kubernetes has not in its status."""
    names = status_fields(kind.group, kind.kind)
    for step in field_steps(template.groups) if names else ():
        if step.path[0] == "status" and len(step.path) == 2 and step.path[1] not in names:
            return f"a `{kind.kind}` has no `status.{step.path[1]}`"
    return ""


def phase_reason(path: str, value: str, facts: KindFacts) -> str:
    """The value that a field of a closed set never has."""
    for phase in facts.phases:
        is_closed = path == phase.path and value and not phase.open
        if is_closed and value not in phase.values and value not in phase.former:
            near = phase.never.get(value, "") or closest_name(value, phase.values)
            instead = f", but `{near}`" if near else ""
            return f"`{phase.path}` of a `{facts.kind}` is never `{value}`{instead}"
    return ""


def _proposal(facts: KindFacts | None) -> str:
    line = kubectl_line(facts, _ANY_TIME) if facts else None
    if line is None:
        return "Wait for what the kind has; `celvet wait` knows when one is ready."
    return f"`--for={line.text}` is met when one is ready."
