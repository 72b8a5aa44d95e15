"""Holds the claims of `unbounded-cost` against cel-go.

    python -m bench.cel_cost ORACLE

ORACLE answers a JSON line with `mode`, `expr` and `object` by the real cel-go. Each expression is
evaluated on the object of 1.5 MB that is worst for it. Printed are the seconds of CPU and the
memory beyond those of an expression that does nothing, and what celvet claims. Then the same for
`GROWING` on a part of the object, with how often that has to be taken for the whole.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from celvet.lint.cel import compile_expression
from celvet.schemas import load

_ALLOWED = 80
"""Seconds after which an evaluation is ended."""

_TEXT = "a" * 1_000_000
_ITEMS = [f"{'x' * 1_440}{number:04}" for number in range(1_000)]
OBJECTS: Mapping[str, Any] = {
    "text": {"status": {"message": _TEXT, "part": "a" * 400_000 + "b"}},
    "commas": {"status": {"message": "a," * 700_000}},
    "lines": {"status": {"message": "E\n" * 700_000}},
    "items": {"status": {"items": _ITEMS}},
    "numbers": {"status": {"items": list(range(1_000))}},
    "conditions": {
        "status": {
            "message": "m" * 700_000,
            "conditions": [
                {"type": f"T{number}", "status": "True", "message": "x" * 650}
                for number in range(1_000)
            ],
        }
    },
    "names": {
        "metadata": {"name": "n" * 253, "labels": {"v": "l" * 63}, "annotations": {"a": _TEXT}}
    },
}

_CUBED_TEXTS = "status.items.all(a, status.items.all(b, status.items.all(c, a != b || true)))"
_CUBED_NUMBERS = (
    "status.items.all(a, status.items.all(b, status.items.all(c, a <= b || b <= c || true)))"
)

EXPRESSIONS: tuple[tuple[str, str], ...] = (
    ("text", "status.message.contains(status.part)"),
    ("text", "status.message.startsWith(status.part)"),
    ("text", "status.message.endsWith(status.part)"),
    ("text", "status.message.indexOf(status.part) > 0"),
    ("text", "status.message.lastIndexOf(status.part) > 0"),
    ("text", "status.message.contains('needle')"),
    ("text", "status.message.indexOf('needle') > 0"),
    ("text", "status.message.size() > 3"),
    ("text", "status.message == status.part"),
    ("text", "status.message.lowerAscii() == 'x'"),
    ("text", "status.message.upperAscii().trim() == 'x'"),
    ("text", "status.message.replace('a', 'bb') == ''"),
    ("text", "status.message.replace('a', 'bb').replace('b', 'cc') == ''"),
    ("text", "status.message.replace('', status.part.substring(0, 100)) == ''"),
    ("text", "status.message.matches('a*b')"),
    ("text", "status.message.matches('(a|b|ab)*c')"),
    ("text", "status.message.matches('a{1,500}b')"),
    ("text", "status.message.split('').map(c, c + c).size() > 0"),
    ("text", "status.message.split('').filter(c, c == 'b').size() > 0"),
    ("text", "status.message.split('').all(c, c == 'a')"),
    ("text", "status.message.split('').join('-') == ''"),
    ("text", "base64.encode(bytes(status.message)) == ''"),
    ("text", "'%s'.format([status.message]) == ''"),
    ("text", "(status.message + status.message).size() > 0"),
    ("text", "[status.message, status.message].join(',') == ''"),
    ("commas", "status.message.split(',').map(c, c.trim()).exists(c, c == 'ok')"),
    ("commas", "status.message.split(',').exists(c, c == 'ok')"),
    ("commas", "status.message.split(',').filter(c, c != 'a').size() == 0"),
    ("items", "status.items.all(a, a != '')"),
    ("items", "status.items.all(a, status.items.exists(b, a == b))"),
    ("items", "status.items.all(a, status.items.all(b, a != b || true))"),
    ("items", "status.items.map(a, status.items.map(b, a)).size() > 0"),
    ("items", "status.items.map(a, status.items.map(b, a + b)).size() > 0"),
    ("items", "status.items.all(a, status.items.filter(b, b == a).size() == 1)"),
    ("items", "sets.contains(status.items, status.items)"),
    ("items", "status.items.all(a, a in status.items)"),
    ("items", "status.items.map(a, a.lowerAscii()).join(',') == ''"),
    ("items", "status.items.all(a, a.matches('^x+[0-9]+$'))"),
    ("items", _CUBED_TEXTS),
    ("numbers", "status.items.all(a, status.items.exists(b, a == b))"),
    ("numbers", "status.items.all(n, n in status.items)"),
    ("numbers", "sets.contains(status.items, status.items)"),
    ("numbers", "status.items.map(a, status.items.map(b, a)).size() > 0"),
    ("numbers", _CUBED_NUMBERS),
    ("conditions", "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"),
    ("conditions", "status.conditions.filter(c, c.type == 'Ready').all(c, c.status == 'True')"),
    ("conditions", "status.conditions.all(c, status.message.contains(c.type) || true)"),
    ("conditions", "status.conditions.all(c, status.conditions.exists(d, c.type == d.type))"),
    ("conditions", "sets.contains(status.conditions, status.conditions)"),
    ("conditions", "status.conditions.map(c, status.message + c.type).size() > 0"),
    ("conditions", "status.conditions.all(c, status.conditions.exists(d, c == d))"),
    ("names", "metadata.annotations.a.startsWith(metadata.name)"),
    ("names", "metadata.labels['v'].matches('^' + metadata.name)"),
    ("names", "metadata.name.matches(metadata.labels['v'])"),
    ("names", "metadata.annotations.a.contains(metadata.labels['v'])"),
)

COMMON: tuple[tuple[str, str], ...] = (
    (
        "conditions",
        "status.conditions.filter(c, c.type == 'Ready').map(c, c.status).exists(s, s == 'True')",
    ),
    ("conditions", "status.conditions.exists_one(c, c.type == 'T7')"),
    ("conditions", "status.conditions.map(c, c.type).exists(t, t in ['Ready', 'Synced'])"),
    ("conditions", "size(status.conditions.filter(c, c.status != 'True')) == 0"),
    ("conditions", "status.conditions.all(c, c.type != 'Ready' || c.message.contains('ready'))"),
    ("conditions", "status.conditions.exists(c, c.message.matches('.*(error|failed).*'))"),
    ("conditions", "status.conditions.exists(c, c.message.matches('(?i)error'))"),
    (
        "conditions",
        "status.conditions.map(c, c.type + '=' + c.status).join(',').contains('Ready=True')",
    ),
    ("conditions", "status.conditions.exists(c, c.message.lowerAscii().contains('error'))"),
    ("conditions", "status.conditions.filter(c, c.type in ['A', 'B', 'C']).size() == 3"),
    (
        "conditions",
        "status.conditions.all(c, status.conditions.filter(d, d.type == c.type).size() == 1)",
    ),
    ("conditions", "status.conditions.map(c, c.message.size()).exists(n, n > 5)"),
    (
        "conditions",
        "status.?conditions.orValue([]).exists(c, c.type == 'Ready' && c.status == 'True')",
    ),
    (
        "conditions",
        "status.conditions.filter(c, c.type.startsWith('T') && c.message.endsWith('y')).size() > 0",
    ),
    ("conditions", "json.encode(status.conditions).contains('Ready')"),
    (
        "conditions",
        "cel.bind(r, status.conditions.filter(c, c.type == 'Ready'), "
        "r.size() > 0 && r[0].status == 'True')",
    ),
    ("conditions", "status.conditions.map(c, c.type).distinct().size() > 3"),
    ("conditions", "status.conditions.sortBy(c, c.type)[0].type == 'T0'"),
    ("items", "status.items.map(a, a.size()).exists(n, n > 1000)"),
    ("items", "status.items.filter(a, a.startsWith('x')).size() == size(status.items)"),
    ("items", "status.items.exists(a, a.split('x').size() > 3)"),
    ("items", "status.items.distinct().size() == status.items.size()"),
    ("items", "status.items.sort()[0] == 'a'"),
    ("items", "status.items.join(',').contains('ready')"),
    ("items", "status.items.map(a, a.replace('x', 'yy')).exists(a, a == 'z')"),
    ("items", "status.items.reverse().slice(0, 3).exists(a, a.contains('9'))"),
    ("items", "sets.intersects(status.items, ['a', 'b', 'c'])"),
    ("items", "status.items.all(a, a.size() < 2000 && !a.contains(' '))"),
    ("items", "status.items.exists(a, status.items.exists(b, b.startsWith(a) && a != b))"),
    ("items", "status.items.map(a, a.substring(0, 3)).filter(p, p == 'xxx').size() > 0"),
    ("numbers", "status.items.map(n, n * 2).exists(n, n > 1998)"),
    ("numbers", "math.greatest(status.items) > 3"),
    ("numbers", "status.items.sort()[999] == 999"),
    ("numbers", "status.items.map(n, string(n)).join(',').size() > 0"),
    ("numbers", "status.items.filter(n, n % 2 == 0).map(n, double(n)).all(d, d >= 0.0)"),
    ("numbers", "lists.range(1000).all(i, status.items[i] == i)"),
    (
        "text",
        "status.message.lowerAscii().contains('error') || status.message.matches('^(ok|ready)$')",
    ),
    ("text", "status.message.matches('([a-z]+ )*failed')"),
    ("text", "status.message.matches('^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$')"),
    ("text", "status.message.replace('a', '').size() == 0"),
    (
        "text",
        "status.message.substring(0, 100).contains('ready') || status.message.charAt(5) == 'x'",
    ),
    ("text", "strings.quote(status.message).size() > 3"),
    ("text", "status.message.reverse().startsWith('b')"),
    ("commas", "status.message.split(',').map(p, p.size()).exists(n, n > 3)"),
    ("commas", "status.message.split(',').distinct().size() > 1"),
    ("commas", "'ready' in status.message.split(',')"),
    ("commas", "status.message.split(',')[0] == 'a'"),
    ("commas", "status.message.split(',', 3).size() == 3"),
    ("lines", "status.message.split('\\n').exists(l, l.startsWith('ERROR'))"),
    ("lines", "status.message.split('\\n').all(l, !l.contains('error') || l.endsWith('ok'))"),
    ("lines", "status.message.split('\\n').exists(l, l.matches('^v[0-9]+$'))"),
)
"""Expressions as people write them, by which the claims were not made."""

GROWING: tuple[tuple[str, int, int, str], ...] = (
    ("text", 8, 2, "status.message.indexOf(status.part) > 0"),
    ("text", 8, 2, "status.message.lastIndexOf(status.part) > 0"),
    ("items", 5, 3, _CUBED_TEXTS),
    ("numbers", 5, 3, _CUBED_NUMBERS),
)
"""Those that take too long on the whole object: its part, and the power with which they grow."""


class Measured(NamedTuple):
    """Seconds of CPU and MiB of memory; None for an evaluation that was ended."""

    seconds: float
    mebibytes: float


def measure(oracle: str, expression: str, obj: Any) -> Measured | None:
    """What one evaluation takes, the reading of the object included."""
    request = json.dumps({"mode": "eval", "expr": expression, "object": obj}) + "\n"
    code = (
        "import json, resource, subprocess, sys\n"
        "ran = subprocess.run([sys.argv[1]], input=sys.stdin.buffer.read(), capture_output=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))\n"
    )
    try:
        ran = subprocess.run(
            [sys.executable, "-c", code, oracle],
            input=request.encode(),
            capture_output=True,
            timeout=_ALLOWED,
            check=True,
            preexec_fn=_limited,
        )
    except subprocess.TimeoutExpired:
        return None
    return Measured(*json.loads(ran.stdout))


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_ALLOWED, _ALLOWED))


def main(oracle: str) -> None:
    """Print the table as Markdown."""
    dialect = load().dialects["flux-health"]
    print("| object | expression | measured | claimed |\n|---|---|---|---|")
    for name, text in (*EXPRESSIONS, *COMMON):
        claim = compile_expression(text, dialect).excess
        shown = _shown(oracle, text, OBJECTS[name])
        print(
            f"| {name} | `{_cell(text)}` | {shown} | {claim.amount if claim else ''} |", flush=True
        )
    print("\n| part of the object | expression | measured | times |\n|---|---|---|---|")
    for name, parts, power, text in GROWING:
        shown = _shown(oracle, text, _part(OBJECTS[name], parts))
        print(f"| 1/{parts} of {name} | `{_cell(text)}` | {shown} | {parts**power} |", flush=True)


def _shown(oracle: str, text: str, obj: Any) -> str:
    found, nothing = measure(oracle, text, obj), measure(oracle, "true", obj)
    if not found or not nothing:
        return f"over {_ALLOWED} s"
    seconds = max(found.seconds - nothing.seconds, 0)
    memory = max(found.mebibytes - nothing.mebibytes, 0)
    return f"{seconds:.2f} s, {memory:.0f} MiB"


def _part(obj: Any, parts: int) -> Any:
    """The object with the end of each text and list of its status, of so much length."""
    return {"status": {key: held[-(len(held) // parts) :] for key, held in obj["status"].items()}}


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main(sys.argv[1])
