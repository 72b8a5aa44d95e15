"""The worst bodies that an API server lets through: requests of up to 3 MiB, 10,000 levels deep."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.webhook.reviews import kustomization, review

_NAMESPACE = "hostile"
_counter = itertools.count()


def _object(value: str, *, kind: str = "Kustomization") -> bytes:
    """A review of an object with a piece of JSON where the API server keeps any."""
    document = review(kustomization("status.a == 1"), uid=f"{next(_counter)}", namespace=_NAMESPACE)
    document["request"]["object"]["spec"]["x"] = "VALUE"
    document["request"]["object"]["kind"] = kind
    return json.dumps(document).replace('"VALUE"', value).encode()


def _expression(text: str, entries: int = 1) -> bytes:
    value = kustomization(text)
    first = value["spec"]["healthCheckExprs"][0]
    value["spec"]["healthCheckExprs"] = [{**first, "kind": f"X{n}"} for n in range(entries)]
    value["spec"]["path"] = f"./{next(_counter)}"  # never seen before
    return json.dumps(review(value, uid="hostile", namespace=_NAMESPACE)).encode()


def _deep(levels: int, count: int) -> str:
    return "[" + ",".join(["[" * levels + "]" * levels] * count) + "]"


def _update(value: str) -> bytes:
    """An update of one large object to another."""
    new, old = (json.loads(_object(json.dumps(each))) for each in ("NEW", "OLD"))
    document = {**new, "request": {**new["request"], "operation": "UPDATE"}}
    document["request"]["oldObject"] = old["request"]["object"]
    text = json.dumps(document)
    return text.replace('"NEW"', value).replace('"OLD"', value).encode()


SMALL: dict[str, Callable[[], bytes]] = {
    "operands": lambda: _expression(" || ".join(["status.a"] * 1000)),
    "macros": lambda: _expression("[1].exists(a," * 14 + "true" + ")" * 14),
    "brackets": lambda: _expression("(" * 5000 + "1" + ")" * 5000),
    "entries": lambda: _expression("status.a.exists(e, e.x == 'y')", 90),
    "wrong entries": lambda: _expression("status.a ==", 100),
    "a list": lambda: _expression("[" + ",".join(["1"] * 4000) + "] == []"),
    "regular expressions": lambda: _expression("status.a.matches('" + "(a|b)*c" * 800 + "')"),
}
"""Up to 16 KiB."""

LARGE: dict[str, Callable[[], bytes]] = {
    "operands": lambda: _expression(" || ".join(["status.a"] * 9000)),
    "lists": lambda: _expression("[" + ",".join(["1"] * 30_000) + "] == []", 12),
    "entries": lambda: _expression("status.a.exists(e, e.x == 'y')", 2000),
    "wrong entries": lambda: _expression("status.a ==", 5000),
    "texts": lambda: _expression("[" + ",".join(f"'{n}'" for n in range(90_000)) + "] == []"),
    "a text": lambda: _expression("'" + "a" * 1_400_000 + "'"),
}
"""70 KiB to 1.4 MiB, within the limits of what is linted."""

WORST: dict[str, Callable[[], bytes]] = {
    "lists": lambda: _object("[" + ",".join(["[]"] * 930_000) + "]"),
    "keys": lambda: _object("{" + ",".join(f'"k{n}":{n}' for n in range(200_000)) + "}"),
    "255 levels": lambda: _object(_deep(255, 5400)),
    "1200 levels": lambda: _object(_deep(1200, 1150), kind="HelmRelease"),
    "9000 levels": lambda: _object(_deep(9000, 150)),
    "an update": lambda: _update("[" + ",".join(["[]"] * 900_000) + "]"),
}
"""2.8 MB each, 5.6 MB for the update."""


def cycle(kinds: dict[str, Callable[[], bytes]], *, fresh: bool) -> Iterator[bytes]:
    """Endless bodies of these kinds; if `fresh`, no two are the same."""
    made: dict[str, Any] = {name: make() for name, make in kinds.items()}
    for name, make in itertools.cycle(kinds.items()):
        yield make() if fresh else made[name]
