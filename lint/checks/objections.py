"""The objections of the schema, the controller and a CRD, as findings of their rules."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import partial
from typing import TYPE_CHECKING

from celvet.lint.cel import Compiled, Refusal
from celvet.lint.checks.advice import sentence
from celvet.lint.checks.check import AnyExpression
from celvet.lint.checks.checked_object import CheckedObject
from celvet.lint.checks.releases import works_in
from celvet.lint.crds.schema import CrdSchema
from celvet.lint.model import Change, Finding, Fix, Path, Related

if TYPE_CHECKING:
    from celvet.lint.typecheck import TypeMismatch
    from celvet.lint.validation import Violation


def violations(
    checked: CheckedObject, rule: str, excepted: Container[Path] = ()
) -> Iterator[Finding]:
    """The violations of the schema, as findings of the rule that reports them.

    Those at the `excepted` paths are left out.
    """
    for violation in checked.validation.violations:
        if violation.rule == rule and violation.path not in excepted:
            yield Finding(
                message=violation.message,
                where=checked.place(violation.path, None, violation.on_key),
                help=violation.help,
                severity=violation.severity,
                related=_related(checked, violation),
            )


def _related(checked: CheckedObject, violation: Violation) -> tuple[Related, ...]:
    if violation.repeated_entry is None:
        return ()
    return (Related("the first one is here", checked.place(violation.repeated_entry)),)


def refusals(checked: CheckedObject, *causes: str) -> Iterator[Finding]:
    """The CEL expressions that the controller refuses for one of the causes."""
    for expression in checked.cel:
        for refusal in expression.program.refusals:
            if refusal.cause in causes:
                works = works_in(expression.program, partial(_refuses, refusal))
                yield Finding(
                    message=f"{refusal.reason}, so {expression.dialect.refused}",
                    where=checked.at(expression, refusal.span),
                    help=f"{sentence(refusal.hint)} {works}".strip(),
                )


def mismatches(checked: CheckedObject, *rules: str) -> Iterator[Finding]:
    """The conflicts of expressions with the schema of their objects, for rules to report."""
    for expression in checked.expressions:
        if schema := checked.schema_of(*expression.objects):
            for mismatch in _mismatches(checked, expression, schema):
                if mismatch.rule in rules:
                    yield _disagreeing(checked, expression, mismatch)


def _mismatches(
    checked: CheckedObject, expression: AnyExpression, schema: CrdSchema
) -> list[TypeMismatch]:
    from celvet.lint.typecheck import in_expression, in_path  # most kinds come without a CRD

    program, kind = expression.program, schema.group_kind
    if not isinstance(program, Compiled):
        return in_path(program.fields(), kind.kind, schema.roots)
    if program.tree is None or not program.analysed or program.refusals:
        return []
    dialect = program.dialect
    # The owner has the same kind if objects depend on others of their kind.
    owner = {dialect.owner} if checked.object.group_kind == kind else set()
    names = {dialect.object} | owner
    return in_expression(program.tree, kind.kind, schema.roots, dialect, names)


def _disagreeing(
    checked: CheckedObject, expression: AnyExpression, mismatch: TypeMismatch
) -> Finding:
    where = checked.at(expression, mismatch.span)
    fix = (
        Fix(f"Write `{mismatch.instead}`.", (Change(where, mismatch.instead),), mismatch.safe)
        if mismatch.instead
        else None
    )
    return Finding(message=mismatch.message, where=where, help=mismatch.help, fix=fix)


def _refuses(refusal: Refusal, program: Compiled) -> bool:
    """Whether a release refuses a part of an expression, for any reason."""
    return any(
        other_refusal.span.start <= refusal.span.start <= other_refusal.span.end
        for other_refusal in program.refusals
    )
