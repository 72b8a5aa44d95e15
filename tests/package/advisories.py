"""Writes `advisories.yaml`: `python -m tests.package.advisories DATABASE`.

It takes what is known of the packages that we install from a clone of
github.com/pypa/advisory-database, in the form of https://ossf.github.io/osv-schema/, so that each
run of the tests can look for it without a network.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.package.test_bill_of_materials import ADVISORIES, INSTALLED, bill


def main() -> None:
    """Replace the file by what the database has now."""
    (database,) = map(Path, sys.argv[1:])
    command = ["git", "-C", str(database), "log", "-1", "--format=%h of %cs"]
    commit = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    packages = sorted({package for name in INSTALLED for package in bill(name)})
    entries = {package: list(_entries(database / "vulns" / package)) for package in packages}
    text = yaml.safe_dump({package: entries[package] for package in packages if entries[package]})
    source = f"github.com/pypa/advisory-database at {commit.strip()}, by `make advisories`"
    ADVISORIES.write_text(f"# From {source}.\n{text}", encoding="utf-8")


def _entries(directory: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(directory.glob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "withdrawn" not in document:
            parts = document["affected"]
            spans = [span for part in parts for span in part.get("ranges", ())]
            ranges = [span["events"] for span in spans if span["type"] == "ECOSYSTEM"]
            versions = [text for part in parts for text in part.get("versions", ())]
            fields = {"ranges": ranges} if ranges else {"versions": versions}
            yield {"id": document["id"], **fields}


if __name__ == "__main__":
    main()
