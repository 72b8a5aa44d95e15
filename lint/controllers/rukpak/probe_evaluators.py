"""The evaluators of probes, and of a BundleDeployment that refers to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from celvet import schemas
from celvet.lint.checks import AnyExpression, Check, CheckedObject, PathExpression, check_value
from celvet.lint.jsonpath import EvaluationError, LimitExceededError
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import group_kind_of, list_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator
from celvet.lint.verdicts.examples import FRESH, Example, example, with_value
from celvet.lint.verdicts.unstructured import FieldTypeError, field, text_or
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record, replace

_BUNDLES, _CORE = "bundles.rukpak.io", "core.rukpak.io"
_DEFINITION = GroupKind(_CORE, "BundleProbeDefinition")

GROUPS = frozenset({_BUNDLES, _CORE})
"""The API groups of the declarations."""

_OTHER = "other"
_REFERENCE = "ref"
_HOLDS = Verdict(status="True")


@record
class BundleProbes(BaseEvaluator):
    """Evaluates all probes of a bundle, or only the one at `path`.

    The owner is the BundleDeployment, which may switch them off.
    """

    path: Path
    title: str
    group_kind: GroupKind | None
    probes: tuple[_Probe, ...]

    statuses: Sequence[str] = ("True", "False", "Unknown")

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The paths that the probes read."""
        return tuple(probe.expression for probe in self.probes)

    def applies(self, obj: Value) -> bool:
        """Whether a probe is about the object."""
        return any(probe.matches(obj) for probe in self.probes)

    def examples(self, _: Value) -> Iterator[Example]:
        """The objects of the probes, in three states."""
        return _of_probes(self.probes)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """True if all succeed, else the message of the first that fails."""
        if _is_switched_off(cluster.owner):
            return _HOLDS
        verdicts = (probe.verdict(cluster.objects) for probe in self.probes)
        return next((verdict for verdict in verdicts if verdict.status != "True"), _HOLDS)


