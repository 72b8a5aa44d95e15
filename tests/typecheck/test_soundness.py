"""A message about a comparison holds on every object that conforms to the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from celvet import schemas
from celvet.lint.cel import compile_expression
from celvet.lint.crds import Structural
from celvet.lint.typecheck import in_expression
from tests.properties import examples
from tests.tables import read_table

_TABLE = read_table(Path(__file__).parent / "cases.yaml")
_SCHEMA = _TABLE["schemas"]["v1"]
_ROOT = Structural(_SCHEMA, "dropped", _SCHEMA, is_object=True)
_DIALECT = schemas.load().dialects["flux-health"]

_LEAVES = {
    "boolean": st.booleans(),
    "integer": st.integers(-3, 3),
    "number": st.sampled_from([0, 1, 1.5]),
    "string": st.sampled_from(["", "a", "ready", "true", "1"]),
}


def _values(node: Structural) -> st.SearchStrategy[Any]:
    """Values that the API server would keep."""
    if node.values:
        return st.sampled_from(node.values)
    if node.type == "array":
        return st.lists(_values(node.items), max_size=2)
    if node.type != "object":
        return _LEAVES.get(node.type, st.sampled_from([1, "a", True, {"x": 1}, []]))
    properties = {name: node.field(name) for name in node.names if name != "metadata"}
    known = {name: _values(child) for name, child in properties.items() if child}
    extra = node.schema.get("additionalProperties")
    if extra:
        return st.dictionaries(st.sampled_from(["a", "x"]), _values(Structural(extra)), max_size=2)
    return st.fixed_dictionaries({}, optional=known)


_OBJECTS = _values(_ROOT)
_READS = st.sampled_from(
    """
    status.phase|status.ready|status.load|status.conditions|status.nothing|status.reason
    status.?phase|status.?nothing|status.?phase.orValue('a')|status.conditions[0]
    status.conditions[0].status|status.names[0]|status.endpoints|status.endpoints.a
    status.nodes.a.healthy|spec.port|spec.anything.x|status.opaque|status.names|status.phase.x
    status.names.x|status['ready']|status.names['x']|status.conditions.map(c, c.type)
    status.conditions.filter(c, true)|has(status.nothing)|has(status.phase.x)|status.phase.size()
    status.ready.size()|status.names.first()|status.conditions[?0]|status.message.startsWith('a')
    status.modes|status.modes[0]|status.levels[kind]|status.levels['a']|'Fast'|'Slow'|['Fast']
    status.phase + 'a'|status.load * 2.0|duration('1s')|(true ? status.phase : 'a')|-status.load
    status.names.startsWith('a')|timestamp(status.message)|metadata.labels|kind|status.?names[?0]
    'a'|'Ready'|1|true|null|[]|{}|['a', 'Ready']|[1, 'a']|1.5|b'a'|optional.of('a')|type(kind)
    """.strip()
    .replace("\n    ", "|")
    .split("|")
)
_OPERATORS = st.sampled_from(["==", "!=", "<", ">=", "in", "+", "-", "*"])
"""Expressions without operators that absorb an error."""


def _claimed(expression: str) -> set[str]:
    """The consequences in the messages about the whole expression."""
    tree = compile_expression(expression, _DIALECT).tree
    assert tree is not None
    found = in_expression(tree, "Database", [_ROOT], _DIALECT, ())
    return {each.message.rpartition(": ")[2] for each in found}


@examples(1500)
@given(_READS, _OPERATORS, _READS, _OBJECTS)
def test_a_claim_holds(left: str, operator: str, right: str, value: dict[str, Any]) -> None:
    expression = f"{left} {operator} {right}"
    claims = _claimed(expression)
    outcome = compile_expression(expression, _DIALECT).evaluate(value) if claims else None
    if outcome is None or outcome.error:
        return
    answers = {"this is always false": False, "this is always true": True}
    agreed = {claim: outcome.value is answers[claim] for claim in claims if claim in answers}
    assert all(agreed.values()), (expression, value)
    # for the controller, a result that is not a boolean is an error
    assert "evaluation fails" not in claims or not isinstance(outcome.value, bool), expression


_EXCLUSIONS = st.builds(
    str.format,
    st.sampled_from(["{0} != '{1}'", "'{1}' != {0}", "!({0} == '{1}')", "!({0} in ['{1}', 'x'])"]),
    st.sampled_from(["status.phase", "status.phase", "status.reason", "status.levels.a"]),
    st.sampled_from(["Ready", "Failed", "Pending", "Fine", "Broken", "Low", "High"]),
)


@examples(500)
@given(st.lists(_EXCLUSIONS, min_size=2, max_size=9), st.lists(_OBJECTS, max_size=5))
def test_a_conjunction_that_is_never_true_is_not(terms: list[str], values: list[Any]) -> None:
    expression = " && ".join(terms)
    if "this is never true" in _claimed(expression):
        program = compile_expression(expression, _DIALECT)
        assert all(program.evaluate(value).value is not True for value in values)
