"""Writes what each registry wants to know of a release, from the checksums of its archives.

    python .github/release/manifests.py ARCHIVES DIRECTORY

fills the templates in `manifests` from the archives of all platforms, and writes them to DIRECTORY,
with the hooks of pre-commit; and SHA256SUMS of all files beside the archives.
"""

from __future__ import annotations

import hashlib
import re
import runpy
import shutil
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_TEMPLATES = Path(__file__).with_name("manifests")
_SUMS = "SHA256SUMS"
_VERSION = runpy.run_path(str(_ROOT / "celvet" / "version.py"))
_PLATFORMS = ("darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64")
_PLACEHOLDER = re.compile(r"@(version|repository|(?:flux-)?(?:url|sha256) \w+)@")


def main() -> None:
    """Write checksums and manifests to the directories that are named."""
    archives, directory = map(Path, sys.argv[1:])
    files = sorted(path for path in archives.iterdir() if path.is_file() and path.name != _SUMS)
    checksums = {path.name: _sha256(path) for path in files}
    lines = [f"{checksum}  {name}\n" for name, checksum in checksums.items()]
    (archives / _SUMS).write_text("".join(lines), encoding="utf-8")
    values = _values(checksums)
    for template in sorted(_TEMPLATES.rglob("*.*")):
        target = directory / template.relative_to(_TEMPLATES)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = template.read_text(encoding="utf-8")
        text = _PLACEHOLDER.sub(lambda match: values[match[1]], text)
        target.write_text(text, encoding="utf-8")
    shutil.copy(_ROOT / ".pre-commit-hooks.yaml", directory / "pre-commit")


def _values(checksums: dict[str, str]) -> dict[str, str]:
    """The value of each placeholder; ends the program if the archive of a platform is missing."""
    version, repository = _VERSION["__version__"], _VERSION["REPOSITORY"]
    values = {"version": version, "repository": repository}
    for prefix in ("", "flux-"):
        for platform in _PLATFORMS:
            name = f"{prefix}celvet_{version}_{platform}.tar.gz"
            if name not in checksums:
                sys.exit(f"{name} is missing: run archive.py on that platform first")
            values[f"{prefix}url {platform}"] = f"{repository}/releases/download/v{version}/{name}"
            values[f"{prefix}sha256 {platform}"] = checksums[name]
    return values


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main()
