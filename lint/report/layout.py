"""The layout of reports for people; machine formats ignore it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from celvet.record import record

Grouping: TypeAlias = Literal["", "file", "message", "rule"]


@record
class Layout:
    """The user's wishes and the terminal's abilities.

    `statistics` replaces the findings by a table of the rules, `quiet` leaves out the summary.
    `width` is the number of columns, 0 for no limit. `links` says that the terminal shows links
    (OSC 8).
    """

    group_by: Grouping = ""
    statistics: bool = False
    quiet: bool = False
    width: int = 0
    links: bool = False
