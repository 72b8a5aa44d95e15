"""How a run ends: its exit status, and messages on standard error."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from click import ClickException

    from celvet.wrong_input import WrongInputError


class Exit(IntEnum):
    """The exit statuses, the same for every subcommand."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    INTERNAL = 3
    WAITING = 4


def click_error(error: ClickException | WrongInputError) -> ClickException:
    """The error that click shows: what was given and cannot be used is wrong usage."""
    from click import ClickException, UsageError

    return error if isinstance(error, ClickException) else UsageError(str(error))


def tell(message: str) -> None:
    """Write a line to standard error; one that cannot be written is lost."""
    from contextlib import suppress

    import click  # loading it takes a third of a run without messages

    with suppress(OSError):
        click.echo(message, err=True)
