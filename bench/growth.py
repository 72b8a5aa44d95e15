"""How the time of linting scales, in one process.

    python -m bench.growth [--crds DIR]

Each row lints new texts, so that no cache helps. The shortest of three times counts, because other
load on the machine only adds to it.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import trees
from celvet.lint.crds import SchemaSources
from celvet.lint.engine import Settings, lint_text
from celvet.lint.repository.index import Index

_TIMES = 3
HEAD = "| | amount | CPU, ms | ms each |\n|---|---|---|---|"

Texts = Callable[[str, int], list[str]]
"""Makes the texts to lint, from a word that no other texts contain and an amount."""

Work = Callable[[str, int], Callable[[], object]]
"""Makes what is measured, from the same arguments."""


def main() -> None:
    """Measure and print, with the garbage collector set as in `celvet lint`."""
    gc.set_threshold(100_000, 20, 20)
    parser = argparse.ArgumentParser(prog="python -m bench.growth")
    parser.add_argument("--crds", type=Path)
    print("\n".join(table(parser.parse_args().crds)))


def table(crds: Path | None = None) -> Iterator[str]:
    """A row for each thing in each of several amounts."""
    yield HEAD
    lint_text(trees.kustomization("warm", trees.entry("a.io", "A", "Up")))
    for title, amounts, texts in _GROWING:
        for amount in amounts:
            yield _row(title, amount, _linting(texts, Settings()))
    for amount in (10, 100, 400, 1_600):
        yield _row("Kustomizations of a repository, only its index", amount, _indexing)
    if crds:
        for amount in (1, 10, 100):
            settings = Settings(crds=SchemaSources((crds,)))
            yield _row(f"entries, CRDs from {crds.name}", amount, _linting(_entries, settings))


def _row(title: str, amount: int, work: Work) -> str:
    spent = []
    for turn in range(_TIMES):
        run = work(f"{title.split(maxsplit=1)[0]}{amount}t{turn}", amount)
        start = time.process_time()
        run()
        spent.append(1000 * (time.process_time() - start))
    least = min(spent)
    return f"| {title} | {amount:,} | {least:.1f} | {least / amount:.2f} |"


def _linting(texts: Texts, settings: Settings) -> Work:
    def work(word: str, amount: int) -> Callable[[], object]:
        made = texts(word, amount)
        return lambda: [lint_text(text, settings=settings) for text in made]

    return work


def _indexing(_: str, amount: int) -> Callable[[], object]:
    tree = TemporaryDirectory()
    trees.applied(Path(tree.name), amount)
    return lambda: Index(Path(tree.name)).applications


def _entries(word: str, amount: int) -> list[str]:
    entries = (trees.entry("example.io", "Example", f"{word}x{number}") for number in range(amount))
    return [trees.kustomization(word, *entries)]


def _different(word: str, amount: int) -> list[str]:
    entries = (
        trees.entry("example.io", "Example", word).replace(".conditions", f".{word}{number}")
        for number in range(amount)
    )
    return [trees.kustomization(word, *entries)]


def _kinds(word: str, amount: int) -> list[str]:
    entries = (trees.entry("example.io", f"Kind{number}", word) for number in range(amount))
    return [trees.kustomization(word, *entries)]


def _files(word: str, amount: int) -> list[str]:
    return [
        trees.kustomization(number, trees.entry("example.io", "Example", word))
        for number in range(amount)
    ]


def _conjuncts(word: str, amount: int) -> list[str]:
    return [trees.kustomization(word, trees.conjuncts(amount).replace("Ready", word))]


def _kilobytes(word: str, amount: int) -> list[str]:
    lines = (f"  key-{number}: some text of {word}\n" for number in range(amount * 1024 // 40))
    ballast = f"---\napiVersion: v1\nkind: ConfigMap\ndata:\n{''.join(lines)}"
    return [trees.kustomization(word, trees.entry("example.io", "Example", word)) + ballast]


_GROWING: Sequence[tuple[str, Sequence[int], Texts]] = (
    ("different entries in an object", (1, 10, 100, 400, 1_600), _different),
    ("entries that differ by a name", (1, 10, 100, 400, 1_600), _entries),
    ("equal entries for different kinds", (1, 10, 100, 400), _kinds),
    ("files with the same entry", (1, 10, 100, 400), _files),
    ("conjuncts in an expression", (1, 2, 4, 8, 16, 24, 32), _conjuncts),
    ("KiB of other documents in a file", (1, 10, 100, 1_000), _kilobytes),
)


if __name__ == "__main__":
    main()
