"""All benchmarks in one run: `make bench`.

    python -m bench [--write] [--quick] [--only NAME]... [--repository DIR]... [--crds DIR]

Prints the sections of `docs/performance.md`, or writes them there with `--write`. Takes seven
minutes on two idle cores; with `--quick` four, which only shows that everything runs.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).parents[1]
_DOCUMENT = _ROOT / "docs" / "performance.md"

_HEAD = """\
# Performance

`make bench` wrote this page on {machine}. Compared commands ran in turn. Figures
are medians; the range of a ratio is in parentheses. Compare ratios rather than times, which
depend on the machine. [bench/](../bench/README.md) describes each benchmark.

To repeat it, you need Go and Linux with two idle cores:

    make bench
    make bench BENCH="--repository ~/src/home-ops --crds ~/src/crds"
"""


class Section(NamedTuple):
    """A benchmark: module, arguments, whether it prints tables, arguments of a quick run."""

    name: str
    title: str
    words: str
    module: str
    arguments: Sequence[str] = ()
    tables: bool = False
    quick: Sequence[str] = ()


_SECTIONS = (
    Section(
        "lint",
        "celvet lint",
        "A `cold` run has no cache of results, a `warm` one that of the previous run. kubeconform"
        " has no schemas here, so it only parses the YAML.",
        "bench.lint",
        tables=True,
        quick=("--runs", "1"),
    ),
    Section(
        "growth",
        "How linting scales",
        "Everything runs in one process, and every run has expressions that are new to it.",
        "bench.growth",
        tables=True,
    ),
    Section(
        "index",
        "The index of a repository",
        "The share of the index in a `cold` run, in one process: of making it, and with the"
        " questions of the rules to it.",
        "bench.index_share",
        tables=True,
        quick=("--runs", "1"),
    ),
    Section(
        "webhook",
        "Admission",
        "The webhook runs all rules; a webhook in Go only compiles the expressions. Each has"
        " one core.",
        "bench.webhook_peer",
        ("--runs", "7", "--seconds", "3"),
        quick=("--runs", "1", "--seconds", "1"),
    ),
    Section(
        "memory",
        "Memory of the webhook",
        "Resident memory while it reviews new objects. The processes below the server are the fork"
        " server, its forks and the\nresource tracker.",
        "bench.webhook_memory",
        ("--objects", "3000"),
        quick=("--objects", "100"),
    ),
    Section(
        "editor",
        "The editor",
        "Files of 2,000 lines; times run from the request to the answer.",
        "bench.lsp_latency",
    ),
)


def main() -> None:
    """Run the benchmarks, print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--quick", action="store_true")
    names = [each.name for each in _SECTIONS]
    parser.add_argument("--only", action="append", choices=names, default=[])
    parser.add_argument("--repository", type=Path, action="append", default=[])
    parser.add_argument("--crds", type=Path)
    given = parser.parse_args()
    more = {
        "lint": [text for path in given.repository for text in ("--repository", str(path))],
        "index": [*map(str, given.repository)],
        "growth": ["--crds", str(given.crds)] if given.crds else [],
    }
    parts = [_HEAD.format(machine=_machine())]
    for section in _SECTIONS:
        if section.name in (given.only or names):
            print(f"{section.title} ...", file=sys.stderr, flush=True)
            short = section.quick if given.quick else section.arguments
            parts.append(_text(section, [*short, *more.get(section.name, [])]))
    page = "\n".join(parts)
    if given.write:
        _DOCUMENT.write_text(page, encoding="utf-8")
    else:
        print(page)


def _text(section: Section, arguments: Sequence[str]) -> str:
    command = [sys.executable, "-m", section.module, *arguments]
    ran = subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.PIPE, text=True)
    shown = ran.stdout if section.tables else f"```text\n{ran.stdout}```\n"
    return f"## {section.title}\n\n{section.words}\n\n{shown}"


def _machine() -> str:
    python = platform.python_version()
    parts = [f"{os.cpu_count()} processors ({_processor()})", platform.system(), f"Python {python}"]
    commit = ["git", "-C", str(_ROOT), "describe", "--always"]
    ran = subprocess.run(commit, check=False, capture_output=True, text=True)
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    return ", ".join([*parts, *filter(None, [ran.stdout.strip()]), load])


def _processor() -> str:
    found: Iterator[str] = (
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    )
    return next(found, platform.machine())


if __name__ == "__main__":
    main()
