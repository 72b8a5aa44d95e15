"""The evaluators of probes: `progressionProbes` of OLM v1, `availabilityProbes` of the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from celvet.lint.cel import Compiled
from celvet.lint.checks import AnyExpression, CelExpression, Check, CheckedObject, PathExpression
from celvet.lint.controllers.boxcutter import probing
from celvet.lint.controllers.boxcutter.probing import HOLDS, ProbeResult
from celvet.lint.jsonpath import CompiledPath
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.resourceset.errors import InputSetError
from celvet.lint.resourceset.inputs import check_selector, selects
from celvet.lint.values import list_at, mapping_at, text_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator
from celvet.lint.verdicts.examples import FRESH, Example, example, with_conditions, with_value
from celvet.lint.verdicts.flux_cel import top_level
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record

GROUPS = frozenset(
    {"olm.operatorframework.io", "package-operator.run", "manifests.package-operator.run"}
)
"""The API groups of the declarations."""

_PROGRESSION, _AVAILABILITY = "progression-probe", "availability-probe"
_STATUSES = ("True", "False", "Unknown")
_SEPARATOR = " and "
"""What operator-controller puts between the messages (`clusterobjectset_controller.go`)."""


@record
class Probe:
    """An element of the list of probes: a selector, and what holds for the objects it selects.

    With `generation_first` a stale status counts before the selector is asked, as in OLM.
    """

    check: Check
    expressions: tuple[AnyExpression, ...]
    generation_first: bool

    @property
    def selector(self) -> Mapping[str, Value]:
        """The selector, of a kind, of labels or of both."""
        return mapping_at(self.check.value, ("selector",))

    @property
    def refusal(self) -> str:
        """Why the controller cannot build the probe; empty if it can."""
        for expression in self.expressions:
            if isinstance(expression.program, Compiled) and expression.program.refusals:
                return expression.program.refusals[0].message
        items = map(mapping_at, list_at(self.check.value, ("probes",)))
        if not all(text_at(item, ("cel", "rule")) for item in items if "cel" in item):
            return "the rule is empty"
        if self.generation_first and (unknown := self._unknown_type):
            return unknown
        try:
            check_selector(dict(self._labels or {}))
        except (InputSetError, TypeError, AttributeError) as error:
            return str(error)
        return ""

    def selects(self, obj: Value) -> bool:
        """Whether the probe is about an object; any other object passes it."""
        kind = self.selector.get("groupKind", self.selector.get("kind"))
        if isinstance(kind, Mapping) and not probing.matches_kind(obj, kind):
            return False
        labels = mapping_at(obj, ("metadata", "labels"))
        return self._labels is None or selects(dict(self._labels), dict(labels))

    def result(self, obj: Value) -> ProbeResult:
        """The result on one object."""
        if not self.generation_first and not self.selects(obj):
            return HOLDS
        if probing.is_outdated(obj):
            return ProbeResult("Unknown", (".status outdated",), self.check.path)
        if not self.selects(obj):
            return HOLDS
        return probing.conjunction(self._assertions(obj))

    def _assertions(self, obj: Value) -> Iterator[ProbeResult]:
        field = "assertions" if self.generation_first else "probes"
        for index, item in enumerate(list_at(self.check.value, (field,))):
            path = (*self.check.path, field, index)
            assertion = mapping_at(item)
            name = next((key for key in _MEMBERS if key in assertion), "")
            mapping = mapping_at(assertion, (name,))
            expressions = [
                expression
                for expression in self.expressions
                if expression.path[:-1] == (*path, name)
            ]
            if name in _CONDITIONS:
                yield probing.condition(obj, mapping, (*path, name))
            elif name and len(expressions) != _EXPRESSIONS[name]:
                yield ProbeResult("False", (_EMPTY.get(name, ""),), path)  # no key has no name
            elif name == "cel":
                rule = cast("CelExpression", expressions[0])
                yield probing.cel_rule(
                    obj, rule, rule.dialect.object, text_at(mapping, ("message",))
                )
            elif name == "fieldValue":
                expression = cast("PathExpression", expressions[0])
                yield probing.field_value(obj, expression, text_at(mapping, ("value",)))
            elif name:
                first, second = cast("list[PathExpression]", expressions)
                if first.path[-1] == "fieldB":
                    first, second = second, first
                yield probing.fields_equal(obj, first, second)

    @property
    def _unknown_type(self) -> str:
        """Why `buildProgressionProbes` refuses the probe, empty if it does not."""
        selector_type = text_at(self.selector, ("type",))
        if selector_type not in ("GroupKind", "Label"):
            return f"unknown progressionProbe selector type: {selector_type}"
        for item in list_at(self.check.value, ("assertions",)):
            assertion_type = text_at(item, ("type",))
            if assertion_type not in ("ConditionEqual", "FieldsEqual", "FieldValue"):
                return f"unknown progressionProbe assertion probe type: {assertion_type}"
        return ""

    @property
    def _labels(self) -> Mapping[str, Value] | None:
        labels = self.selector.get("label", self.selector.get("selector"))
        return labels if isinstance(labels, Mapping) else None


_CONDITIONS = ("condition", "conditionEqual")
_EXPRESSIONS = {"fieldsEqual": 2, "fieldValue": 1, "cel": 1}
_EMPTY = {"fieldsEqual": '"" missing', "fieldValue": 'missing key: ""'}
_MEMBERS = ("fieldsEqual", "fieldValue", *_CONDITIONS, "cel")
"""The kinds of assertion, in the order in which Package Operator asks for them."""


@record
class Probes(BaseEvaluator):
    """Evaluates all probes of an object, or only the one at `path`."""

    path: Path
    title: str
    group_kind: GroupKind | None
    probes: tuple[Probe, ...]

    statuses: Sequence[str] = _STATUSES

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The paths and rules."""
        return tuple(expression for probe in self.probes for expression in probe.expressions)

    def applies(self, obj: Value) -> bool:
        """Whether one of the probes is about the object."""
        return any(probe.selects(obj) for probe in self.probes)

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The object, under the name that rules have for it."""
        obj = top_level(cluster.covered(self.applies)[0])
        names = {expression.dialect.object for expression in self.expressions}
        return {name: obj for name in names if name}

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The worst result of all objects, with its messages."""
        for probe in self.probes:
            if refusal := probe.refusal:
                cause = CauseText(probe.check.path)
                return Verdict(status="Unknown", message=refusal, error=refusal, cause=cause)
        result = probing.conjunction(
            probe.result(obj) for obj in cluster.objects for probe in self.probes
        )
        if result.status == "True":
            return Verdict(status="True")
        return Verdict(
            status=result.status,
            message=_SEPARATOR.join(result.messages),
            error=result.error,
            cause=CauseText(result.path),
        )

    def examples(self, _: Value) -> Iterator[Example]:
        """An object of the kind, just created and as the probes want it."""
        probe = self.probes[0]
        kind = self.group_kind or GroupKind("example.com", "Example")
        fresh = example(f"{kind.group}/v1" if kind.group else "v1", kind.kind)
        labels = mapping_at(probe.selector, ("label",)) or mapping_at(probe.selector, ("selector",))
        if match_labels := mapping_at(labels, ("matchLabels",)):
            fresh["metadata"] = {**fresh["metadata"], "labels": dict(match_labels)}
        yield Example(f"an object {FRESH}", (fresh,))
        value = _wanted(probe, fresh)
        if value is not None:
            yield Example("an object as the probe wants it", (value,))


