"""What a rule looks at: one object of a known kind, with its checks.

It is the same whether it was read from a file or from an AdmissionReview;
`place` gives the places of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Protocol

from celvet.lint.cel import Compiled, Refusal
from celvet.lint.checks.check import (
    AnyExpression,
    CelExpression,
    Check,
    PathExpression,
)
from celvet.lint.checks.clock import Timing, clock
from celvet.lint.checks.releases import works_in
from celvet.lint.checks.waiting import Waiting, waiting
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
from celvet.lint.repository.surroundings import ALONE, Surroundings
from celvet.lint.values import get
from celvet.record import field, record, replace
from celvet.schemas import KindFacts, kind_facts
from celvet.schemas.kind_files import BUILT_IN_GROUPS, built_in_scope

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource
    from celvet.lint.repository.effective import Effective
    from celvet.lint.typecheck import TypeMismatch
    from celvet.lint.validation import Inspection, Violation
    from celvet.schemas import Kind


class Place(Protocol):
    """Turns a path in an object into a place in what it was read from."""

    def __call__(self, path: Path, span: Span | None = None, on_key: bool = False) -> Where:
        """The place of the value at `path`, of a span of its text, or of its key."""


@record
class CheckedObject:
    """An object with its checks, and what its schema objects to.

    `kind` is None for an object that no schema describes; it has no checks.
    `partial` marks a patch, whose target may have the fields that it lacks.
    `schemas` has the CRDs of the kinds that expressions are about. With `fixes`,
    rules also look for fixes that take long to find. `file` is its file, and `surroundings` the
    files around that one. `directories` are the user's own of
    schemas.
    """

    object: ObjectRef
    value: Mapping[str, Value]
    kind: Kind | None
    inspection: Inspection
    checks: tuple[Check, ...]
    place: Place
    partial: bool = False
    schemas: Schemas = NOTHING
    fixes: bool = True
    file: str = ""
    surroundings: Surroundings = ALONE
    directories: tuple[FilePath, ...] = ()
    _forms: list[Effective] = field(default_factory=list, repr=False, compare=False)

    def forms(self) -> Sequence[Effective]:
        """The forms in which the object gets into the cluster, by what its repository tells.

        There is at least one. They are computed once: several rules ask for each object.
        """
        if not self._forms:
            around = ALONE if self.partial else self.surroundings
            self._forms.extend(around.effective(self.file, dict(self.value)))
        return self._forms

    @property
    def controller(self) -> str:
        """Who works with the object, in the words of a message."""
        return self.kind.controller if self.kind else "the controller"

    def doing(self, strategy: str) -> tuple[Check, ...]:
        """The checks with a strategy."""
        return tuple(check for check in self.checks if check.strategy == strategy)

    def dependencies(self) -> list[Check]:
        """The checks about other objects of its own kind on which it depends."""
        own = (self.object.group_kind, GroupKind("", ""))
        return [each for each in self.doing("dependency") if each.group_kind in own]

    def health(self) -> Iterator[Check]:
        """The checks that give verdicts on the life of objects, of several expressions."""
        for check in self.checks:
            if check.dialect and check.dialect.purpose == "health" and check.programs:
                yield check

    @property
    def waiting(self) -> Waiting:
        """For which objects it has its controller wait, in the first of its forms."""
        return self.waitings[0]

    @property
    def waitings(self) -> list[Waiting]:
        """For which objects its controller waits, in each form; for everything if nobody knows."""
        return [self._waiting(form.resource) for form in self.forms()]

    def looks_at(self, check: Check) -> bool:
        """Whether its controller may use a check of objects, in any form."""
        return any(each.covers(check.named) for each in self.waitings)

    def _waiting(self, resource: Resource) -> Waiting:
        found = waiting(resource.value, self.kind)
        if not all(resource.knows(*path) for path in found.paths):
            return Waiting()
        places = (resource.decided(*path) for path in found.paths)
        place = next((each for each in places if each), None)
        if place is None:
            return found
        return replace(found, reason=f"{found.reason} ({self.surroundings.line(place)})")

    @property
    def clock(self) -> Timing:
        """When its controller looks, gives up and tries again."""
        return clock(self.forms()[0].resource.value, self.kind)

    @property
    def expressions(self) -> Iterator[AnyExpression]:
        """All expressions of all checks."""
        return (each for check in self.checks for each in check.expressions)

    @property
    def cel(self) -> Iterator[CelExpression]:
        """The expressions that are CEL."""
        return (each for check in self.checks for each in check.cel)

    @property
    def paths(self) -> Iterator[PathExpression]:
        """The expressions that are JSONPath."""
        return (each for check in self.checks for each in check.paths)

    def schema_of(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema in the CRD of a kind; None if it is not known.

        Only the group of `api_version` counts, as it does for the controllers.
        """
        return self.schemas.find(api_version, kind) if kind else None

    def facts_of(self, check: Check) -> KindFacts | None:
        """What is known of the kind under a check, in its roles; None if nobody has read it."""
        kind, dialect = check.group_kind, check.dialect
        facts = kind_facts(kind.group, kind.kind, self.directories)
        return facts.in_roles_of(dialect) if facts and dialect else facts

    def scope_of(self, check: Check) -> str:
        """`Namespaced` or `Cluster`, as the objects under a check are; empty if it is not known."""
        facts, named = self.facts_of(check), check.group_kind
        if scope := facts.scope if facts else built_in_scope(named.group, named.kind):
            return scope
        schema = self.schema_of(*check.objects)  # last: it asks for a CRD
        return schema.scope if schema else ""

    def well_judged(self, check: Check) -> str:
        """What makes a kind one that kstatus judges well without an entry; empty for any other."""
        group = check.named.group
        # The core group has the version `v1` only.
        if group in BUILT_IN_GROUPS and (group or check.value.get("apiVersion") == "v1"):
            return "a built-in kind"
        facts = self.facts_of(check)
        return "one of Flux's own kinds" if facts and facts.kstatus == "flux" else ""

    def advice(self, check: Check, role: str, other: str = "", *, doubtful: bool = False) -> str:
        """The recommended expressions for one role or two, as help.

        Empty for a kind that nobody has read. A `doubtful` expression may be what its author means.
        """
        facts = self.facts_of(check)
        if facts is None:
            return ""
        if not facts.entry:
            advice = (
                f"remove the entry: {self.controller} judges a `{facts.kind}` rightly without one"
            )
        elif other:
            advice = f"{_put(facts, role, f'{role}: ')} and {_put(facts, other, f'{other}: ')}"
        elif role in facts.entry or facts.fails:
            advice = _put(facts, role)
        else:
            advice = f"remove `{role}`: the kind has no state of failure"
        return sentence(f"keep it if that is meant, or {advice}" if doubtful else advice)

    def sources(self, check: Check, role: str, state: str, verdict: str) -> tuple[Related, ...]:
        """Notes on a wrong verdict in a state of the kind's life: why, and where that was read."""
        facts = self.facts_of(check)
        if facts is None:
            return ()
        pitfall = facts.pitfall(state, verdict)
        notes = [pitfall.says] if pitfall and pitfall.says else []
        notes += [
            f"{each.repository} {each.release}, {each.path}: {each.says}"
            for each in facts.sources(state)
        ]
        where = self.at_role(check, role)
        return tuple(Related(note, where) for note in notes)

    def mismatches(self, *rules: str) -> Iterator[Finding]:
        """Where expressions and the schema of their objects disagree, for rules to report."""
        for expression in self.expressions:
            if schema := self.schema_of(*expression.objects):
                for each in self._mismatches(expression, schema):
                    if each.rule in rules:
                        yield self._disagreeing(expression, each)

    def _mismatches(self, expression: AnyExpression, schema: CrdSchema) -> list[TypeMismatch]:
        from celvet.lint.typecheck import in_expression, in_path  # most kinds have no CRD at hand

        program, kind = expression.program, schema.group_kind
        if not isinstance(program, Compiled):
            return in_path(program.fields(), kind.kind, schema.roots)
        if program.tree is None or not program.analysed or program.refusals:
            return []
        dialect = program.dialect
        # The owner is of the same kind where objects depend on others of their kind.
        owner = {dialect.owner} if self.object.group_kind == kind else set()
        names = {dialect.object} | owner
        return in_expression(program.tree, kind.kind, schema.roots, dialect, names)

    def _disagreeing(self, expression: AnyExpression, found: TypeMismatch) -> Finding:
        where = self.at(expression, found.span)
        fix = (
            Fix(f"Write `{found.instead}`.", (Change(where, found.instead),), found.safe)
            if found.instead
            else None
        )
        return Finding(message=found.message, where=where, help=found.help, fix=fix)

    def at(self, expression: AnyExpression, span: Span | None = None) -> Where:
        """The place of an expression, or of a span of its compiled text."""
        return self.place(expression.path, expression.written(span) if span else None)

    def at_role(self, check: Check, role: str, span: Span | None = None) -> Where:
        """The place of a check's expression of a role, or of a span of the role's program."""
        return self.at(*check.find(role, span))

    def get(self, *path: str | int) -> Value:
        """The value at a path, None if there is none."""
        return get(self.value, path)

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
        """What the controller refuses of the CEL texts for one of the causes."""
        for expression in self.cel:
            for refusal in expression.program.refusals:
                if refusal.cause in causes:
                    works = works_in(expression.program, partial(_refuses, refusal))
                    yield Finding(
                        message=refusal.message,
                        where=self.at(expression, refusal.span),
                        help=f"{sentence(refusal.hint)} {works}".strip(),
                    )


def _put(facts: KindFacts, role: str, key: str = "") -> str:
    text = " ".join(facts.entry.get(role, "").split())
    return f"write `{key}{text}`" if text else f"remove `{role}`"


def _refuses(refusal: Refusal, program: Compiled) -> bool:
    """Whether a release refuses a part of an expression, be it for another reason."""
    return any(each.span.start <= refusal.span.start <= each.span.end for each in program.refusals)


def sentence(hint: str) -> str:
    """A hint of the engines, `write x`, as the help of a finding: `Write x.`."""
    return f"{hint[0].upper()}{hint[1:]}." if hint else ""
