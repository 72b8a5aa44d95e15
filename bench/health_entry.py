"""Evaluates one health check entry with celvet's CEL and with the pure-Python `cel-python`.

    pip install cel-python
    python -m bench.health_entry [--runs N] [--evaluations N]

The entry is like those in Flux's RFC-0009: three expressions, compiled once, on an object that
changes with each evaluation. Both engines get the object as decoded JSON. They run in turn, so that
other load on the machine affects both.
"""

from __future__ import annotations

import argparse
import copy
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from celvet import schemas
from celvet.lint.cel import Activation, compile_expression
from celvet.schemas.dialect import Dialect

_ENTRY = tuple(
    f"status.conditions.exists(e, e.type == 'Ready' && e.status == '{status}')"
    for status in ("Unknown", "False", "True")
)
_OBJECT = {
    "apiVersion": "cluster.x-k8s.io/v1beta1",
    "kind": "Cluster",
    "metadata": {"name": "c", "namespace": "d", "generation": 3, "labels": {"team": "x"}},
    "spec": {"paused": False, "replicas": 3},
    "status": {
        "observedGeneration": 3,
        "phase": "Provisioned",
        "conditions": [
            {"type": kind, "status": "True", "reason": "Up", "message": "all is well"}
            for kind in ("ControlPlaneReady", "InfrastructureReady", "Ready")
        ],
    },
}

Check = Callable[[dict[str, Any]], list[bool]]
"""The values of the entry's expressions on an object."""


def main() -> None:
    """Check that both agree, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.health_entry")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--evaluations", type=int, default=10_000, help="of the whole entry")
    options = parser.parse_args()
    ours, theirs = _ours(), _theirs()
    if ours(_OBJECT) != theirs(_OBJECT) or ours(_OBJECT) != [False, False, True]:
        sys.exit("the two disagree")
    # cel-python gets only some of them, or a run would take a minute.
    few = max(options.evaluations // 20, 1)
    pairs = [
        (_seconds(ours, options.evaluations), _seconds(theirs, few)) for _ in range(options.runs)
    ]
    _print(pairs)


def _ours() -> Check:
    path = Path(schemas.__file__).parent / "dialects" / "flux-health.json"
    dialect = Dialect.from_json("flux-health", json.loads(path.read_text(encoding="utf-8")))
    compiled = [compile_expression(text, dialect) for text in _ENTRY]

    def check(subject: dict[str, Any]) -> list[bool]:
        bound = Activation(subject)
        return [each.evaluate(bound).value for each in compiled]

    return check


def _theirs() -> Check:
    try:
        import celpy  # type: ignore[import-not-found]
    except ImportError:
        sys.exit("this needs the package cel-python: pip install cel-python")
    environment = celpy.Environment()
    programs = [environment.program(environment.compile(text)) for text in _ENTRY]

    def check(subject: dict[str, Any]) -> list[bool]:
        variables = {name: celpy.json_to_cel(value) for name, value in subject.items()}
        return [bool(program.evaluate(variables)) for program in programs]

    return check


def _seconds(check: Check, times: int) -> float:
    """Seconds for one evaluation of the entry."""
    subjects = [copy.deepcopy(_OBJECT) for _ in range(times)]
    start = time.perf_counter()
    for subject in subjects:
        check(subject)
    return (time.perf_counter() - start) / times


def _print(pairs: Sequence[tuple[float, float]]) -> None:
    ratios = sorted(theirs / ours for ours, theirs in pairs)
    ours, theirs = (statistics.median(side) * 1e6 for side in zip(*pairs, strict=True))
    print(
        f"an entry, microseconds: celvet {ours:.0f}, cel-python {theirs:.0f},"
        f" ratio {statistics.median(ratios):.0f} ({ratios[0]:.0f} to {ratios[-1]:.0f})"
    )


if __name__ == "__main__":
    main()
