"""An object at one moment of its life."""

from __future__ import annotations

from typing import Literal, TypeAlias

from celvet.lint.model import Value
from celvet.record import record

Stage: TypeAlias = Literal[
    "bare",
    "none",
    "other",
    "counting",
    "stage",
    "success",
    "trouble",
    "condition",
    "stale",
    "field",
    "proof",
]
"""The role of a state in the life of an object.

`bare`, `none` and `other` come before anything has happened: no status, no
condition, only a condition of another type. In a `counting` state nothing is
ready yet. A `stage` has a value that no expression names; it is a `success` or
`trouble` if its name means that. A `stale` state is of an older generation, and a
`proof` was built to make an expression true.
"""


@record
class State:
    """A stock state: a short name, the name in plain words, and the object.

    `object` is the object under check. `variables` is what the expressions see:
    its top-level fields, or `dep` and `self`.
    """

    name: str
    description: str
    stage: Stage
    object: Value
    variables: Value
