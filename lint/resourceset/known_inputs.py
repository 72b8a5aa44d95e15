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
    by_key: dict[tuple[str, str], dict[str, Any]] = {}
    doubtful = set()
    for provider in filterfalse(wrong_type, others):
        key = _key(provider)
        if by_key.setdefault(key, provider) != provider:
            doubtful.add(key)
    file_providers = {_key(provider): provider for provider in filterfalse(wrong_type, own)}
    other_providers = {
        key: provider for key, provider in by_key.items() if key not in file_providers
    }
    return Providers(
        [
            *file_providers.values(),
            *(provider for key, provider in other_providers.items() if key not in doubtful),
        ],
        [provider for key, provider in other_providers.items() if key in doubtful],
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
        inline_spec = {key: value for key, value in spec.items() if key != "inputsFrom"}
        permutes = (spec.get("inputStrategy") or {}).get("name") == "Permute"
        if (permutes or not inputs) and inputs == combine({**resource_set, "spec": inline_spec}):
            return None
    return inputs
