"""The condition that a rule of a ManifestWork sets (`pkg/work/spoke/conditions/reader.go`).

The limits on the cost of expressions are not mirrored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from celvet.lint.cel import Compiled, compile_expression
from celvet.lint.cel.syntax.tree import ListExpr, MapExpr
from celvet.lint.model import Value
from celvet.lint.values import text_at
from celvet.lint.verdicts.check_evaluator import CheckEvaluator
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.lint.verdicts.wait_result import MISSING
from celvet.record import record, replace
from celvet.schemas import Dialect

_EVALUATED, _FAILED = "ConditionRuleEvaluated", "ConditionRuleExpressionError"
_UNPLANNED = "ConditionRuleInternalError"
_WELL_KNOWN: Mapping[tuple[str, str, str], tuple[str, str]] = {
    ("batch/v1", "Job", "Complete"): (
        "hasConditions(object.status) ? object.status.conditions.filter(c, c.type == 'Complete'"
        " || c.type == 'Failed').exists(c, c.status == 'True') : false",
        "result ? 'Job is finished' : 'Job is not finished'",
    ),
    ("v1", "Pod", "Complete"): (
        "object.status.phase in ['Succeeded', 'Failed']",
        "'Pod is in phase ' + object.status.phase",
    ),
}
"""`rules/rule.go`: the expression and the expression of the message, by kind and condition."""
_GO_TYPES: Mapping[type, str] = {
    bool: "bool",
    int: "int64",
    float: "float64",
    str: "string",
    bytes: "[]uint8",
    list: "[]interface {}",
    dict: "map[string]interface {}",
    type(None): "structpb.NullValue",
}
_OPAQUE_TYPES = {
    "kubernetes.Quantity": "*resource.Quantity",
    "kubernetes.Semver": "semver.Version",
    "kubernetes.URL": "*url.URL",
    "net.CIDR": "netip.Prefix",
    "net.IP": "netip.Addr",
}


@record
class ConditionRule(CheckEvaluator):
    """Evaluates one rule: all expressions must be true, and an error is False."""

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses of a condition; empty where no condition is set."""
        return ("True", "False", "Unknown", "", MISSING.status)

    def _verdict(self, obj: Value, _: ClusterState) -> Verdict:
        rule = self.check.value
        kind, condition = text_at(rule, ("type",)), text_at(rule, ("condition",))
        role = self.dialect.needs
        expressions = [expression for expression in self.check.cel if expression.role == role]
        programs = [expression.program for expression in expressions]
        messages = [expression.program for expression in self.check.cel if expression.role != role]
        if kind == "WellKnownConditions":
            names = (text_at(obj, (key,)) for key in ("apiVersion", "kind"))
            # For a kind without such a rule, the agent sets no condition at all.
            texts = _WELL_KNOWN.get((*names, condition))  # type: ignore[arg-type]
            if texts is None:
                return Verdict(status="")
            programs = [compile_expression(texts[0], self.dialect)]
            messages = messages or [compile_expression(texts[1], _with_result(programs[0]))]
        elif kind != self.dialect.language.upper():
            error = f"unrecognized condition rule type {kind}"
            return Verdict(status="Unknown", reason="ConditionRuleInvalid", message=error)
        if not condition:
            return Verdict(status="")
        verdict = _evaluate(programs, {self.dialect.object: obj})
        if verdict.error:
            return replace(verdict, cause=CauseText(self.check.path))
        variables = {self.dialect.object: obj, "result": verdict.status == "True"}
        words = (_text(program, variables) for program in messages)
        plain = "Manifest is" if verdict.status == "True" else "Manifest is not"
        text = text_at(rule, ("message",)) or f"{plain} {condition}"
        return replace(verdict, message=next(words, "") or text)


def _with_result(program: Compiled) -> Dialect:
    dialect = program.dialect
    variables = {**dialect.variables, "result": "bool"}
    return replace(dialect, name=f"{dialect.name} with result", variables=variables)


def _evaluate(programs: Iterable[Compiled], variables: Mapping[str, Value]) -> Verdict:
    for program in programs:
        outcome = program.evaluate(variables)
        error = outcome.error
        if not error and not isinstance(outcome.value, bool):
            error = f"expected bool result, got {_go_type(program, outcome.value)}"
        if error:
            # What cannot be planned, such as the regular expression of `find`, is no False.
            if any(refusal.stage == "program" for refusal in program.refusals):
                return Verdict(status="Unknown", reason=_UNPLANNED, message=error, error=error)
            return Verdict(status="False", reason=_FAILED, message=error, error=error)
        if outcome.value is False:
            return Verdict(status="False", reason=_EVALUATED)
    return Verdict(status="True", reason=_EVALUATED)


def _text(program: Compiled, variables: Mapping[str, Value]) -> str:
    """The message, or the error in its place."""
    outcome = program.evaluate(variables)
    if outcome.error or isinstance(outcome.value, str):
        return outcome.error or outcome.value
    kind = _go_type(program, outcome.value)
    return f"expected message expression to have a string result, got {kind}"


def _go_type(program: Compiled, value: object) -> str:
    """The Go type of a value; that of a literal is cel-go's own."""
    if value is None and program.result_type.startswith("optional_type("):
        return "<nil>"
    if program.result_type in _OPAQUE_TYPES:
        return _OPAQUE_TYPES[program.result_type]
    if isinstance(program.tree, ListExpr):
        return "[]ref.Val"
    if isinstance(program.tree, MapExpr):
        return "map[ref.Val]ref.Val"
    return _GO_TYPES.get(type(value), type(value).__name__)
