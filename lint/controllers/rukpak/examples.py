"""Examples of the objects that probes are about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.controllers.rukpak.probe import Probe
from celvet.lint.model import Value
from celvet.lint.verdicts.examples import FRESH, Example, example, placed

_OTHER = "other"


def of_probes(probes: Sequence[Probe]) -> Iterator[Example]:
    """The objects of the probes, in three states."""
    several = len(probes) > 1
    wanted = _named(several, probes[0], probes[0].value)
    other = _named(several, probes[0], _OTHER)
    what = "objects" if several else "an object"
    yield Example(f"{what} {FRESH}", _objects(probes, None))
    for name, value in ((other, _OTHER), (wanted, "")):
        objects = _objects(probes, value)
        if objects:
            yield Example(name, objects)


def of_deployment(reference: str) -> Iterator[Example]:
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


def _named(several: bool, probe: Probe, value: str) -> str:
    if several:
        return "objects with other values" if value == _OTHER else "objects as the probes want them"
    return f"an object whose `{probe.expression.program.text}` is `{value}`"


def _objects(probes: Sequence[Probe], value: str | None) -> tuple[Value, ...]:
    """Examples of the probed objects with `value`, or the wanted one for `""`; perhaps none."""
    found: dict[tuple[str, str, str], Value] = {}
    for probe in probes:
        kind = probe.group_kind
        version = "/".join(filter(None, (kind.group, probe.version or "v1")))
        obj = found.get(key := (version, kind.kind, probe.name)) or example(
            version, kind.kind, probe.name
        )
        if value is not None:
            path = probe.expression.program
            obj = placed(obj, path, _plain(value or probe.value))
            if obj is None:
                return ()
        found[key] = obj
    return tuple(found.values())


def _plain(text: str) -> Value:
    """The value that prints as this text: a number or boolean if it looks like one."""
    if text.isascii() and text.isdecimal() and str(int(text[:18])) == text:
        return int(text)
    return {"true": True, "false": False}.get(text, text)
