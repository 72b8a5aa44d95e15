"""What the API conventions do not have: fields and values of conditions and of metadata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.cel import Compiled
from celvet.lint.cel.syntax.tree import Call, Ident, Literal, Macro, Node, Select, walk
from celvet.lint.checks.check import CelExpression, Check
from celvet.lint.checks.checked_object import CheckedObject
from celvet.lint.model import Span
from celvet.lint.safe_text import one_line
from celvet.lint.similar import closest_name
from celvet.record import record, replace
from celvet.schemas import KindFacts

OF_CONDITIONS = (
    "type",
    "status",
    "reason",
    "message",
    "lastTransitionTime",
    "observedGeneration",
    "lastUpdateTime",
    "lastProbeTime",
    "lastHeartbeatTime",
    "severity",
)
"""The fields of `meta/v1.Condition`, and those of older conditions."""
_OF_METADATA = (
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
    "selfLink",
    "clusterName",
)
"""The fields of `meta/v1.ObjectMeta`, and those of older releases."""
_ROOTS = ("spec", "status")
"""Fields of an object; another name before `metadata` is a variable with the object."""
_TELLING = frozenset({"type", "status", "reason"})
_OF_STATUS = ("conditions", "observedGeneration")
_COMPARISONS = ("_==_", "_!=_")
STATUSES = ("True", "False", "Unknown")
_ALIKE = 0.85
_STATUS_ALIKE = 0.9
"""Higher, since two fields of a status may have similar names."""


@record
class Oddity:
    """A part of an expression, what is odd about it, and the intended text, if that is clear.

    `other_places` have the same misspelling, `value` is what a field is compared with. An oddity
    that is `never` equal to the field may make the whole expression never true.
    """

    span: Span
    message: str
    correction: str
    value: str = ""
    of_metadata: bool = False
    never: bool = False
    help: str = "Compare with `True`, `False` or `Unknown`."
    other_places: tuple[Span, ...] = ()


def find_oddities(checked: CheckedObject, entry: Check) -> Iterator[tuple[CelExpression, Oddity]]:
    """The oddities of an entry that neither a CRD nor the catalogue tells of."""
    # A CRD has the fields of the status, and says nothing of those of the metadata.
    in_crd = checked.schema_of(*entry.objects) is not None
    facts = checked.facts_of(entry)
    own_words = _words_of(facts) if facts else ()
    for expression in entry.cel:
        for oddity in expression.program.answer(_oddities):
            if not (
                (in_crd and not oddity.of_metadata) or (oddity.value and oddity.value in own_words)
            ):
                yield expression, oddity


def never_equal(expression: CelExpression) -> tuple[Oddity, ...]:
    """The states of conditions in a wrong case or type that are compared with `==`."""
    return tuple(oddity for oddity in expression.program.answer(_oddities) if oddity.never)


def _words_of(facts: KindFacts) -> set[str]:
    """The types of a kind's conditions, and the statuses that only these have."""
    return {name for types in facts.condition_lists.values() for name in types} | facts.own_statuses


def _oddities(program: Compiled) -> tuple[Oddity, ...]:
    return () if program.tree is None or program.refusals else (*_in_tree(program.tree),)


def _in_tree(tree: Node) -> Iterator[Oddity]:
    nodes = [*walk(tree)]
    yield from _misspelt_lists(nodes)
    for node in nodes:
        if isinstance(node, Macro):
            yield from _in_conditions(node)
        elif isinstance(node, Select) and node.field not in _OF_STATUS and _is_of_status(node):
            suggestion = closest_name(node.field, _OF_STATUS, _STATUS_ALIKE)
            if suggestion == "observedGeneration":
                yield _misspelt(node, suggestion)
        elif isinstance(node, Select) and _is_of_metadata(node):
            if suggestion := closest_name(node.field, _OF_METADATA, _ALIKE):
                yield replace(_misspelt(node, suggestion), of_metadata=True)
            elif isinstance(node.operand, Ident):
                message = f"the metadata of an object has no field `{one_line(node.field)}`"
                help_ = "Read one of its standard fields, or a label or annotation."
                yield Oddity(node.at, message, "", of_metadata=True, help=help_)
        elif isinstance(node, Call) and node.function in (*_COMPARISONS, "@in"):
            yield from _text_comparison(node, *(arg for arg in node.args if _is_list(arg)))


def _misspelt_lists(nodes: Sequence[Node]) -> Iterator[Oddity]:
    """The lists with a name like `conditions`, each once."""
    lists: dict[str, Select] = {}
    for macro in (node for node in nodes if isinstance(node, Macro)):
        list_field = _list_field(macro)
        if list_field and list_field.field != "conditions" and _is_misspelt(macro, list_field):
            lists.setdefault(list_field.field, list_field)
    for list_field in lists.values():
        yield replace(
            _misspelt(list_field, "conditions"), other_places=_other_places(nodes, list_field)
        )


