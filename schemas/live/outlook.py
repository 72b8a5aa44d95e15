"""Whether a pod, or an error that is retried, recovers by itself: `outlooks/*.json`.

And which objects a controller makes for another: `made.json`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_DIRECTORY = Path(__file__).parent


@functools.cache
def pod_outlooks() -> Mapping[str, Any]:
    """`waiting`, `terminated`, `scheduling`, `autoscaling` and `events`: outlooks; `ended`.

    And the reasons `byMessage`, and the kinds that pods are `replacedBy`.
    """
    return _read("outlooks/pods")


@functools.cache
def message_outlooks() -> Mapping[str, tuple[str, ...]]:
    """The words of messages, by outlook."""
    content = _read("outlooks/messages")
    return {name: tuple(content[name]) for name in ("recovers-by-itself", "needs-change")}


@functools.cache
def made_kinds(group: str, kind: str) -> tuple[tuple[str, str], ...]:
    """The `apiVersion` and kind of what the controller of a kind makes for its objects."""
    names = _read("made")["kinds"].get(f"{kind}.{group}", ())
    return tuple((api_version, name) for api_version, _, name in (n.rpartition("/") for n in names))


def _read(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((_DIRECTORY / f"{name}.json").read_bytes())
    return content
