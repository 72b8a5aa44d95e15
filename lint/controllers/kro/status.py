"""The status of an instance: fields with expressions, and conditions.

Mirrors `inferStatusSchema`, `buildConditions` and `buildInstanceNode` of kro (0302e659,
`pkg/graph/{builder,conditions}.go`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.controllers.kro.compiler import Compiler, is_omitting, only_expression, result_of
from celvet.lint.controllers.kro.conditions import RUNTIME, ConditionTypes, condition_text
from celvet.lint.controllers.kro.graph import Term
from celvet.lint.controllers.kro.templates import parts
from celvet.lint.model import Path, Span, Value
from celvet.lint.values import mapping_at, parts_in
from celvet.record import replace


def status_terms(status: Value, at: Path, compiler: Compiler) -> Iterator[Term]:
    """The expressions of the fields of a status; all is compiled while they are read."""
    fields = {key: part for key, part in mapping_at(status).items() if key != "conditions"}
    for part in parts(fields, None):
        path = (*at, *part.path)
        if part.refusal:
            compiler.refuse(path, part.refusal)
            continue
        offset = part.offset if part.whole else None
        term = compiler.term(part.text, path, compiler.variables, offset)
        if is_omitting(term):
            compiler.refuse(path, "`omit()` is only for the fields of a template")
        elif not term.names and not term.program.refusals:
            compiler.refuse(path, "a field of the status must read a resource or `schema`")
        yield replace(term, part=part)
    _check_fields(fields, at, compiler)
    conditions = mapping_at(status).get("conditions")
    # Older releases had a mapping there; which one a cluster has is not known.
    if conditions is not None and not isinstance(conditions, list):
        words = "`conditions` is a list of conditions in kro after v0.9.3"
        compiler.refuse((*at, "conditions"), words, by_schema=True)
        return
    types = ConditionTypes()
    for index, text in enumerate(conditions or ()):
        _check_condition(text, (*at, "conditions", index), compiler, types)


def _check_fields(value: Value, path: Path, compiler: Compiler) -> None:
    """Every field of the status needs an expression."""
    for place, part in parts_in(value, path):
        is_expression = isinstance(part, str) and [*parts(part, None)]
        if not (isinstance(part, Mapping | list) or is_expression):
            compiler.refuse(place, "a field of the status needs an expression")


def _check_condition(text: Value, path: Path, compiler: Compiler, types: ConditionTypes) -> None:
    if not isinstance(text, str):
        compiler.refuse(path, "a condition is a text with an expression")
        return
    span = only_expression(text)
    if span is None:
        compiler.standalone(text, path, compiler.variables)
        return
    inner = text[span.start : span.end]
    for message, part in types.problems(inner):
        compiler.refuse(path, message, Span(part.start + span.start, part.end + span.start))
        return
    condition, place = condition_text(inner)
    variables = {**compiler.variables, RUNTIME: "dyn"}
    term = compiler.term(condition, path, variables, span.start, place)
    kind = result_of(term)
    if kind not in ("", "dyn", "list(dyn)"):
        words = f"a condition is made by `runtime.newCondition`, not of type `{kind}`"
        compiler.refuse(path, words)
