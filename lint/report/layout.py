"""How a report for people is laid out; machine formats ignore it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from celvet.record import record

Grouping: TypeAlias = Literal["", "file", "message", "rule"]


@record
class Layout:
    """What the user asks for, and what the terminal can do.

    `statistics` replaces the findings by a table of the rules, `quiet` leaves out the summary.
    `width` is the number of columns, 0 if nothing has to fit. `links` says that the terminal
    shows links (OSC 8).
    """

    group_by: Grouping = ""
    statistics: bool = False
    quiet: bool = False
    width: int = 0
    links: bool = False
