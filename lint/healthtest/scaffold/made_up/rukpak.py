"""What the probes of a bundle look at: as they want it, otherwise, and not at all yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from celvet.lint.controllers.rukpak.judges import Deployment, Probes
from celvet.lint.controllers.rukpak.probe import Probe
from celvet.lint.healthtest.scaffold.made_up.situation import FRESH, MadeUp, example, placed
from celvet.lint.jsonpath import CompiledPath
from celvet.lint.model import Value

_OTHER = "other"


def of_probes(judge: Probes, _: Value) -> Iterator[MadeUp]:
    """The objects of the probes, in three states."""
    several = len(judge.probes) > 1
    wanted = _named(several, judge.probes[0], judge.probes[0].value)
    other = _named(several, judge.probes[0], _OTHER)
    what = "objects" if several else "an object"
    yield MadeUp(f"{what} {FRESH}", _objects(judge, None))
    for name, value in ((other, _OTHER), (wanted, "")):
        objects = _objects(judge, value)
        if objects:
            yield MadeUp(name, objects)


def of_deployment(judge: Deployment, _: Value) -> Iterator[MadeUp]:
    """A Deployment, without the definition that the BundleDeployment refers to and with it."""
    deployment = example("apps/v1", "Deployment")
    probe = {"group": "apps", "version": "v1", "kind": "Deployment"}
    probe |= {"path": ".status.availableReplicas", "value": "1"}
    definition = example("core.rukpak.io/v1alpha1", "BundleProbeDefinition", judge.reference)
    definition["spec"] = {"health": [probe]}
    available = {**deployment, "status": {"availableReplicas": 1}}
    yield MadeUp("the definition is not there", (deployment,))
    yield MadeUp("the probe does not hold", (definition, deployment))
    yield MadeUp("the probe holds", (definition, available))


def _named(several: bool, probe: Probe, value: str) -> str:
    if several:
        return "objects with other values" if value == _OTHER else "objects as the probes want them"
    return f"an object whose `{probe.program.compiled.text}` is `{value}`"


def _objects(judge: Probes, value: str | None) -> tuple[Value, ...]:
    """What the probes are about, with a value each, `""` for the one wanted; none if unknown."""
    found: dict[tuple[str, str, str], Value] = {}
    for probe in judge.probes:
        kind = probe.group_kind
        version = "/".join(filter(None, (kind.group, probe.version or "v1")))
        obj = found.get(key := (version, kind.kind, probe.name)) or example(
            version, kind.kind, probe.name
        )
        if value is not None:
            path = cast(CompiledPath, probe.program.compiled)
            obj = placed(obj, path, _plain(value or probe.value))
            if obj is None:
                return ()
        found[key] = obj
    return tuple(found.values())


def _plain(text: str) -> Value:
    """What prints as the text: a number or a truth value, where it looks like one."""
    if text.isascii() and text.isdecimal() and str(int(text[:18])) == text:
        return int(text)
    return {"true": True, "false": False}.get(text, text)
