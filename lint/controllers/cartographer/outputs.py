"""Whether the outputs of a template can be read off the object it stamped.

Mirrors the readers of `pkg/stamp/reader.go` (v0.7.0) and what
`pkg/realizer/realizer.go` makes of a null.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from celvet.lint.controllers.cartographer.paths import read
from celvet.lint.controllers.unstructured import FieldTypeError, field, text_or
from celvet.lint.jsonpath import Reading
from celvet.lint.model import Value


def available(template: Value, obj: Value) -> bool:
    """Whether there is an output; a ClusterTemplate never has one.

    The deployment that a ClusterDeploymentTemplate passes on is taken to come
    from upstream.
    """
    reader = _READERS.get(text_or("", template, "kind"))
    try:
        return reader is not None and reader(field(template, "spec"), obj)
    except FieldTypeError:
        return False


def _source(spec: Value, obj: Value) -> bool:
    return all(_at(spec, obj, name).state == "value" for name in ("urlPath", "revisionPath"))


def _single(name: str, spec: Value, obj: Value) -> bool:
    return _at(spec, obj, name).value is not None


def _deployment(spec: Value, obj: Value) -> bool:
    completion = field(spec, "observedCompletion")
    return _completed(completion, obj) if isinstance(completion, dict) else _matched(spec, obj)


def _matched(spec: Value, obj: Value) -> bool:
    matches = field(spec, "observedMatches")
    pairs = matches if isinstance(matches, list) else []
    return all(_same(_at(pair, obj, "input"), _at(pair, obj, "output")) for pair in pairs)


def _completed(completion: Value, obj: Value) -> bool:
    """The generation is observed, the condition `failed` does not hold, `succeeded` does."""
    if not _same(read("metadata.generation", obj), read("status.observedGeneration", obj)):
        return False
    failed = completion.get("failed")
    if failed is not None:
        reading = _at(failed, obj, "key")
        if reading.state == "error" or reading.value == text_or("", failed, "value"):
            return False
    succeeded = completion.get("succeeded")
    return bool(_at(succeeded, obj, "key").value == text_or("", succeeded, "value"))


def _at(texts: Value, obj: Value, name: str) -> Reading:
    """What is read at the path that a field holds."""
    return read(text_or("", texts, name), obj)


def _same(left: Reading, right: Reading) -> bool:
    """Whether both are there and equal; Go does not take true for 1, and panics on containers."""
    if not left.state == right.state == "value" or isinstance(left.value, (dict, list)):
        return False
    return type(left.value) is type(right.value) and bool(left.value == right.value)


_READERS: dict[str, Callable[[Value, Value], bool]] = {
    "ClusterSourceTemplate": _source,
    "ClusterImageTemplate": partial(_single, "imagePath"),
    "ClusterConfigTemplate": partial(_single, "configPath"),
    "ClusterDeploymentTemplate": _deployment,
}
"""Kind of template -> how its outputs are read, given its spec and the stamped object."""
