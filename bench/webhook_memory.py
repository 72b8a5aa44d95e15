"""Memory of the processes of `celvet serve` under reviews with new expressions.

    python -m bench.webhook_memory [--expressions N]

Prints the resident memory (MB) of the server and of the processes below it at each tenth
of the way.
"""

from __future__ import annotations

import argparse
import http.client
import json
import ssl
import tempfile
from pathlib import Path

from bench.webhook_peer import EXPRESSIONS, OURS, certificates, review, serving


def main() -> None:
    """Send, look, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.webhook_memory")
    parser.add_argument("--expressions", type=int, default=200_000)
    count = parser.parse_args().expressions // EXPRESSIONS
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        certificates(directory)
        with serving(directory) as pid:
            context = ssl.create_default_context(cafile=directory / "certs/ca.crt")
            client = http.client.HTTPSConnection("localhost", OURS, context=context)
            for index in range(count + 1):
                client.request("POST", "/validate", json.dumps(review(index)).encode())
                if b'"allowed": true' not in client.getresponse().read():
                    raise SystemExit("a good review was refused")
                if index % (count // 10) == 0:
                    print(f"{index * EXPRESSIONS:>8} expressions: {_megabytes(pid)}", flush=True)


def _megabytes(server: int) -> str:
    sizes = ", ".join(f"{_resident(pid):.0f}" for pid in _below(server))
    return f"server {_resident(server):.0f} MB, below it {sizes} MB"


def _below(pid: int) -> list[int]:
    """The fork server, its forks, the resource tracker."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = sorted(
        int(child) for task in tasks for child in (task / "children").read_text().split()
    )
    return [each for child in children for each in (child, *_below(child))]


def _resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


if __name__ == "__main__":
    main()
