"""`python -m tests.fuzz.oracle` builds the programs; status 1 and the reason if it cannot."""

from __future__ import annotations

import subprocess
import sys

from tests.fuzz import oracle


def main() -> None:
    """Build the program of each version of cel-go, where it is not there yet."""
    try:
        for version in oracle.CEL_GO:
            oracle.program(version)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
