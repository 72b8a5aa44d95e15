"""What a rule sees: one object of a known kind, with its checks.

It is the same whether it was read from a file or from an AdmissionReview;
`place` gives the places of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Protocol

from celvet.lint.checks.check import AnyExpression, CelExpression, Check, PathExpression
from celvet.lint.checks.timing import Timing, timing
from celvet.lint.checks.waiting import Waiting, waiting
from celvet.lint.crds.schema import NOTHING, CrdSchema, Schemas
from celvet.lint.model import GroupKind, ObjectRef, Path, Span, Value, Where
from celvet.lint.repository.questions import ApparentResources, ObjectForms, PlaceLabel
from celvet.lint.repository.surroundings import NO_REPOSITORY, Surroundings
from celvet.lint.values import get
from celvet.record import field, record, replace
from celvet.schemas import KindFacts, group_facts, kind_facts
from celvet.schemas.facts import Need
from celvet.schemas.kind_files import built_in_scope
from celvet.schemas.known_kinds import DefinedKind, defined_facts
from celvet.schemas.repository.definer import definers

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource
    from celvet.lint.repository.object_form import ObjectForm
    from celvet.lint.validation import Validation
    from celvet.schemas import Kind


class Place(Protocol):
    """Turns a path in an object into a place in its source."""

    def __call__(self, path: Path, span: Span | None = None, on_key: bool = False) -> Where:
        """The place of the value at `path`, or of a span of its text, or of its key."""


@record
class CheckedObject:
    """An object with its checks and the violations of its schema.

    `kind` is None for an object that no schema describes; it has no checks. `partial` marks a
    patch; the fields that it lacks may be in its target. `schemas` has the CRDs of the kinds that
    expressions are about. With `fixes`, rules also search for fixes that take long to find.
    `surroundings` knows the files around its own. An `ambiguous` object may have a scalar that
    kustomize reads in another way than kubectl. `directories` are the user's schema directories,
    `targets` the versions of products to assume.
    """

    object: ObjectRef
    value: Mapping[str, Value]
    kind: Kind | None
    validation: Validation
    checks: tuple[Check, ...]
    place: Place
    partial: bool = False
    schemas: Schemas = NOTHING
    fixes: bool = True
    surroundings: Surroundings = NO_REPOSITORY
    ambiguous: bool = False
    directories: tuple[FilePath, ...] = ()
    targets: Mapping[str, str] = field(default_factory=dict)
    _forms: list[ObjectForm] = field(default_factory=list, repr=False, compare=False)

    def forms(self) -> Sequence[ObjectForm]:
        """The forms in which the object reaches the cluster, according to its repository.

        There is at least one. They are computed once, since several rules need them.
        """
        if not self._forms:
            surroundings = NO_REPOSITORY if self.partial else self.surroundings
            forms = surroundings.ask(ObjectForms(dict(self.value)))
            self._forms.extend(forms)
        return self._forms

    @property
    def controller(self) -> str:
        """The controller of the object, as messages call it."""
        return self.kind.controller if self.kind else "the controller"

    def doing(self, strategy: str) -> tuple[Check, ...]:
        """The checks with a strategy."""
        return tuple(check for check in self.checks if check.strategy == strategy)

    @property
    def is_graph(self) -> bool:
        """Whether its checks refer to each other, so that the controller can refuse them as one."""
        return any(check.strategy.startswith("graph-") for check in self.checks)

    def dependencies(self) -> list[Check]:
        """The checks about other objects of its own kind on which it depends."""
        own_kinds = (self.object.group_kind, GroupKind("", ""))
        return [check for check in self.doing("dependency") if check.group_kind in own_kinds]

    def health(self) -> Iterator[Check]:
        """The checks of several expressions that give verdicts over the life of objects."""
        for check in self.checks:
            if check.dialect and check.dialect.purpose == "health" and check.programs:
                yield check

    @property
    def waiting(self) -> Waiting:
        """The objects that its controller waits for, in its first form."""
        return self.waitings[0]

    @property
    def waitings(self) -> list[Waiting]:
        """The objects that its controller waits for, in each form; all if that is unknown."""
        return [self._waiting(form.resource) for form in self.forms()]

    def looks_at(self, check: Check) -> bool:
        """Whether its controller may use a check of objects in any of the forms."""
        return any(waiting.covers(check.named) for waiting in self.waitings)

    def _waiting(self, resource: Resource) -> Waiting:
        declared_waiting = waiting(resource.value, self.kind)
        if not all(resource.knows(*path) for path in declared_waiting.paths):
            return Waiting()
        places = (resource.last_writer(*path) for path in declared_waiting.paths)
        place = next((writer for writer in places if writer), None)
        if place is None:
            return declared_waiting
        label = self.surroundings.ask(PlaceLabel(place))
        return replace(declared_waiting, place=label)

    @property
    def timing(self) -> Timing:
        """How often its controller checks, and when it gives up and tries again."""
        return timing(self.forms()[0].resource.value, self.kind)

    @property
    def expressions(self) -> Iterator[AnyExpression]:
        """All expressions of all checks."""
        return (expression for check in self.checks for expression in check.expressions)

    @property
    def cel(self) -> Iterator[CelExpression]:
        """The expressions that are CEL."""
        return (expression for check in self.checks for expression in check.cel)

    @property
    def paths(self) -> Iterator[PathExpression]:
        """The expressions that are JSONPath."""
        return (expression for check in self.checks for expression in check.paths)

    def schema_of(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind in its CRD; None if there is no CRD.

        Only the group of `api_version` matters, as for the controllers. Without a version, no field
        is going to be checked, so the report does not name the kind if there is no CRD.
        """
        return self.schemas.find(api_version, kind) if kind else None

    def facts_of(self, check: Check) -> KindFacts | None:
        """The catalogue's facts about the kind under a check, or None."""
        kind, dialect = check.group_kind, check.dialect
        if kind.kind:
            facts = kind_facts(*kind, self.directories)
        else:
            facts = group_facts(check.named.group, tuple(self.directories))
        if facts is None or facts.family:
            facts = self._facts_of_defined(check, facts) or facts
        facts = self._about_applied(facts) if facts else None
        return facts.in_roles_of(dialect) if facts and dialect else facts

    def facts_of_applied(self, kind: GroupKind) -> KindFacts | None:
        """The catalogue's facts about the objects of a kind that are applied, or None."""
        facts = kind_facts(*kind, self.directories)
        return self._about_applied(facts) if facts else None

    def _about_applied(self, facts: KindFacts) -> KindFacts:
        return facts.without(self._unmet_needs(facts)) if facts.needs else facts

    def _unmet_needs(self, facts: KindFacts) -> frozenset[Need]:
        """What a state needs and no applied object of the kind has.

        Empty if the repository shows no object of the kind.
        """
        kinds = (str(GroupKind(facts.group, facts.kind)),)
        questions = (ApparentResources(self.place(()), form, kinds) for form in self.forms())
        resources = [obj for question in questions for obj in self.surroundings.ask(question)]
        return frozenset(
            need
            for need in facts.needs.values()
            if resources
            and all(
                obj.knows(*need.path) and not need.is_met(get(obj.value, need.path))
                for obj in resources
            )
        )

    def _facts_of_defined(self, check: Check, facts: KindFacts | None) -> KindFacts | None:
        """The facts about all kinds that are defined like this one, as those of Crossplane's XRDs.

        Without a definition, and without other facts, what the check reads may show it.
        """
        api_version, kind = check.objects
        versions: tuple[str, ...]
        schema = self.schema_of(api_version, kind)
        if schema is None:
            texts = [expression.program.text for expression in check.expressions]
            definer = None if facts or not kind else _definer_by_signs(texts)
            versions, scope = (api_version.rpartition("/")[2],), ""
        else:
            definer = schema.definer
            versions, scope = tuple(name for name, _ in schema.versions), schema.scope
        if not definer:
            return None
        defined = DefinedKind(check.group_kind.group, kind, versions, scope)
        return defined_facts(*definer, defined, self.directories)

    def definer_of(self, kind: GroupKind) -> GroupKind | None:
        """The kind of the objects that define a kind, as Crossplane's XRDs do.

        Without a definition, what the entries for the kind read may show it.
        """
        if schema := self.schema_of(f"{kind.group}/", kind.kind):
            return schema.definer
        entries = [check for check in self.health() if check.group_kind == kind]
        texts = [expression.program.text for check in entries for expression in check.expressions]
        return _definer_by_signs(texts) if texts else None

    def scope_of(self, api_version: str, kind: str) -> str:
        """The scope of objects of a kind, `Namespaced` or `Cluster`; empty if unknown."""
        group_kind = GroupKind.of(api_version, kind)
        facts = kind_facts(*group_kind, self.directories)
        if scope := facts.scope if facts else built_in_scope(*group_kind):
            return scope
        schema = self.schema_of(api_version, kind)  # last, since it may load a CRD
        return schema.scope if schema else ""

    def at(self, expression: AnyExpression, span: Span | None = None) -> Where:
        """The place of an expression, or of a span of its compiled text."""
        return self.place(expression.path, expression.written_span(span) if span else None)

    def at_role(self, check: Check, role: str, span: Span | None = None) -> Where:
        """The place of a check's expression of a role, or of a span of the role's program."""
        return self.at(*check.find(role, span))

    def get(self, *path: str | int) -> Value:
        """The value at a path, None if there is none."""
        return get(self.value, path)


def _definer_by_signs(texts: Sequence[str]) -> GroupKind | None:
    """The kind of the objects that define the kind which these expressions are about."""
    for definer in definers().values():
        if all(
            any(f"'{sign}'" in text or f'"{sign}"' in text for text in texts)
            for sign in definer.signs
        ):
            return GroupKind(definer.group, definer.kind)
    return None
