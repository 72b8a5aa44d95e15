"""Builds the site: `python -m docs.site.build [DIRECTORY]`, dist/site without one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from docs.site import playground

ROOT = Path(__file__).parents[2]
CONFIGURATION = Path(__file__).with_name("mkdocs.yml")


def build(site: Path, configuration: Path = CONFIGURATION) -> None:
    """Write the site to a directory; raises `CalledProcessError` for a link that leads nowhere."""
    command = ["mkdocs", "build", "--strict", "--config-file", str(configuration)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", *command, "--site-dir", str(site.absolute())]
    subprocess.run(arguments, check=True, env=environment)  # noqa: S603


def main() -> None:
    """Build the playground, if Go is here, and the site."""
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist" / "site"
    try:
        playground.write(playground.DIRECTORY)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"the site has no playground, which Go builds: {error}", file=sys.stderr)  # noqa: T201
    try:
        build(site)
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)


if __name__ == "__main__":
    main()
