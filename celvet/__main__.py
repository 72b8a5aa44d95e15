"""`python -m celvet`: the command line."""

from __future__ import annotations

from celvet.lint.cli import main

if __name__ == "__main__":
    main()
