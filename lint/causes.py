"""The causes of faults and findings, as `celvet.lint.arbiter` tells them apart."""

from __future__ import annotations

import enum


class Cause(enum.Enum):
    """What is wrong with an expression, as far as it decides which finding stands for it."""

    KNOWN_KIND = enum.auto()
    """No fault: the catalogue has the states of the kind's life."""

    NEVER_TRUE = enum.auto()
    """A complete search found no object on which the expression is true."""
    UNWRITTEN = enum.auto()
    """The expression waits for a value that the controller of a known kind never writes."""
    STUCK = enum.auto()
    """No ready object of a known kind counts as ready."""
    SOMETIMES_STUCK = enum.auto()
    """Some ready objects of a known kind do not count as ready."""

    PREMATURE = enum.auto()
    """The verdict comes before anything has happened."""
    UNNAMED_STAGE = enum.auto()
    """The verdict comes in each stage that the expression does not name."""
    UNLIKELY = enum.auto()
    """The verdict comes too early only in a state that may be a choice for two reasons."""

    HIDDEN = enum.auto()
    """An earlier expression is true whenever this one is."""
    HIDDEN_IN_LIFE = enum.auto()
    """An earlier expression is true of a failing object of a known kind."""
    BLOCKED = enum.auto()
    """An earlier expression gives an error whenever this one is true."""
    MISSING_FIELD = enum.auto()
    """An expression gives an error on a healthy object that lacks a field."""
    NEGATION = enum.auto()
    """`failed` is true whenever `current` is not."""
    VACUOUS = enum.auto()
    """`inProgress` is true of a healthy object, because nothing matches."""

    STALE = enum.auto()
    """A verdict rests on a status of an older generation."""
    STALE_IN_LIFE = enum.auto()
    """An object of a known kind counts as ready just after a change."""
    UNGUARDED = enum.auto()
    """An expression gives an error where another use of the field is guarded."""

    ODD_NAME = enum.auto()
    """A field that the API conventions do not have is read."""
    ODD_VALUE = enum.auto()
    """A field is compared with a value that it never has by the API conventions."""
