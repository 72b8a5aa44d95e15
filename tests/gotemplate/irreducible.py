"""Where this package and Go may differ, and why."""

from __future__ import annotations

from typing import Any


def reason(here: dict[str, Any], go: dict[str, Any]) -> str:
    """Why the two answers differ, or "" if they should not."""
    if "ParseAddr" in go.get("error", "") and "ParseAddr" in here.get("error", ""):
        return "Go says in more detail why an address is not an IPv6 address"
    if "CRASH" in go.get("error", "") and "limit" in here.get("kind", ""):
        return "Go runs out of memory, or out of stack"
    return ""
