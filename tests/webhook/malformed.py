"""The table of malformed bodies as bytes."""

from __future__ import annotations

import json
from typing import Any

from tests.tables import read_table
from tests.webhook.reviews import HERE, kustomization, review

_TABLE = read_table(HERE / "malformed.yaml")


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
    ("no UTF-8", b'{"kind": "\xff"}', "not JSON"),
    ("no UTF-8 in a name", b'{"\xff": 1}', "not JSON"),
    ("UTF-16 of nothing", b"\xff\xfe", "a byte order mark"),
    ("UTF-16", _body({}).decode().encode("utf-16"), "a byte order mark"),
    ("UTF-16 without a mark", _body({}).decode().encode("utf-16-le"), "not JSON"),
    ("UTF-32", _body({}).decode().encode("utf-32"), "a byte order mark"),
    ("UTF-8 with a mark", b"\xef\xbb\xbf" + _body({}), "a byte order mark"),
    ("brackets that nobody closes", b"[" * 60_000, "the body must be a JSON object"),
    ("brackets that nobody opens", b'{"a": 1}}', "not JSON"),
    ("a deep list", b"[" * 3000 + b"]" * 3000, "the body must be a JSON object"),
    ("a deep object", b'{"a":' * 3000 + b"1" + b"}" * 3000, "nested too deep"),
    (
        "a deep user",
        _body({"request": {"userInfo": 0}}).replace(b": 0", b": " + b"[" * 3000 + b"]" * 3000),
        "nested too deep",
    ),
    (
        "a text that nobody closes",
        b"[" * 3000 + b"]" * 2999 + b'"]',
        "the body must be a JSON object",
    ),
    ("an integer of thousands of digits", b'{"kind": ' + b"9" * 5000 + b"}", "not JSON"),
    ("half a character", rb'{"kind": "\ud800"}', "not JSON"),
    ("null bytes", b"\0" * 100, "not JSON"),
]
"""Name, body, and a part of the message."""
