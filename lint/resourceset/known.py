"""What files tell of the inputs of a ResourceSet, and how much building one may take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import filterfalse
from typing import Any, NamedTuple

from celvet.lint.gotemplate import TemplateLimits
from celvet.lint.resourceset.errors import UnknownInputsError
from celvet.lint.resourceset.inputs import Inputs, combine
from celvet.lint.resourceset.shape import wrong_type
from celvet.lint.values import text_at

TOTAL = TemplateLimits(steps=60_000, output=300_000)
TOTAL_OF_STAND_INS = TemplateLimits(steps=10_000, output=60_000)
"""The largest of 36 ResourceSets in public repositories takes 6,040 steps and 52,576 characters."""


class Providers(NamedTuple):
    """The providers that a file knows, and those of which other files have different ones."""

    known: list[dict[str, Any]]
    doubtful: list[dict[str, Any]]


def all_providers(
    own: Iterable[dict[str, Any]], others: Iterable[dict[str, Any]] = ()
) -> Providers:
    """The providers that a file knows: its own, and those of other files.

    Of several files that have a provider of the same name, each is meant for another cluster: none
    of them is known, unless they are equal. A file's own is always meant. One with a field of a
    wrong type exists nowhere.
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    doubtful = set()
    for each in filterfalse(wrong_type, others):
        key = _key(each)
        if found.setdefault(key, each) != each:
            doubtful.add(key)
    there = {_key(each): each for each in filterfalse(wrong_type, own)}
    rest = {key: each for key, each in found.items() if key not in there}
    return Providers(
        [*there.values(), *(each for key, each in rest.items() if key not in doubtful)],
        [each for key, each in rest.items() if key in doubtful],
    )


def _key(provider: Mapping[str, Any]) -> tuple[str, str]:
    return text_at(provider, ("metadata", "namespace")), text_at(provider, ("metadata", "name"))


def known_inputs(
    resource_set: dict[str, Any], providers: list[dict[str, Any]]
) -> list[Inputs] | None:
    """The input sets of a ResourceSet; None if only the cluster knows them.

    A provider that is not known here, but perhaps there, is a part of every permutation.

    Raises:
        InputError: the operator would refuse them.
    """
    spec = resource_set["spec"]
    try:
        inputs = combine(resource_set, providers)
    except UnknownInputsError:
        return None
    if spec.get("inputsFrom"):
        own = {key: each for key, each in spec.items() if key != "inputsFrom"}
        permuted = (spec.get("inputStrategy") or {}).get("name") == "Permute"
        if (permuted or not inputs) and inputs == combine({**resource_set, "spec": own}):
            return None
    return inputs
