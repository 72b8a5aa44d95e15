"""What SOPS leaves of a document: the values encrypted, the keys in clear."""

from __future__ import annotations

import re

from celvet.lint.model import Value

_ENCRYPTED = re.compile(r"ENC\[[A-Z0-9_]+,data:.*\]", re.DOTALL)


def is_encrypted(text: str) -> bool:
    """Whether a scalar is a value that SOPS has encrypted."""
    return text.startswith("ENC[") and _ENCRYPTED.fullmatch(text) is not None


def has_sops_metadata(value: Value) -> bool:
    """Whether a document carries the `sops` entry, whose `mac` covers its values."""
    sops = value.get("sops") if isinstance(value, dict) else None
    return isinstance(sops, dict) and "mac" in sops
