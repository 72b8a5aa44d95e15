"""All benchmarks in one run: `make bench`.

    python -m bench [--write] [--quick] [--only NAME]... [--repository DIR]... [--crds DIR]

Prints the sections of `docs/performance.md`; with `--write`, writes them there. Takes seven
minutes on two cores that have nothing else to do; with `--quick`, which shows that everything
runs and nothing else, four.
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

`make bench` writes this page: {machine}. Commands that are compared ran in turn. Figures
are medians; in parentheses is the spread of the ratios. A time alone says little on another
machine. [bench/](../bench/README.md) has what is measured.

To repeat it: Go, Linux with two cores that do nothing else, and

    make bench
    make bench BENCH="--repository ~/src/home-ops --crds ~/src/crds"
"""


class Section(NamedTuple):
    """A benchmark: its module and arguments, whether it prints tables, and what makes it short."""

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
        "`cold` is without a cache of results, `warm` with that of the run before. kubeconform only"
        " parses YAML here: it has no schemas.",
        "bench.lint",
        tables=True,
        quick=("--runs", "1"),
    ),
    Section(
        "growth",
        "What linting grows with",
        "New expressions in each row, in one process.",
        "bench.growth",
        tables=True,
    ),
    Section(
        "webhook",
        "Admission",
        "The webhook with all rules, and a webhook in Go that only compiles, each on one core.",
        "bench.webhook_peer",
        ("--runs", "7", "--seconds", "3"),
        quick=("--runs", "1", "--seconds", "1"),
    ),
    Section(
        "memory",
        "Memory of admission",
        "Under reviews of objects that were never seen.",
        "bench.webhook_memory",
        ("--expressions", "21000"),
        quick=("--expressions", "500"),
    ),
    Section(
        "editor",
        "The editor",
        "Files of 2,000 lines; times from the message to the answer.",
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
    load = f"a load of {os.getloadavg()[0]:.1f} at the start"
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
