"""The model of a check: expressions that decide together about one kind of objects.

An entry of `healthCheckExprs` is a check, as are an element of `dependsOn`, a
health rule, a probe. The catalogue in `schemas` says where they are; every
command, rule and controller uses this one model.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from celvet.lint.cel import Compiled, compile_expression
from celvet.lint.checks.typed import TypedCopies
from celvet.lint.model import GroupKind, Path, Span, Value
from celvet.lint.values import get, group_kind_of
from celvet.record import field, record
from celvet.schemas import Dialect
from celvet.schemas.dialect import Role

if TYPE_CHECKING:
    from celvet.lint.jsonpath import CompiledPath

ProgramT = TypeVar("ProgramT", Compiled, "CompiledPath")


@record
class Expression(Generic[ProgramT]):
    """A compiled text that a controller evaluates.

    `path` leads to it from the root of the object that declares it. `offset` is where the compiled
    text begins in the written one, which may be wrapped. `objects` is the `apiVersion` and `kind`
    of the objects that it reads; empty strings if nothing names them.
    """

    path: Path
    role: str
    program: ProgramT
    objects: tuple[str, str] = ("", "")
    offset: int = 0

    @property
    def dialect(self) -> Dialect:
        """How the controller reads it."""
        return self.program.dialect

    def written_span(self, span: Span) -> Span:
        """A span of the compiled text as a span of the written one."""
        return Span(span.start + self.offset, span.end + self.offset)


CelExpression: TypeAlias = "Expression[Compiled]"
PathExpression: TypeAlias = "Expression[CompiledPath]"
AnyExpression: TypeAlias = "CelExpression | PathExpression"


class _Part(NamedTuple):
    """An expression of a role, and where its text begins in the text of the role."""

    expression: CelExpression
    start: int


@record(slots=False)
class Check:
    """The expressions in one mapping of an object, which decide together.

    `path` leads to the mapping `value`. `strategy` is the catalogue's word for what the controller
    does with it, empty for a check that only its dialect describes. `objects` is the `apiVersion`
    and `kind` of the objects under check, `dialect` that of its expressions, None if it has no
    expression and the catalogue names none. `expressions` are in the order of the document.
    `copies` turns variables into the copies that expressions see. `switch` is the field of the
    mapping that switches the check on, empty if it is always on. `namespace` is the field that must
    name a namespace, empty if the controller has a default.
    """

    path: Path
    value: Mapping[str, Value]
    strategy: str
    objects: tuple[str, str]
    dialect: Dialect | None
    expressions: tuple[AnyExpression, ...]
    copies: TypedCopies = field(default_factory=TypedCopies)
    switch: str = ""
    namespace: str = ""
    _parts: dict[str, tuple[_Part, ...]] = field(default_factory=dict, compare=False)

    @property
    def on(self) -> bool:
        """Whether the controller evaluates the check; otherwise the object need only exist."""
        return not self.switch or get(self.value, (self.switch,)) is True

    @property
    def group_kind(self) -> GroupKind:
        """The group and kind of the objects under check; empty if nothing names them."""
        return GroupKind.of(*self.objects)

    @property
    def named(self) -> GroupKind:
        """The group and kind in the mapping itself; either may be empty."""
        return group_kind_of(self.value)

    def role(self, name: str) -> Role:
        """How the controller uses a role."""
        return self.dialect.role(name) if self.dialect else Role(name)

    def answering(self, verdict: str) -> str:
        """The first role of the dialect that gives a verdict; empty if none does."""
        roles = self.dialect.roles if self.dialect else ()
        return next((role.name for role in roles if role.answer == verdict), "")

    def of(self, role: str) -> tuple[AnyExpression, ...]:
        """The expressions of a role, in the order of the document."""
        return tuple(expression for expression in self.expressions if expression.role == role)

    def __contains__(self, role: object) -> bool:
        """Whether there is an expression of a role."""
        return any(expression.role == role for expression in self.expressions)

    @cached_property
    def cel(self) -> tuple[CelExpression, ...]:
        """The expressions that are CEL."""
        return tuple(
            expression
            for expression in self.expressions
            if isinstance(expression.program, Compiled)
        )

    @cached_property
    def paths(self) -> tuple[PathExpression, ...]:
        """The expressions that are JSONPath."""
        return tuple(
            expression
            for expression in self.expressions
            if not isinstance(expression.program, Compiled)
        )

    @cached_property
    def programs(self) -> Mapping[str, Compiled]:
        """The CEL expressions by role, in the order in which they are tried.

        Several expressions of one role are one program: their conjunction, or their disjunction if
        the role says `any`. If the controller refuses one of them, that one is the program, unless
        it skips such an expression. Several expressions of a role without an answer are values, and
        form no program.
        """
        by_role = {
            role: several
            for role, several in self._by_role.items()
            if len(several) == 1 or self.role(role).answer
        }
        role_order = [role.name for role in self.dialect.roles] if self.dialect else []
        order = [role for role in role_order if role in by_role]
        order += [role for role in by_role if role not in order]
        return {role: self._join_programs(role, by_role[role]) for role in order}

    @cached_property
    def sequences(self) -> Mapping[str, tuple[Compiled, ...]]:
        """The expressions of each role that has several and an answer, in their order."""
        return {
            role: tuple(expression.program for expression in several)
            for role, several in self._by_role.items()
            if len(several) > 1 and self.role(role).answer
        }

    @cached_property
    def _by_role(self) -> Mapping[str, list[CelExpression]]:
        by_role: dict[str, list[CelExpression]] = {}
        for expression in self.cel:
            by_role.setdefault(expression.role, []).append(expression)
        return by_role

    def constant(self, role: str) -> Value:
        """The value of a program that reads no variable; None for any other."""
        program = self.programs.get(role)
        plain = program and not program.refusals and not program.names and program.tree
        return program.evaluate({}).value if program and plain else None

    def find(self, role: str, span: Span | None = None) -> tuple[CelExpression, Span | None]:
        """The expression that contains a span of a role's program, and the span in it.

        For a span outside all expressions, the first one as a whole.
        """
        parts = self._parts_of(role)
        for expression, start in parts if span else ():
            if span and start <= span.start and span.end <= start + len(expression.program.text):
                return expression, Span(span.start - start, span.end - start)
        return parts[0].expression, None

    def _parts_of(self, role: str) -> tuple[_Part, ...]:
        return self._parts.get(role) or tuple(
            _Part(expression, 0) for expression in self.cel if expression.role == role
        )

    def _join_programs(self, role: str, expressions: list[CelExpression]) -> Compiled:
        useful = [expression for expression in expressions if _may_be_true(expression.program)]
        if self.role(role).skips and useful:
            expressions = useful
            self._parts[role] = tuple(_Part(expression, 0) for expression in expressions)
        first_program = expressions[0].program
        useless_programs = [
            expression.program for expression in expressions if expression not in useful
        ]
        if len(expressions) == 1 or useless_programs:
            return useless_programs[0] if useless_programs else first_program
        operator = " || " if first_program.dialect.role(role).join == "any" else " && "
        text, parts = "", []
        for expression in expressions:
            text += (operator if text else "") + "("
            parts.append(_Part(expression, len(text)))
            # a comment ends with its line
            text += expression.program.text + ("\n)" if "//" in expression.program.text else ")")
        self._parts[role] = tuple(parts)
        return compile_expression(text, first_program.dialect)


def _may_be_true(program: Compiled) -> bool:
    """Whether the controller accepts an expression, whose value may be a boolean."""
    return not program.refusals and program.result_type in ("", "bool", "dyn")
