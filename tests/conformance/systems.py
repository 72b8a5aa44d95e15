"""Vectors of files that name their system by the field, in the form of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MODES = {
    "spec.progressionProbes": "olm",
    "spec.availabilityProbes": "package-operator",
    "spec.pipeline[].input.resources[].readinessChecks": "readiness-checks",
}
"""The beginning of a field -> the mode of its vectors."""

_DEFAULTS = {"readiness-checks": {"error": "", "gate": ""}}
"""What a vector that does not say it wants."""


def adapted(vector: dict[str, Any], header: Mapping[str, Any]) -> dict[str, Any]:
    """A vector with its mode, and with `ok` in what it wants."""
    field = vector["field"]
    mode = next(mode for start, mode in _MODES.items() if field.startswith(start))
    want = {**_DEFAULTS.get(mode, {}), **vector["want"]}
    refused = want.get("accepted") is False or "decode" in want
    return {**vector, "mode": mode, "want": {**want, "ok": not refused}}
