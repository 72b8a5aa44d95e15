"""The worst bodies that an API server lets through: requests of up to 3 MiB, 10,000 levels deep."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.webhook.reviews import kustomization, review

NAMESPACE = "hostile"
_counter = itertools.count()


def _object(value: str, *, kind: str = "Kustomization") -> bytes:
    """A review of an object with a piece of JSON where the API server keeps any."""
    document = review(kustomization("status.a == 1"), uid=f"{next(_counter)}", namespace=NAMESPACE)
    document["request"]["object"]["spec"]["x"] = "VALUE"
    document["request"]["object"]["kind"] = kind
    return json.dumps(document).replace('"VALUE"', value).encode()


def _expression(text: str, entries: int = 1) -> bytes:
    value = kustomization(text)
    first = value["spec"]["healthCheckExprs"][0]
    value["spec"]["healthCheckExprs"] = [{**first, "kind": f"X{n}"} for n in range(entries)]
    value["spec"]["path"] = f"./{next(_counter)}"  # never seen before
    return json.dumps(review(value, uid="hostile", namespace=NAMESPACE)).encode()


def _deep(levels: int, count: int) -> str:
    return "[" + ",".join(["[" * levels + "]" * levels] * count) + "]"


def _update(value: str) -> bytes:
    """An update of one large object to another."""
    new, old = (json.loads(_object(json.dumps(each))) for each in ("NEW", "OLD"))
    document = {**new, "request": {**new["request"], "operation": "UPDATE"}}
    document["request"]["oldObject"] = old["request"]["object"]
    text = json.dumps(document)
    return text.replace('"NEW"', value).replace('"OLD"', value).encode()


def _other(kind: str, **spec: Any) -> bytes:
    """A review of an object of another kind, never seen before."""
    group = "fluxcd.controlplane.io/v1" if kind == "ResourceSet" else "helm.toolkit.fluxcd.io/v2"
    metadata = {"name": f"n{next(_counter)}", "namespace": NAMESPACE}
    value = {"apiVersion": group, "kind": kind, "metadata": metadata, "spec": spec}
    return json.dumps(review(value, uid="hostile", namespace=NAMESPACE)).encode()


def _template(text: str) -> bytes:
    return _other("ResourceSet", inputs=[{"a": "b"}], resourcesTemplate=text)


def _patched(text: str) -> bytes:
    value = kustomization(f"status.a == {next(_counter)}")
    value["spec"]["patches"] = [{"patch": text, "target": {"kind": "A"}}] * 3
    return json.dumps(review(value, uid="hostile", namespace=NAMESPACE)).encode()


_ALIASES = "\n".join(
    [
        "a0: &a0 [x, x, x, x, x, x, x, x, x]",
        *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)),
    ]
)
_FLOW = "{a: " * 700 + "1" + "}" * 700
_MERGES = "\n".join(f"b{n}: &b{n} {{<<: *b{n - 1}, k{n}: 1}}" for n in range(1, 300))
_SLOW = (
    "status.conditions.exists(c, c.type == 'x'"
    " && status.x.all(y, y.exists(z, z.a == c.b || z.matches('(a+)+$'))))"
)

LIMIT: dict[str, Callable[[], bytes]] = {
    "nested macros": lambda: _expression(
        f"{' && '.join([_SLOW] * 20)} && status.n{next(_counter)}"
    ),
    "regular expressions": lambda: _expression(
        " || ".join(f"status.a.matches('(x+x+)+{next(_counter)}{{9}}')" for _ in range(60))
    ),
    "operands": lambda: _expression(" || ".join(f"status.a{next(_counter)}" for _ in range(240))),
}
"""Below 4 KiB, as short as honest ones, and up to the limit of processor time."""

RESOURCE_SETS: dict[str, Callable[[], bytes]] = {
    "until": lambda: _template("{{ range until 1000000000 }}x{{ end }}"),
    "ranges": lambda: _template("{{ range until 9999 }}{{ range until 9999 }}x{{ end }}{{ end }}"),
    "recursion": lambda: _template(
        '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}'
    ),
    "repeat": lambda: _template('{{ repeat 1000000000 "x" }}'),
    "printf": lambda: _template('{{ printf "%1000000000d" 1 }}'),
    "regex": lambda: _template(f'{{{{ regexMatch "(a+)+$" "{"a" * 3000}!" }}}}'),
    "blocks": lambda: _template("{{ if true }}" * 3000 + "x" + "{{ end }}" * 3000),
    "aliases": lambda: _template(_ALIASES),
}
PATCHES: dict[str, Callable[[], bytes]] = {
    "aliases": lambda: _patched(_ALIASES),
    "a deep mapping": lambda: _patched(_FLOW),
    "merge keys": lambda: _patched(f"b0: &b0 {{}}\n{_MERGES}"),
    "documents": lambda: _patched("---\n{}\n" * 3000),
    "operations": lambda: _patched("- {op: add, path: /a, value: 1}\n" * 900),
    "anchors": lambda: _patched("\n".join(f"k{n}: &k{n} *k{n - 1}" for n in range(1, 2000))),
}
RELEASES: dict[str, Callable[[], bytes]] = {
    "values": lambda: _other("HelmRelease", values=json.loads("[" * 900 + "]" * 900)),
    "keys": lambda: _other("HelmRelease", values={f"k{n}": n for n in range(3000)}),
    "postRenderers": lambda: _other(
        "HelmRelease", postRenderers=[{"kustomize": {"patches": [{"patch": _ALIASES}] * 20}}]
    ),
}

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
