"""Whether the outputs of a template can be read off the object it stamped.

Mirrors the readers of `pkg/stamp/reader.go` (v0.7.0) and what
`pkg/realizer/realizer.go` makes of a null.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from celvet.lint.checks import Check
from celvet.lint.controllers.cartographer.paths import read
from celvet.lint.jsonpath import PathResult
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import FieldTypeError, field, text_or
from celvet.record import record
from celvet.schemas import Dialect


def available(template: Check, obj: Value) -> bool:
    """Whether there is an output; a plain template never has one.

    The deployment that a ClusterDeploymentTemplate passes on is taken to come
    from upstream.
    """
    reader = _READERS.get(template.strategy)
    if reader is None or template.dialect is None:
        return False
    try:
        return reader(_Outputs(obj, template.dialect), template.value)
    except FieldTypeError:
        return False


@record
class _Outputs:
    """The values that the paths of a template read from an object."""

    obj: Value
    dialect: Dialect

    def read(self, path: str) -> PathResult:
        """The value at a path."""
        return read(path, self.obj, self.dialect)

    def at(self, texts: Value, name: str) -> PathResult:
        """The value at the path in a field."""
        return self.read(text_or("", texts, name))


def _source(outputs: _Outputs, spec: Value) -> bool:
    return all(outputs.at(spec, name).state == "value" for name in ("urlPath", "revisionPath"))


def _single(name: str, outputs: _Outputs, spec: Value) -> bool:
    return outputs.at(spec, name).value is not None


def _deployment(outputs: _Outputs, spec: Value) -> bool:
    completion = field(spec, "observedCompletion")
    if isinstance(completion, dict):
        return _completed(outputs, completion)
    return _matched(outputs, spec)


def _matched(outputs: _Outputs, spec: Value) -> bool:
    matches = field(spec, "observedMatches")
    pairs = matches if isinstance(matches, list) else []
    return all(_same(outputs.at(pair, "input"), outputs.at(pair, "output")) for pair in pairs)


def _completed(outputs: _Outputs, completion: Value) -> bool:
    """The generation is observed, the condition `failed` does not hold, `succeeded` does."""
    wanted, observed = map(outputs.read, ("metadata.generation", "status.observedGeneration"))
    if not _same(wanted, observed):
        return False
    failed = completion.get("failed")
    if failed is not None:
        reading = outputs.at(failed, "key")
        if reading.state == "error" or reading.value == text_or("", failed, "value"):
            return False
    succeeded = completion.get("succeeded")
    return bool(outputs.at(succeeded, "key").value == text_or("", succeeded, "value"))


def _same(left: PathResult, right: PathResult) -> bool:
    """Whether both are there and equal; Go does not take true for 1, and panics on containers."""
    if not left.state == right.state == "value" or isinstance(left.value, (dict, list)):
        return False
    return type(left.value) is type(right.value) and bool(left.value == right.value)


_READERS: dict[str, Callable[[_Outputs, Value], bool]] = {
    "source-template": _source,
    "image-template": partial(_single, "imagePath"),
    "config-template": partial(_single, "configPath"),
    "deployment-template": _deployment,
}
"""Strategy of a template -> how its outputs are read from the stamped object, given its spec."""
