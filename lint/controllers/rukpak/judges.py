"""The judges of a `Plain`, a `BundleProbeDefinition` and a `BundleDeployment`.

The design names no condition, so statuses are those of one that says whether
the probes hold; messages are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from celvet.lint.controllers.judge import Judge, Program, Situation, WithoutCel
from celvet.lint.controllers.rukpak.probe import HOLDS, Probe, probes
from celvet.lint.controllers.unstructured import FieldTypeError, elements, field, kind_of, text_or
from celvet.lint.controllers.verdict import Cause, Verdict
from celvet.lint.model import GroupKind, Path, Value

_BUNDLES, _CORE = "bundles.rukpak.io", "core.rukpak.io"
_PLAIN = GroupKind(_BUNDLES, "Plain")
_DEFINITION = GroupKind(_CORE, "BundleProbeDefinition")
_DEPLOYMENT = GroupKind(_CORE, "BundleDeployment")
_REFERENCE = ("spec", "probes", "health", "ref")

GROUPS = frozenset({_BUNDLES, _CORE})
"""The API groups of the declarations."""


@dataclass(frozen=True, slots=True)
class Probes(WithoutCel):
    """Judges by all probes of a bundle, or by one of them, whose `path` it then has.

    The owner of a situation is the BundleDeployment, which may switch them off.
    """

    path: Path
    title: str
    group_kind: GroupKind | None
    probes: tuple[Probe, ...]

    statuses: Sequence[str] = ("True", "False", "Unknown")

    @property
    def programs(self) -> Sequence[Program]:
        """The paths."""
        return tuple(probe.program for probe in self.probes)

    def applies(self, obj: Value) -> bool:
        """Whether a probe is about the object."""
        return any(probe.matches(obj) for probe in self.probes)

    def judge(self, situation: Situation) -> Verdict:
        """True if all hold, else what the first that does not hold says."""
        if _switched_off(situation.owner):
            return HOLDS
        verdicts = (probe.verdict(situation.objects) for probe in self.probes)
        return next((verdict for verdict in verdicts if verdict.status != "True"), HOLDS)


@dataclass(frozen=True, slots=True)
class Deployment(WithoutCel):
    """Judges by the BundleProbeDefinition that a BundleDeployment refers to.

    It is looked for in the setting `definitions`, and among the objects.
    """

    declaration: Value
    reference: str

    path: Path = ("spec", "probes", "health")
    group_kind: GroupKind | None = None
    programs: Sequence[Program] = ()
    statuses: Sequence[str] = ("True", "False", "Unknown")

    @property
    def title(self) -> str:
        """The definition."""
        return f"probes of {self.reference}"

    def applies(self, _: Value) -> bool:
        """To any object: what the probes are about stands in the definition."""
        return True

    def judge(self, situation: Situation) -> Verdict:
        """Whether the probes of the definition hold, caused by the reference."""
        owner = self.declaration if situation.owner is None else situation.owner
        if _switched_off(owner):
            return HOLDS
        given = elements({**situation.settings}, "definitions")
        found = (obj for obj in (*given, *situation.objects) if self._is_meant(obj))
        definition = next(found, None)
        if definition is None:
            message = f"there is no BundleProbeDefinition `{self.reference}`"
            return Verdict(status="Unknown", message=message, cause=Cause(_REFERENCE))
        verdict = Probes((), "", None, probes(definition)).judge(replace(situation, owner=owner))
        return replace(verdict, cause=Cause(_REFERENCE) if verdict.cause else None)

    def _is_meant(self, obj: Value) -> bool:
        return (
            kind_of(obj) == _DEFINITION and text_or("", obj, "metadata", "name") == self.reference
        )


def judges(declaration: Value) -> tuple[Judge, ...]:
    """One of all probes and one a probe; of a BundleDeployment that which its reference names."""
    kind = kind_of(declaration)
    if kind == _DEPLOYMENT:
        reference = text_or("", declaration, *_REFERENCE)
        return (Deployment(declaration, reference),) if reference else ()
    found = probes(declaration) if kind in (_PLAIN, _DEFINITION) else ()
    whole = (Probes((), "all probes", None, found),) if found else ()
    each = (Probes(probe.path, probe.title, probe.group_kind, (probe,)) for probe in found)
    return (*whole, *each)


def _switched_off(deployment: Value) -> bool:
    annotation = "plain.core.rukpak.io/enable-probes"
    try:
        return field(deployment, "metadata", "annotations", annotation) == "false"
    except FieldTypeError:
        return False
