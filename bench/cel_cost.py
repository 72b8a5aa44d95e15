"""Compares what `unbounded-cost` claims with what cel-go takes.

    python -m bench.cel_cost ORACLE

ORACLE is a program that asks the real cel-go: it answers JSON lines with `mode`, `expr` and
`object`. Each expression is evaluated on the object of 1.5 MB that is worst for it. The first
tables show CPU seconds and memory, less those of an expression that does nothing, beside celvet's
claim. The last one has the expressions of `growing`, which take too long on a whole object: what
they take on a part of it, and the factor for the whole.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from celvet.lint.cel import compile_expression
from celvet.schemas import load

_TABLE = Path(__file__).with_suffix(".yaml")

_ALLOWED = 80
"""Seconds after which an evaluation is stopped."""

_TEXT = "a" * 1_000_000
_ITEMS = [f"{'x' * 1_440}{number:04}" for number in range(1_000)]
OBJECTS: Mapping[str, Any] = {
    "text": {"status": {"message": _TEXT, "part": "a" * 400_000 + "b"}},
    "long": {"status": {"message": _TEXT, "phase": "x"}, "metadata": {"name": "n" * 253}},
    "commas": {
        "status": {"message": "a," * 700_000, "phase": "x"},
        "metadata": {"name": "n" * 253},
    },
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
    "same": {"status": {"message": "m" * 1_300_000, "conditions": [{"type": "m"}] * 1_000}},
    "types": {
        "status": {
            "message": "a" * 700_000,
            "conditions": [{"type": "a" * 700 + "b"}] * 1_000,
        }
    },
    "pattern": {"status": {"message": "a" * 1_400_000, "pattern": "a{1,1000}" * 1_599 + "b" * 9}},
    "dots": {
        "metadata": {"name": "a.a." * 62 + "b", "labels": {"v": "." * 62 + "b"}},
        "status": {"message": "a" * 1_400_000},
    },
    "uneven": {"status": {"message": "a" * 900_000, "items": ["a" * 500] * 1_000}},
    "longest": {"status": {"items": [*["a" * 700] * 999, "a" * 700_000 + "b"]}},
    "equations": {"status": {"message": "a=b," * 350_000}},
    "pairs": {"status": {"message": "k: v\n" * 280_000}},
    "pods": {
        "status": {
            "pods": [
                {
                    "name": f"p{number}",
                    "containers": [{"name": "c", "ready": True, "image": "x" * 60 + ":1"}] * 10,
                }
                for number in range(900)
            ]
        }
    },
    "labels": {
        "metadata": {
            "labels": {f"app/{'k' * 50}{number:04}": "v" * 60 for number in range(5_000)},
            "annotations": {f"example.com/{number}": "a," * 700 for number in range(1_000)},
        }
    },
    "names": {
        "metadata": {"name": "n" * 253, "labels": {"v": "l" * 63}, "annotations": {"a": _TEXT}}
    },
}


class Measured(NamedTuple):
    """Seconds of CPU and MiB of memory; None for an evaluation that was stopped."""

    seconds: float
    mebibytes: float


def measure(oracle: str, expression: str, obj: Any) -> Measured | None:
    """The cost of one evaluation, including the time to read the object.

    Raises `ValueError` for an expression that fails, because a failure takes no time.
    """
    request = json.dumps({"mode": "eval", "expr": expression, "object": obj}) + "\n"
    code = (
        "import json, resource, subprocess, sys\n"
        "ran = subprocess.run([sys.argv[1]], input=sys.stdin.buffer.read(), capture_output=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "answer = json.loads(ran.stdout)\n"
        "spent = [used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]\n"
        "print(json.dumps([spent, answer.get('error', '')]))\n"
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
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    spent, error = json.loads(ran.stdout)
    if error:
        raise ValueError(error)
    return Measured(*spent)


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_ALLOWED, _ALLOWED))


def main(oracle: str) -> None:
    """Print the tables as Markdown."""
    dialect = load().dialects["flux-health"]
    table = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    for part in ("first", "usual", "loops"):
        print(f"\n{part}\n\n| object | expression | measured | claimed |\n|---|---|---|---|")
        for name, texts in table[part].items():
            for text in texts:
                claim = compile_expression(text, dialect).excess
                shown, claimed = _shown(oracle, text, OBJECTS[name]), claim.amount if claim else ""
                print(f"| {name} | `{_cell(text)}` | {shown} | {claimed} |", flush=True)
    print("\n| part of the object | expression | measured | times |\n|---|---|---|---|")
    for each in table["growing"]:
        name, parts, text = each["object"], each["parts"], each["expression"]
        shown = _shown(oracle, text, _part(OBJECTS[name], parts))
        times = parts ** each["power"]
        print(f"| 1/{parts} of {name} | `{_cell(text)}` | {shown} | {times} |", flush=True)


def _shown(oracle: str, text: str, obj: Any) -> str:
    found, nothing = measure(oracle, text, obj), measure(oracle, "true", obj)
    if not found or not nothing:
        return f"over {_ALLOWED} s"
    seconds = max(found.seconds - nothing.seconds, 0)
    memory = max(found.mebibytes - nothing.mebibytes, 0)
    return f"{seconds:.2f} s, {memory:.0f} MiB"


def _part(obj: Any, parts: int) -> Any:
    """The object with the last part of each string and list of its status."""
    return {"status": {key: held[-(len(held) // parts) :] for key, held in obj["status"].items()}}


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main(sys.argv[1])
