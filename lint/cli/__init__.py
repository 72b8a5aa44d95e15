"""The command `celvet`.

`command_line` comes first; `subcommands` loads a module of `commands`; `options` has what several
of them accept, `run` what they do, and `exit` how they end. A part imports only those after it.
"""

from celvet.lint.cli.command_line import exit_status, main

__all__ = ["exit_status", "main"]
