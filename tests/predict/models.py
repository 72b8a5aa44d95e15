"""Models of checks from texts, for the tests of this directory."""

from __future__ import annotations

from collections.abc import Sequence

from celvet import schemas
from celvet.lint.cel import compile_expression
from celvet.lint.checks import Check, Expression
from celvet.lint.crds.schema import CrdSchema, by_kind, of_definition
from celvet.lint.model import GroupKind
from celvet.lint.predict import CheckModel, check_model
from tests.crds.definitions import Schema, definition, fields

EXAMPLE = GroupKind("example.com", "Example")


def maybe(
    texts: dict[str, str], kind: GroupKind = EXAMPLE, statuses: Sequence[Schema] = ()
) -> CheckModel | None:
    """The model of these expressions, by role; a gate sees `dep` if it uses it.

    `statuses` is what the CRD says of the status, in each version.
    """
    gate = "flux-ready" if "dep." in texts.get("readyExpr", "") else "resourceset-ready"
    dialect = schemas.load().dialects[gate if "readyExpr" in texts else "flux-health"]
    expressions = tuple(
        Expression((role,), role, compile_expression(text, dialect)) for role, text in texts.items()
    )
    objects = (f"{kind.group}/v1" if kind.group else "v1", kind.kind)
    check = Check((), texts, "", objects, dialect, expressions)
    return check_model(check, _schema(kind, statuses), schemas.kind_facts(kind.group, kind.kind))


def _schema(kind: GroupKind, statuses: Sequence[Schema]) -> CrdSchema | None:
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    roots = [fields(spec=anything, status=status) for status in statuses]
    known = (of_definition(definition(root, kind.group, kind.kind)) for root in roots)
    return by_kind(each for each in known if each).get(kind)


def made(
    texts: dict[str, str], kind: GroupKind = EXAMPLE, statuses: Sequence[Schema] = ()
) -> CheckModel:
    """The same if there must be one."""
    found = maybe(texts, kind, statuses)
    assert found is not None, texts
    return found