def _wanted(probe: Probe, obj: Value) -> Value | None:
    """The object with the conditions and values of the probe; None if no such object is known."""
    check = probe.check
    for item in (*list_at(check.value, ("assertions",)), *list_at(check.value, ("probes",))):
        assertion = mapping_at(item)
        for key in _CONDITIONS:
            if name := text_at(assertion, (key, "type")):
                obj = with_conditions(obj, {name: text_at(assertion, (key, "status"))})
    for expression in probe.expressions:
        value = text_at(check.value, (*expression.path[len(check.path) : -1], "value")) or 1
        if isinstance(expression.program, CompiledPath):
            obj = obj and with_value(obj, expression.program, value)
    return obj


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for all probes and one for each."""
    expressions = [*checked.expressions]
    probes = tuple(
        Probe(
            check,
            tuple(item for item in expressions if item.path[: len(check.path)] == check.path),
            generation_first=check.strategy == _PROGRESSION,
        )
        for check in checked.checks
        if check.strategy in (_PROGRESSION, _AVAILABILITY)
    )
    overall_evaluator = (Probes((), "all probes", None, probes),) if probes else ()
    return (*overall_evaluator, *map(_of_one, probes))


def _of_one(probe: Probe) -> Probes:
    kind = probe.check.group_kind
    title = str(kind) if kind.kind else "objects with labels"
    return Probes(probe.check.path, title, kind if kind.kind else None, (probe,))
