"""The inputs of a ResourceSet that are in files, and the bounds of building it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import filterfalse
from typing import Any, NamedTuple

from celvet.lint.resourceset.errors import UnknownInputsError
from celvet.lint.resourceset.inputs import Inputs, combine
from celvet.lint.resourceset.shape import wrong_type
from celvet.lint.values import text_at

TOTAL = 25_000
"""The steps that all builds of a ResourceSet may take; that is a tenth of a second."""


class Providers(NamedTuple):
    """The known providers of a file, and those that differ between other files."""

    known: list[dict[str, Any]]
    doubtful: list[dict[str, Any]]


def all_providers(
    own: Iterable[dict[str, Any]], others: Iterable[dict[str, Any]] = ()
) -> Providers:
    """The providers that a file knows: its own, and those of other files.

    If several files have a provider of the same name, each is for another cluster, so none of them
    is known unless they are equal. The file's own always counts. One with a field of a wrong type
    cannot exist.
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

    A provider that only the cluster may know is a part of every permutation.

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