def _is_list(node: Node) -> bool:
    """Whether a node is the list of conditions."""
    return isinstance(node, Select) and node.field == "conditions" and _is_of_status(node)


def _text_comparison(node: Call, *operands: Node) -> Iterator[Oddity]:
    """A condition, or the list of them, that is compared with a text."""
    literal = next((arg for arg in node.args if isinstance(arg, Literal)), None)
    if operands and literal and isinstance(literal.value, str):
        text = one_line(literal.value)
        message = f"a condition is an object by the API conventions, which never equals `{text}`"
        help_ = "Use `exists`, and compare the `type` and `status` of its variable."
        yield Oddity(node.span, message, "", help=help_)


def _is_of_metadata(node: Select) -> bool:
    """Whether a field is read that the metadata of an object cannot have."""
    match node.operand:
        case Ident(name="metadata"):
            return node.field not in _OF_METADATA
        case Select(field="metadata", operand=Ident(name=root)):
            return root not in _ROOTS and node.field not in _OF_METADATA
    return False


def _is_of_status(node: Select) -> bool:
    match node.operand:
        case Select(field="status") | Ident(name="status"):
            return True
    return False


def _list_field(macro: Macro) -> Select | None:
    """The field with the list that a macro of one variable, or a chain of them, goes through."""
    target = macro.target if len(macro.variables) == 1 else None
    while isinstance(target, Macro) and target.name == "filter" and target.target:
        target = target.target
    return target if isinstance(target, Select) else None


def _is_misspelt(macro: Macro, list_field: Select) -> bool:
    """Whether a macro reads the fields of conditions from a list with a similar name."""
    reads_condition = any(field.field in _TELLING for field in _fields_read(macro))
    return reads_condition and closest_name(list_field.field, _OF_STATUS, _ALIKE) == "conditions"


def _other_places(nodes: Sequence[Node], list_field: Select) -> tuple[Span, ...]:
    """The other places where a field of the status has the same name."""
    fields = (node for node in nodes if isinstance(node, Select) and _is_of_status(node))
    return tuple(
        field.at for field in fields if field.field == list_field.field and field is not list_field
    )


def _body(macro: Macro) -> Iterator[Node]:
    return (node for part in macro.args for node in walk(part))


def _fields_read(macro: Macro) -> list[Select]:
    """The fields that a macro reads of its elements."""
    selections = (node for node in _body(macro) if isinstance(node, Select))
    return [selection for selection in selections if _is_of(selection, macro.variables[0])]


def _in_conditions(macro: Macro) -> Iterator[Oddity]:
    list_field = _list_field(macro)
    if list_field is None or list_field.field != "conditions":
        return
    for field in _fields_read(macro):
        suggestion = (
            "" if field.field in OF_CONDITIONS else closest_name(field.field, OF_CONDITIONS)
        )
        if suggestion:
            yield _misspelt(field, suggestion)
    for node in _body(macro):
        yield from _never_equal(node, macro.variables[0])


def _is_of(node: Select, variable: str) -> bool:
    return _is_named(node.operand, variable)


def _is_named(node: Node, variable: str) -> bool:
    return isinstance(node, Ident) and node.name == variable


def _misspelt(node: Select, suggestion: str) -> Oddity:
    message = (
        f"the API conventions have no `{one_line(node.field)}` here: did you mean `{suggestion}`?"
    )
    return Oddity(node.at, message, suggestion)


def _never_equal(node: Node, variable: str) -> Iterator[Oddity]:
    """A comparison of a status or type with a string that it never equals."""
    if not (isinstance(node, Call) and node.function in _COMPARISONS):
        return
    yield from _text_comparison(node, *(arg for arg in node.args if _is_named(arg, variable)))
    # A field of the element on one side, and a literal on the other.
    selections = [arg for arg in node.args if isinstance(arg, Select)]
    field = next((selection.field for selection in selections if _is_of(selection, variable)), "")
    literal = next((arg for arg in node.args if isinstance(arg, Literal)), None)
    if literal is None or not isinstance(literal.value, str | bool) or literal.value == "":
        return
    # A status is a text, so `True` and `true` without quotes are never equal to it either.
    text = one_line(literal.value) if isinstance(literal.value, str) else f"{literal.value}".lower()
    correction = text.title() if text.title() in STATUSES else ""
    if field == "status" and literal.value != correction:
        never = bool(correction) and node.function == "_==_"
        rule = "`status` of a condition is `True`, `False` or `Unknown` by the API conventions"
        correction = f"'{correction}'" if correction else ""
        yield Oddity(literal.span, f"{rule}, not `{text}`", correction, value=text, never=never)
    elif field == "type" and text.isalpha() and text.islower():
        correction = f"'{text.title()}'"
        rule = "`type` of a condition begins with a capital letter by the API conventions"
        yield Oddity(literal.span, f"{rule}, unlike `{text}`", correction, value=text)
