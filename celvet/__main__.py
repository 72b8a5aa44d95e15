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


def _leave_working_directory() -> None:
    """Import nothing from there, which `python -m` would do: a repository may have a `json.py`.

    A source tree that is not installed is itself found there.
    """
    if not (sys.flags.safe_path or __file__.startswith(f"{sys.path[0]}/celvet/")):
        del sys.path[0]


if __name__ == "__main__":
    _leave_working_directory()
    main()
