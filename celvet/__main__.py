"""The command `celvet`, and `python -m celvet`.

Nothing but built-in modules is imported before `main` runs: an interrupt while the command line is
loaded ends in one line, as a later one does, and not in a traceback.
"""

import os
import sys


def main() -> None:
    """Run the command line, which ends the process."""
    try:
        from celvet.lint.cli import main as run

        run()
    except KeyboardInterrupt:
        if sys.stderr:
            sys.stderr.write("\n")  # the next output must begin a line
        os._exit(130)


if __name__ == "__main__":
    main()
