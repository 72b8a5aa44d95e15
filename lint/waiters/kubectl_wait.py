"""`kubectl wait --for=...`: conditions and JSONPaths.

Mirrors `pkg/cmd/wait` of `k8s.io/kubectl` (v0.36.3).
"""

from __future__ import annotations

from datetime import datetime

from celvet.lint.go.quoting import quote
from celvet.lint.jsonpath import EvaluationError, JSONPathError, PathTemplate, go_text, parse
from celvet.lint.jsonpath.compiled import wrap
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import FieldTypeError, integer_or, list_field
from celvet.lint.waiters.waiter import Waiter, WaiterJudgement
from celvet.record import record

NAME = "kubectl-wait"
_MIRRORS = "kubectl v0.36.3"
_FORMAT = (
    "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3"
    " or --for=jsonpath='{.status.readyReplicas}'"
)
_NO_VALUE = (
    "jsonpath wait has to have a value after equal sign,"
    " like --for=jsonpath='{.status.readyReplicas}'=3"
)

_ABSENT = WaiterJudgement(status="not met", effect="fails", error="Error from server (NotFound)")
"""The finder of the objects ends before any test of them; only `create` waits (`wait.go`)."""


class ForError(ValueError):
    """kubectl refuses the text behind `--for`; the message is its own."""


def parse_for(text: str) -> Waiter:
    """The waiter of a text behind `--for`; raises `ForError` where kubectl refuses it."""
    test = parse_test(text)
    if test is None:
        raise ForError(f"`--for={text}` waits for no state of an object")
    return Waiter(name=NAME, mirrors=_MIRRORS, judge=test.judge, absent=_ABSENT)


def parse_test(text: str) -> ConditionWait | PathWait | None:
    """What kubectl tests, None for `create` and `delete`; raises `ForError` as it refuses."""
    form, sign, rest = text.partition("=")
    if sign and form == "condition":
        name, sign, status = rest.partition("=")
        return ConditionWait(name, status if sign else "true")
    if sign and form == "jsonpath":
        return _path(rest)
    if text.lower() in ("create", "delete"):
        return None
    raise ForError(f"unrecognized condition: {quote(text)}")


@record
class ConditionWait:
    """`ConditionalWait`: the first condition of the type decides, whatever the case of both."""

    name: str
    status: str

    def judge(self, obj: Value, _: datetime) -> WaiterJudgement:
        """What the wait makes of an object."""
        try:
            is_met = self._is_met(obj)
        except FieldTypeError as error:
            return _error(str(error))
        return _judgement(is_met)

    def _is_met(self, obj: Value) -> bool:
        for condition in list_field(obj, "status", "conditions") or ():
            if not isinstance(condition, dict):
                continue
            name, status = condition.get("type"), condition.get("status")
            if not isinstance(name, str) or name.casefold() != self.name.casefold():
                continue
            if isinstance(status, str):
                is_same = status.casefold() == self.status.casefold()
                return is_same and not _is_outdated(obj, condition)
        return False


def _is_outdated(obj: Value, condition: Value) -> bool:
    """Whether the condition, or else the status, is about an older generation."""
    absent = -(2**63)
    generation = integer_or(absent, obj, "metadata", "generation")
    observed_generation = integer_or(absent, condition, "observedGeneration")
    if observed_generation == absent:
        observed_generation = integer_or(absent, obj, "status", "observedGeneration")
    return absent not in (generation, observed_generation) and observed_generation < generation


@record
class PathWait:
    """`JSONPathWait`: one value, compared as text; without `value` any value is enough."""

    template: PathTemplate
    value: str

    def judge(self, obj: Value, _: datetime) -> WaiterJudgement:
        """What the wait makes of an object."""
        try:
            results = self.template.find(obj, True)
        except (EvaluationError, JSONPathError) as error:
            return _error(str(error))
        if not results or not results[0]:
            return _judgement(False)
        count = "list" if len(results) > 1 else "value" if len(results[0]) > 1 else ""
        if count:
            return _error(f"given jsonpath expression matches more than one {count}")
        return self._compare(results[0][0])

    def _compare(self, value: Value) -> WaiterJudgement:
        if not self.value:
            return _judgement(True)
        if isinstance(value, dict | list):
            return _error("jsonpath leads to a nested object or list which is not supported")
        return _judgement(go_text(value).strip() == self.value.strip())


def _path(text: str) -> PathWait:
    """The wait of a text behind `jsonpath=` (`processJSONPathInput`, `newJSONPathParser`)."""
    parts = _split(text)
    if len(parts) > 2:
        raise ForError(_FORMAT)
    try:
        expression = wrap(parts[0], "relaxed").text
        value = "".join(parts[1:]).strip("'\"")
        if len(parts) == 2 and not value:
            raise ForError(_NO_VALUE)
        if not expression:
            raise ForError("jsonpath expression cannot be empty")
        return PathWait(parse(expression), value)
    except JSONPathError as error:
        raise ForError(error.wording) from error


def _split(text: str) -> list[str]:
    """The parts between single `=`; `==` does not split (`splitJSONPathInput`)."""
    halves = [part.split("=") for part in text.split("==")]
    parts = halves[0]
    for word, *tail in halves[1:]:
        parts = [*parts[:-1], f"{parts[-1]}=={word}", *tail]
    return parts


def _judgement(is_met: bool) -> WaiterJudgement:
    if is_met:
        return WaiterJudgement(status="met", effect="ready")
    return WaiterJudgement(status="not met", effect="waits")


def _error(text: str) -> WaiterJudgement:
    return WaiterJudgement(status="not met", effect="fails", error=text)