@record
class Deployment(BaseEvaluator):
    """Evaluates the BundleProbeDefinition that a BundleDeployment refers to.

    It may be in the setting `definitions`, or among the objects.
    """

    declaration: Value
    path: Path
    reference: str

    group_kind: GroupKind | None = None
    expressions: Sequence[AnyExpression] = ()
    statuses: Sequence[str] = ("True", "False", "Unknown")

    @property
    def title(self) -> str:
        """The name of the definition, for people."""
        return f"probes of {self.reference}"

    def examples(self, _: Value) -> Iterator[Example]:
        """A Deployment, without the definition and with it."""
        return _of_deployment(self.reference)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """Whether the probes of the definition succeed, caused by the reference."""
        owner = self.declaration if cluster.owner is None else cluster.owner
        if _is_switched_off(owner):
            return _HOLDS
        definitions = list_at(cluster.settings, ("definitions",))
        objects = (obj for obj in (*definitions, *cluster.objects) if self._is_meant(obj))
        definition = next(objects, None)
        if definition is None:
            message = f"there is no BundleProbeDefinition `{self.reference}`"
            return Verdict(status="Unknown", message=message, cause=CauseText(self._place))
        checks = check_value(definition, schemas.load()).doing("probe")
        evaluator = BundleProbes((), "", None, probes(checks))
        verdict = evaluator.evaluate(replace(cluster, owner=owner))
        return replace(verdict, cause=CauseText(self._place) if verdict.cause else None)

    @property
    def _place(self) -> Path:
        return (*self.path, _REFERENCE)

    def _is_meant(self, obj: Value) -> bool:
        return (
            group_kind_of(obj) == _DEFINITION
            and text_or("", obj, "metadata", "name") == self.reference
        )


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for all probes and one for each; for a BundleDeployment, one for its probes."""
    for check in checked.doing("probe-definition"):
        reference = text_or("", check.value, _REFERENCE)
        return (Deployment(checked.value, check.path, reference),) if reference else ()
    checked_probes = probes(checked.doing("probe"))
    if not checked_probes:
        return ()
    return (
        BundleProbes((), "all probes", None, checked_probes),
        *(BundleProbes(item.path, item.title, item.group_kind, (item,)) for item in checked_probes),
    )


def _is_switched_off(deployment: Value) -> bool:
    annotation = "plain.core.rukpak.io/enable-probes"
    try:
        return field(deployment, "metadata", "annotations", annotation) == "false"
    except FieldTypeError:
        return False


def _of_probes(probes: Sequence[_Probe]) -> Iterator[Example]:
    """The objects of the probes, in three states."""
    several = len(probes) > 1
    right_words = _title(several, probes[0], probes[0].value)
    wrong_words = _title(several, probes[0], _OTHER)
    noun = "objects" if several else "an object"
    yield Example(f"{noun} {FRESH}", _objects(probes, None))
    for name, value in ((wrong_words, _OTHER), (right_words, "")):
        objects = _objects(probes, value)
        if objects:
            yield Example(name, objects)


def _of_deployment(reference: str) -> Iterator[Example]:
    """A Deployment, without the definition that the BundleDeployment refers to and with it."""
    deployment = example("apps/v1", "Deployment")
    probe = {"group": "apps", "version": "v1", "kind": "Deployment"}
    probe |= {"path": ".status.availableReplicas", "value": "1"}
    definition = example("core.rukpak.io/v1alpha1", "BundleProbeDefinition", reference)
    definition["spec"] = {"health": [probe]}
    available = {**deployment, "status": {"availableReplicas": 1}}
    yield Example("the definition is not there", (deployment,))
    yield Example("the probe does not hold", (definition, deployment))
    yield Example("the probe holds", (definition, available))


def _title(several: bool, probe: _Probe, value: str) -> str:
    if several:
        return "objects with other values" if value == _OTHER else "objects as the probes want them"
    return f"an object whose `{probe.expression.program.text}` is `{value}`"


def _objects(probes: Sequence[_Probe], value: str | None) -> tuple[Value, ...]:
    """Examples of the probed objects with `value`, or the wanted value for `""`; may be empty."""
    objects: dict[tuple[str, str, str], Value] = {}
    for probe in probes:
        kind = probe.group_kind
        version = "/".join(filter(None, (kind.group, probe.version or "v1")))
        obj = objects.get(key := (version, kind.kind, probe.name)) or example(
            version, kind.kind, probe.name
        )
        if value is not None:
            path = probe.expression.program
            obj = with_value(obj, path, _plain(value or probe.value))
            if obj is None:
                return ()
        objects[key] = obj
    return tuple(objects.values())


def _plain(text: str) -> Value:
    """The value that is printed like this: a number or boolean if it looks like one."""
    if text.isascii() and text.isdecimal() and str(int(text[:18])) == text:
        return int(text)
    return {"true": True, "false": False}.get(text, text)


@record
class _Probe:
    """An element of `spec.health`; `path` is its place, `value` the wanted text.

    The design document does not say what a probe without a name is about. Here it is about every
    object of the kind, of which there must be at least one.
    """

    path: Path
    name: str
    group_kind: GroupKind
    version: str
    expression: PathExpression
    value: str

    @property
    def title(self) -> str:
        """The kind and the name."""
        return f"{self.group_kind} {self.name}".strip()

    def matches(self, obj: Value) -> bool:
        """Whether the probe is about an object; kinds compare without case."""
        kind = group_kind_of(obj)
        version = text_or("", obj, "apiVersion").rpartition("/")[2]
        return (
            kind.kind.casefold() == self.group_kind.kind.casefold()
            and kind.group == self.group_kind.group
            and self.version in ("", version)
            and self.name in ("", text_or("", obj, "metadata", "name"))
        )

    def verdict(self, objects: Sequence[Value]) -> Verdict:
        """True if it succeeds on all its objects, else the first that differs."""
        probed_objects = [obj for obj in objects if self.matches(obj)]
        if not probed_objects:
            return self._failure("False", f"there is no {self.title}")
        verdicts = (self._on(obj) for obj in probed_objects)
        return next((verdict for verdict in verdicts if verdict.status != "True"), _HOLDS)

    def _on(self, obj: Value) -> Verdict:
        reading = self.expression.program.read(obj)
        if reading.state == "error":
            return self._failure("Unknown", reading.error, reading.error)
        if reading.state == "absent":
            return self._failure("False", f"{self._text} gives nothing, expected `{self.value}`")
        try:
            text = reading.text
        except (EvaluationError, LimitExceededError) as error:
            return self._failure("Unknown", str(error), str(error))
        if text == self.value:
            return _HOLDS
        return self._failure("False", f"{self._text} is `{text}`, expected `{self.value}`")

    @property
    def _text(self) -> str:
        return f"`{self.expression.program.text}`"

    def _failure(self, status: str, why: str, error: str = "") -> Verdict:
        message = f"probe of {self.title}: {why}"
        return Verdict(
            status=status, message=message, error=error, cause=CauseText(self.expression.path)
        )


def probes(checks: Iterable[Check]) -> tuple[_Probe, ...]:
    """The probes among checks: those with a path."""
    return tuple(
        _Probe(
            path=check.path,
            name=text_or("", check.value, "name"),
            group_kind=GroupKind(*(text_or("", check.value, key) for key in ("group", "kind"))),
            version=text_or("", check.value, "version"),
            expression=cast("PathExpression", expression),
            value=text_or("", check.value, "value"),
        )
        for check in checks
        for expression in check.of("path")
    )
