"""Whether a pod, or an error that is retried, recovers by itself: `outlooks/*.json`."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_DIRECTORY = Path(__file__).parent / "outlooks"


@functools.cache
def pod_outlooks() -> Mapping[str, Any]:
    """`waiting`, `terminated`, `scheduling` and `events`: the outlook of each reason; `ended`.

    And the reasons `byMessage`, and the kinds that pods are `replacedBy`.
    """
    return _read("pods")


@functools.cache
def message_outlooks() -> Mapping[str, tuple[str, ...]]:
    """The words of messages, by outlook."""
    content = _read("messages")
    return {name: tuple(content[name]) for name in ("recovers-by-itself", "needs-change")}


def _read(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((_DIRECTORY / f"{name}.json").read_bytes())
    return content
