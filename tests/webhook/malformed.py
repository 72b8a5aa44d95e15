"""The table of malformed bodies, made into bytes."""

from __future__ import annotations

import json
from typing import Any

import yaml

from tests.webhook.reviews import HERE, kustomization, review

_TABLE = yaml.safe_load((HERE / "malformed.yaml").read_text())


def _body(case: dict[str, Any]) -> bytes:
    if "body" in case:
        return str(case["body"]).encode()
    document = review(kustomization("true"))
    document |= case.get("document", {})
    document.pop(case.get("drop", ""), None)
    if "request" in case:
        document["request"] |= case["request"]
    return json.dumps(document).encode()


MALFORMED: list[tuple[str, bytes, str]] = [
    *((str(case["name"]), _body(case), case["says"]) for case in _TABLE),
    ("no UTF-8", b'{"kind": "\xff"}', "no JSON"),
    ("UTF-16 of nothing", b"\xff\xfe", "no JSON"),
    ("nested too deep", b"[" * 100_000, "nested too deep"),
    ("an integer of thousands of digits", b'{"kind": ' + b"9" * 5000 + b"}", "no JSON"),
    ("null bytes", b"\0" * 100, "no JSON"),
]
"""Name, body, and a part of what the answer says."""
