"""The error for what somebody has given and that cannot be used."""

from __future__ import annotations


class WrongInputError(Exception):
    """A file, a name or an option that cannot be used; the message says why, and what to do.

    Whatever meets a user, such as the command line, shows the message: nothing in between needs
    another error.
    """
