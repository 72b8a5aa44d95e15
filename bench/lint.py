"""Compares `celvet lint` with kubeconform, yamllint and check-jsonschema, as whole processes.

    python -m bench.lint [--runs N] [--repository DIR]...

kubeconform gets no schemas (`-ignore-missing-schemas`), so it only parses the YAML; it is built
from the Go module proxy. A `cold` run has no cache of results, a `warm` one that of the previous
run. The small files show how long each tool takes to start.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import trees
from bench.side_by_side import HEAD, Command, celvet, compare

KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0"
_NO_SCHEMAS = ("-ignore-missing-schemas", "-schema-location", "/nowhere/{{.ResourceKind}}.json")


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.lint")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--repository", type=Path, action="append", default=[])
    given = parser.parse_args()
    print("\n".join(table(given.runs, given.repository)))


def table(runs: int, repositories: Sequence[Path]) -> Iterator[str]:
    """Rows for the start, the generated tree and each repository."""
    yield HEAD
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        yield from _start(directory, runs)
        tree = directory / "tree"
        trees.repository(tree)
        yield from _tree("generated repository", tree, directory / "cache", runs)
        for path in repositories:
            yield from _tree(path.name, path, directory / f"cache-{path.name}", runs)


def _start(directory: Path, runs: int) -> Iterator[str]:
    entry = trees.entry("example.io", "Example", "Ready")
    texts = {"one Flux file": trees.kustomization("a", entry), "one other file": trees.PLAIN}
    for title, text in texts.items():
        file = directory / f"{title.replace(' ', '-')}.yaml"
        file.write_text(text, encoding="utf-8")
        commands: dict[str, Command] = {"celvet": celvet("lint", "--no-cache", file)}
        if linter := _installed("yamllint"):
            commands["yamllint"] = (linter, "-d", "relaxed", file)
        if checker := _installed("check-jsonschema"):
            schema = directory / "any.json"
            schema.write_text("{}")
            commands["check-jsonschema"] = (checker, "--schemafile", schema, file)
        yield from compare(commands, runs, directory).rows("celvet", title)


def _tree(title: str, tree: Path, cache: Path, runs: int) -> Iterator[str]:
    tree = tree.absolute()
    commands: dict[str, Command] = {
        "kubeconform": (kubeconform(), *_NO_SCHEMAS, "-summary", tree),
        "celvet, cold": celvet("lint", "--no-cache", tree),
        "celvet, warm": celvet("lint", "--cache-dir", cache, tree),
    }
    yield from compare(commands, runs, tree).rows("kubeconform", title)


def _installed(name: str) -> Path | None:
    """A program of this environment or, failing that, of the system."""
    own = Path(sys.executable).with_name(name)
    found = own if own.exists() else shutil.which(name)
    return Path(found) if found else None


def kubeconform() -> Path:
    """The program, which is built if it is missing."""
    if found := _installed("kubeconform"):
        return found
    place = Path(tempfile.gettempdir()) / "celvet-bench-bin"
    if not (place / "kubeconform").exists():
        environment = {**os.environ, "GOBIN": str(place)}
        subprocess.run(["go", "install", KUBECONFORM], check=True, env=environment)
    return place / "kubeconform"


if __name__ == "__main__":
    main()
