"""Memory of the processes of `celvet serve` under reviews of new objects.

    python -m bench.webhook_memory [--objects N] [--clients N]

Prints ten times the resident memory (MB) of the server and of the processes below it, and that of
all of them together, which counts shared pages once. A single client gets every warning; several
clients mostly get only errors.
"""

from __future__ import annotations

import argparse
import http.client
import json
import ssl
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.webhook_peer import OURS, certificates, review, serving


def main() -> None:
    """Send the reviews, and print the memory."""
    parser = argparse.ArgumentParser(prog="python -m bench.webhook_memory")
    parser.add_argument("--objects", type=int, default=200_000)
    parser.add_argument("--clients", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        certificates(directory)
        with serving(directory) as pid, ThreadPoolExecutor(given.clients) as clients:
            context = ssl.create_default_context(cafile=directory / "certs/ca.crt")
            for tenth in range(11):
                print(f"{tenth * given.objects // 10:>8} objects: {_megabytes(pid)}", flush=True)
                if tenth < 10:
                    numbers = range(tenth * given.objects // 10, (tenth + 1) * given.objects // 10)
                    shares = [numbers[first :: given.clients] for first in range(given.clients)]
                    for _ in clients.map(lambda share: _send(context, share), shares):
                        pass


def _send(context: ssl.SSLContext, numbers: range) -> None:
    client = http.client.HTTPSConnection("localhost", OURS, context=context)
    for number in numbers:
        client.request("POST", "/validate", json.dumps(review(number)).encode())
        if b'"allowed": true' not in client.getresponse().read():
            raise SystemExit("a good review was refused")
    client.close()


def _megabytes(server: int) -> str:
    below = list(_below(server))
    sizes = ", ".join(f"{_memory(pid, 'Rss'):.0f}" for pid in below)
    together = sum(_memory(pid, "Pss") for pid in (server, *below))
    return f"server {_memory(server, 'Rss'):.0f} MB, below it {sizes} MB, all {together:.0f} MB"


def _below(pid: int) -> Iterator[int]:
    """The fork server, its forks, the resource tracker."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    for child in sorted(
        int(child) for task in tasks for child in (task / "children").read_text().split()
    ):
        yield child
        yield from _below(child)


def _memory(pid: int, what: str) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{what}:"))


if __name__ == "__main__":
    main()
