"""What a rule looks at: one object of a known kind, its expressions compiled.

A declaration is the same whether it was read from a file or from an
AdmissionReview; where its parts stand is asked of `place`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from celvet.lint.crds.schema import NOTHING, CrdSchema, Schemas
from celvet.lint.model import (
    Change,
    Finding,
    Fix,
    GroupKind,
    ObjectRef,
    Path,
    Related,
    Span,
    Value,
    Where,
)
from celvet.lint.typecheck import Mismatch, in_expression, in_path

if TYPE_CHECKING:
    from celvet.lint.cel import Compiled
    from celvet.lint.jsonpath import CompiledPath
    from celvet.lint.predict import Diagnosis
    from celvet.lint.validation import Inspection, Site, Violation
    from celvet.schemas import Kind

ProgramT = TypeVar("ProgramT", "Compiled", "CompiledPath")


class Place(Protocol):
    """Turns a path in an object into a place in what it was read from."""

    def __call__(self, path: Path, span: Span | None = None, on_key: bool = False) -> Where:
        """The place of the value at `path`, of a span of its text, or of its key."""


@dataclass(frozen=True, slots=True)
class Expression(Generic[ProgramT]):
    """A text at a site and what compiling it gave.

    `subject` is the `apiVersion` and `kind` of the objects that it is about;
    empty texts where these are not told.
    """

    site: Site
    program: ProgramT
    subject: tuple[str, str] = ("", "")


AnyExpression: TypeAlias = "Expression[Compiled] | Expression[CompiledPath]"


@dataclass(frozen=True, slots=True)
class Entry:
    """The CEL expressions that stand side by side in one mapping, by role.

    An element of `healthCheckExprs` is one, an element of `dependsOn` another.
    `value` is the mapping itself.
    """

    path: Path
    value: Mapping[str, Value]
    expressions: Mapping[str, Expression[Compiled]]

    @property
    def group_kind(self) -> GroupKind:
        """The group and kind that the entry names; empty where it names none."""
        texts = (self.value.get(key) for key in ("apiVersion", "kind"))
        return GroupKind.of(*(text if isinstance(text, str) else "" for text in texts))


@dataclass(frozen=True, slots=True)
class Declaration:
    """An object of a known kind with all that the rules need to judge it.

    `partial` marks a patch: what it does not say may be said elsewhere.
    `schemas` knows the kinds that expressions are about, as far as CRDs are given.
    `fixes` tells that fixes which take long to find are asked for.
    """

    object: ObjectRef
    value: Mapping[str, Value]
    kind: Kind
    inspection: Inspection
    cel: tuple[Expression[Compiled], ...]
    paths: tuple[Expression[CompiledPath], ...]
    place: Place
    partial: bool = False
    schemas: Schemas = NOTHING
    fixes: bool = True

    def schema_of(self, api_version: str, kind: str) -> CrdSchema | None:
        """What the CRD of a kind says of its objects; None where it is not known.

        Only the group of `api_version` counts, as it does for the controllers.
        """
        return self.schemas.find(api_version, kind) if kind else None

    def mismatches(self, rule: str) -> Iterator[Finding]:
        """Where expressions and the schema of their objects disagree, for a rule to report."""
        for expression in self.cel:
            compiled = expression.program
            schema = self.schema_of(*expression.subject)
            if schema and compiled.tree and compiled.analysed and not compiled.refusals:
                kind = schema.group_kind.kind
                found = in_expression(compiled.tree, kind, schema.roots, compiled.dialect)
                yield from self._disagreeing(rule, expression, found)
        for path in self.paths:
            if schema := self.schema_of(*path.subject):
                kind = schema.group_kind.kind
                found = in_path(path.program.fields(), kind, schema.roots)
                yield from self._disagreeing(rule, path, found)

    def _disagreeing(
        self, rule: str, expression: Expression[ProgramT], found: list[Mismatch]
    ) -> Iterator[Finding]:
        for each in found:
            if each.rule == rule:
                where = self.at(expression, each.span)
                fix = (
                    Fix(f"Write `{each.instead}`.", (Change(where, each.instead),), each.safe)
                    if each.instead
                    else None
                )
                yield Finding(message=each.message, where=where, help=each.help, fix=fix)

    def programs(self) -> Iterator[Compiled | CompiledPath]:
        """All that was compiled."""
        yield from (each.program for each in self.cel)
        yield from (each.program for each in self.paths)

    def at(self, expression: Expression[ProgramT], span: Span | None = None) -> Where:
        """The place of a span inside an expression's text."""
        return self.place(expression.site.path, span)

    def get(self, *path: str | int) -> Value:
        """The value at a path, None where there is none."""
        value: Value = self.value
        for step in path:
            if isinstance(value, Mapping):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
            else:
                return None
        return value

    def entries(self) -> Iterator[Entry]:
        """The mappings that hold CEL expressions, in document order."""
        found: dict[Path, dict[str, Expression[Compiled]]] = {}
        for expression in self.cel:
            found.setdefault(expression.site.path[:-1], {})[expression.site.role] = expression
        for path, expressions in found.items():
            yield Entry(path, self.get(*path), expressions)

    def fix(self, entry: Entry, found: Diagnosis) -> Fix | None:
        """What takes away a fault of an entry; None if nothing does, or nobody asks."""
        from celvet.lint.predict import remedy_for  # it loads the CEL engine

        remedy = remedy_for(self, entry, found) if self.fixes else None
        if remedy is None:
            return None
        changes = (
            Change(self.at(entry.expressions[each.role], each.span), each.text)
            for each in remedy.rewrites
        )
        return Fix(remedy.title, tuple(changes), remedy.safe)

    def violations(self, rule: str) -> Iterator[Finding]:
        """What the schema objects to, as findings of the rule that reports it."""
        for violation in self.inspection.violations:
            if violation.rule == rule:
                yield Finding(
                    message=violation.message,
                    where=self.place(violation.path, None, violation.on_key),
                    help=violation.help,
                    severity=violation.severity,
                    related=self._related(violation),
                )

    def _related(self, violation: Violation) -> tuple[Related, ...]:
        if violation.related is None:
            return ()
        return (Related("the first one stands here", self.place(violation.related)),)

    def refusals(self, *causes: str) -> Iterator[Finding]:
        """What the controller refuses of the CEL texts, as far as it has one of the causes."""
        for expression in self.cel:
            for refusal in expression.program.refusals:
                if refusal.cause in causes:
                    where = self.at(expression, refusal.span)
                    yield Finding(message=refusal.message, where=where, help=sentence(refusal.hint))


def sentence(hint: str) -> str:
    """A hint of the engines, `write x`, as the help of a finding: `Write x.`."""
    return f"{hint[0].upper()}{hint[1:]}." if hint else ""
