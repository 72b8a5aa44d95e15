"""An object at one moment of its life."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from celvet.lint.model import Value

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
"""What a state is good for.

`bare`, `none` and `other` come before anything has happened: no status, no
condition, only a condition of another type. In `counting` ones nothing is ready
yet, a `stage` is one that no expression names, told apart from such a one that by
its name means `success` or `trouble`. `stale` ones speak of an older generation,
and a `proof` was built to make an expression true.
"""


@dataclass(frozen=True, slots=True)
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
