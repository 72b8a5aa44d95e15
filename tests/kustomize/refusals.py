"""Directories that Flux builds or refuses, and what the real one says of them.

`python -m tests.kustomize.refusals FLUX` asks the real one and writes the answers.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.files import write_files

TABLE = Path(__file__).with_name("refusals.jsonl")
APPLIER = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: NAME, namespace: flux-system}
spec:
  interval: 1h
  path: ./NAME
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
"""


def cases() -> list[Any]:
    """The directories by their files, each with the answer and what celvet says."""
    return [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]


def write(files: Mapping[str, str], root: Path) -> None:
    """Write the directory `web`, and the Kustomizations that apply it."""
    written = {f"web/{name}": text for name, text in files.items()}
    written |= {"flux/web.yaml": APPLIER.replace("NAME", "web")}
    written |= {"root.yaml": APPLIER.replace("NAME", "flux")}
    (root / ".git").mkdir()
    write_files(root, written)


def _is_refused(flux: str, files: Mapping[str, str]) -> bool:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        write(files, root)
        where = ["--path", str(root / "web"), "--kustomization-file", str(root / "flux/web.yaml")]
        command = [flux, "build", "kustomization", "web", *where, "--dry-run"]
        return subprocess.run(command, capture_output=True, check=False).returncode != 0


def main(flux: str) -> None:
    """Ask the real Flux about all directories."""
    answered = [{**case, "refused": _is_refused(flux, case["files"])} for case in cases()]
    TABLE.write_text("".join(f"{json.dumps(case)}\n" for case in answered), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
