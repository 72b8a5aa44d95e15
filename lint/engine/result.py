"""The engine's result for one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from celvet.record import field, field_names, record

if TYPE_CHECKING:
    from celvet.lint.checks import CheckedObject
    from celvet.lint.manifest import KubeObject, Manifest, Problem
    from celvet.lint.model import Finding, Where

RecordT = TypeVar("RecordT")


@record
class Counts:
    """How much was checked, and how much was skipped.

    `expressions` are CEL texts and paths checked; `unanalysed` those beyond the limits of our
    engine; `unread` texts in a language that celvet does not read; `unresolved` those with a
    `${VAR}` that has no value; `templated` the objects in the templates of a ResourceSet that
    cannot be built without the cluster. `partly` are templated
    objects whose inputs only the cluster knows; only what no input affects is checked. The objects
    of a built ResourceSet count once for each input set. `appliers` are objects that apply others;
    `unsure` are those of which only git would make sure that the files are of one repository.
    """

    objects: int = 0
    expressions: int = 0
    unanalysed: int = 0
    unread: int = 0
    unresolved: int = 0
    templated: int = 0
    partly: int = 0
    suppressed: int = 0
    unsure: int = 0
    appliers: int = 0

    def __add__(self, other: Counts) -> Counts:
        """The sums of the counts."""
        return add_fields(self, other)


def add_fields(left: RecordT, right: RecordT) -> RecordT:
    """A record with the sum of each field of two records."""
    names = field_names(type(left))
    return type(left)(*(getattr(left, name) + getattr(right, name) for name in names))


@record
class Crash:
    """A rule that failed on an object: a bug in celvet, never a mistake of the user."""

    rule: str
    where: Where
    error: str


@record
class FileResult:
    """The findings of one file; `manifest` is None if the prefilter skipped it.

    `unknown_kinds` are the kinds, as `apiVersion` and `kind`, whose CRD the rules looked for and
    did not find. `checked` are the objects of a known kind as the rules saw them. `notes` name
    CRDs that could not be read, now or before, ResourceSets of which not all input sets were
    linted, and objects with a check that is too large to predict. `rendered` are the results for
    the objects of its ResourceSets, for `explain`, with places in the rendered texts.
    """

    name: str
    manifest: Manifest | None = None
    findings: tuple[Finding, ...] = ()
    crashes: tuple[Crash, ...] = ()
    counts: Counts = field(default_factory=Counts)
    unknown_kinds: frozenset[tuple[str, str]] = frozenset()
    notes: tuple[str, ...] = ()
    checked: tuple[CheckedObject, ...] = ()
    rendered: tuple[FileResult, ...] = ()

    @property
    def outcomes(self) -> tuple[Finding | Crash, ...]:
        """The findings and the crashes."""
        return (*self.findings, *self.crashes)


@record
class TemplateResults:
    """The results of the texts that the ResourceSets of a file render; empty without any.

    `owners` are the ResourceSets whose templates are linted, or about which one of the `problems`
    says why they are not. The places of `outcomes` are in the file, those of `results` in the
    rendered texts: one result for each text, or for each template that is rendered with stand-ins.
    `notes` name the ResourceSets of which only some input sets are linted.
    """

    owners: tuple[KubeObject, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    outcomes: tuple[Finding | Crash, ...] = ()
    counts: Counts = field(default_factory=Counts)
    results: tuple[FileResult, ...] = ()

    def __add__(self, other: TemplateResults) -> TemplateResults:
        """The results of both."""
        return add_fields(self, other)

    def cover(self, obj: KubeObject) -> bool:
        """Whether an object is one of the `owners`, or in one."""
        return any(
            owner.where.document == obj.where.document
            and obj.where.path[: len(owner.where.path)] == owner.where.path
            for owner in self.owners
        )
