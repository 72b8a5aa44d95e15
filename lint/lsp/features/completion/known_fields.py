"""The known fields of the objects that the expression under the cursor is evaluated on."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from celvet.lint.cel.syntax.tree import Call, ListExpr, Literal, Node, walk
from celvet.lint.engine import Settings
from celvet.lint.healthtest.model import HealthTest
from celvet.lint.lsp.features.completion.cursor import InExpression
from celvet.lint.lsp.features.fields import KnownFields, Steps, steps
from celvet.lint.lsp.state.analysis import Analysis
from celvet.lint.model import GroupKind, Value
from celvet.lint.values import object_ref_of
from celvet.schemas import Dialect

_COMPARING = frozenset({"_==_", "_!=_", "@in"})
_LONGEST = 1_000
"""Longer expressions than anybody writes are not searched for texts."""
_TYPES: Steps = ("status", "conditions", None, "type")
_CUSTOMARY = ("Ready", "Reconciling", "Stalled")
"""Condition types of kstatus and of most controllers."""


def known_fields(
    at: InExpression,
    settings: Settings,
    parts: Iterable[Analysis],
    tests: Iterable[HealthTest],
    quoted: Container[str],
) -> KnownFields:
    """From CRDs, from the fixtures of health tests, and from other expressions of the file.

    The analyses may be of earlier texts: a text that is no longer `quoted` in the file is left out.
    """
    kind = at.context.objects
    wanted = GroupKind.of(*kind)
    schema = settings.crds.find(*kind) if kind[1] else None
    objects = [each for each in _fixtures(tests) if object_ref_of(each).group_kind == wanted]
    return KnownFields.of(schema, objects, _seen(parts, wanted, quoted))


def _fixtures(tests: Iterable[HealthTest]) -> Iterator[Mapping[str, Value]]:
    for test in tests:
        for case in test.cases:
            for step in case.steps:
                every = (*step.objects, step.owner)
                yield from (each for each in every if isinstance(each, Mapping))


def _seen(
    parts: Iterable[Analysis], wanted: GroupKind, quoted: Container[str]
) -> dict[Steps, Sequence[str]]:
    """The texts that expressions about the same kind compare fields with."""
    found: dict[Steps, dict[str, None]] = {}
    for part in parts:
        for checked in part.result.checked:
            for each in checked.cel:
                short = len(each.program.text) <= _LONGEST
                if each.program.tree and short and GroupKind.of(*each.objects) == wanted:
                    for at, text in _compared(each.program.tree, each.program.dialect):
                        if text in quoted:
                            found.setdefault(at, {})[text] = None
    found.setdefault(_TYPES, {}).update(dict.fromkeys(_CUSTOMARY))
    return {at: list(texts) for at, texts in found.items()}


def _compared(root: Node, dialect: Dialect) -> Iterator[tuple[Steps, str]]:
    for node in walk(root):
        if isinstance(node, Call) and node.function in _COMPARING:
            for one, other in (node.args, node.args[::-1]):
                at = steps(one, root, dialect)
                for each in other.elements if isinstance(other, ListExpr) else (other,):
                    text = each.value if isinstance(each, Literal) else None
                    if at and text and isinstance(text, str):
                        yield at, text
