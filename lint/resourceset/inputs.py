"""Input sets (internal/inputs and cmd/cli/build_resourceset.go of Flux Operator v0.59)."""

from __future__ import annotations

import copy
import json
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from celvet.lint.resourceset.errors import InputSetError, UnknownInputsError
from celvet.regex import regex

_MOST_PERMUTATIONS = 10_000
_MOST_PAIRS = 1_000_000
"""A second's work: of permutations and the providers in each, or of selectors and providers."""
_API_VERSION = "fluxcd.controlplane.io/v1"
PROVIDER_KIND = "ResourceSetInputProvider"

_WITH_VALUES = ("In", "NotIn")
_WITHOUT_VALUES = ("Exists", "DoesNotExist")
_LETTERS = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?"
_NAME = regex(_LETTERS)
_LABEL = regex(f"(?:[a-z0-9](?:[a-z0-9.-]{{0,251}}[a-z0-9])?/)?{_LETTERS}")

Inputs = dict[str, Any]
Object = dict[str, Any]


def input_id(text: str) -> str:
    """The `id` that the operator makes from a UID, or a permutation."""
    return str(zlib.adler32(text.encode()))


def normalized_name(name: str) -> str:
    """A provider's name as a key of permuted inputs: ``My-App`` is ``my_app``."""
    chars = []
    for char in name.lower():
        if char.isspace() or unicodedata.category(char).startswith("P"):
            chars.append("_")
        elif char.isascii() and char.isalnum():
            chars.append(char)
    return "_".join(word for word in "".join(chars).split("_") if word)


def combine(resource_set: Object, providers: Iterable[Object] = ()) -> list[Inputs]:
    """The input sets with which the templates of a ResourceSet are rendered, in order.

    Args:
        resource_set: the object.
        providers: ResourceSetInputProvider objects to choose from, as in a tree of files. Of those
            that `inputsFrom` names or selects, the ones of type Static must be among them.

    Returns:
        The sets, which are copies, since a template may change them.

    Raises:
        InputError: the operator would refuse them, or a provider is missing (`UnknownInputsError`).
    """
    spec = resource_set.get("spec") or {}
    strategy = spec.get("inputStrategy") or {}
    name = strategy.get("name") or "Flatten"
    sources = [(resource_set, _inline(resource_set))]
    sources += [
        (provider, [_static(provider)]) for provider in _providers_from(resource_set, providers)
    ]
    sets_by_source = [(_name(source), _with_provider(source, sets)) for source, sets in sources]
    if name == "Flatten":
        return [inputs for _, sets in sets_by_source for inputs in sets]
    if name == "Permute":
        return _permutations(sets_by_source, empty=bool(strategy.get("includeEmptyProviders")))
    raise InputSetError(f"unknown input strategy: '{name}'")


def _meta(source: Object) -> Object:
    return source.get("metadata") or {}


def _name(source: Object) -> str:
    return str(_meta(source).get("name", ""))


def _inline(resource_set: Object) -> list[Inputs]:
    sets = (resource_set.get("spec") or {}).get("inputs") or []
    return [_without_nulls(inputs) for inputs in sets]


def _without_nulls(inputs: Inputs | None) -> Inputs:
    """An input set as the API server keeps it: without inputs that are null.

    The CRD does not declare them nullable, and the operator would panic (`prunenulls.go` of
    k8s.io/apiextensions-apiserver; `GetInputs` of Flux Operator v0.59).
    """
    entries = (inputs or {}).items()
    return {key: copy.deepcopy(value) for key, value in entries if value is not None}


def _static(provider: Object) -> Inputs:
    """The exports of a Static provider: the values, and an id made from its UID.

    Offline there is no UID, so its name replaces it.
    """
    spec = provider.get("spec") or {}
    kind = spec.get("type")
    if kind != "Static":
        raise UnknownInputsError(f"unsupported provider type '{kind}', only 'Static' is supported")
    identity = _meta(provider).get("uid") or _name(provider)
    return {**_without_nulls(spec.get("defaultValues")), "id": input_id(str(identity))}


def _with_provider(source: Object, sets: list[Inputs]) -> list[Inputs]:
    """The sets with `provider`, which says where they come from."""
    provider = {
        "apiVersion": _API_VERSION,
        "kind": str(source.get("kind", "ResourceSet")),
        "name": _name(source),
        "namespace": str(_meta(source).get("namespace", "")),
    }
    return [{**inputs, "provider": dict(provider)} for inputs in sets]


def _providers_from(resource_set: Object, providers: Iterable[Object]) -> list[Object]:
    """The providers of `inputsFrom`, each once, by name."""
    namespace = _meta(resource_set).get("namespace")
    by_name = {
        _name(provider): {**provider, "kind": PROVIDER_KIND}
        for provider in providers
        if _is_beside(resource_set, provider)
    }
    sources = (resource_set.get("spec") or {}).get("inputsFrom") or []
    selectors = sum(not source.get("name") for source in sources)
    _limit_pairs(selectors, "selectors", len(by_name))
    providers_by_name: dict[str, Object] = {}
    for source in sources:
        for provider in _matching_providers(source, by_name, str(namespace)):
            providers_by_name[_name(provider)] = provider
    return [providers_by_name[name] for name in sorted(providers_by_name)]


def _limit_pairs(count: int, things: str, providers: int) -> None:
    """Refuse what would take more than a second, or a gigabyte."""
    if count * providers > _MOST_PAIRS:
        reason = f"{count} {things} of {providers} providers are too many for celvet"
        raise UnknownInputsError(reason)


def _matching_providers(
    source: Object, known: dict[str, Object], namespace: str
) -> Iterator[Object]:
    name, selector = source.get("name"), source.get("selector")
    if name:
        if name not in known:
            raise UnknownInputsError(f"failed to get provider {namespace}/{name}: not found")
        yield known[name]
        return
    if selector is None:
        raise InputSetError("input provider reference must have either name or selector set")
    check_selector(selector)
    yield from (provider for provider in known.values() if _matches(source, provider))


def takes(resource_set: Object, provider: Object) -> bool:
    """Whether `inputsFrom` of a ResourceSet names or selects a provider."""
    sources = (resource_set.get("spec") or {}).get("inputsFrom") or []
    return _is_beside(resource_set, provider) and any(
        _matches(source, provider) for source in sources
    )


def unmatched_sources(resource_set: Object, providers: Iterable[Object]) -> Iterator[int]:
    """The indices of the selectors in `inputsFrom` that select none of these providers."""
    sources = (resource_set.get("spec") or {}).get("inputsFrom") or []
    nearby = [provider for provider in providers if _is_beside(resource_set, provider)]
    _limit_pairs(len(sources), "selectors", len(nearby))
    for index, source in enumerate(sources):
        is_selector = not source.get("name") and source.get("selector") is not None
        if is_selector and not any(_matches(source, provider) for provider in nearby):
            yield index


def _is_beside(resource_set: Object, provider: Object) -> bool:
    namespace = _meta(resource_set).get("namespace")
    return bool(_meta(provider).get("namespace", namespace) == namespace)


def _matches(source: Object, provider: Object) -> bool:
    if name := source.get("name"):
        return bool(name == _name(provider))
    selector = source.get("selector")
    return selector is not None and selects(selector, _meta(provider).get("labels") or {})


def selects(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Whether a label selector selects an object with these labels."""
    match_labels = selector.get("matchLabels") or {}
    return all(labels.get(key) == value for key, value in match_labels.items()) and all(
        _satisfies(expression, labels) for expression in selector.get("matchExpressions") or []
    )


def _satisfies(expression: Object, labels: Mapping[str, str]) -> bool:
    key, values = expression.get("key", ""), expression.get("values") or []
    operator = expression.get("operator")
    if operator in _WITH_VALUES:
        return (labels.get(key) in values) is (operator == "In")
    return (key in labels) is (operator == "Exists")


def check_selector(selector: Object) -> None:
    """Refuse what `LabelSelectorAsSelector` of apimachinery refuses."""
    for key, value in (selector.get("matchLabels") or {}).items():
        _check_label(key, [value])
    for expression in selector.get("matchExpressions") or []:
        operator, values = expression.get("operator") or "", expression.get("values")
        if operator not in (*_WITH_VALUES, *_WITHOUT_VALUES):
            reason = f'"{operator}" is not a valid label selector operator'
            raise InputSetError(f"failed to parse selector: {reason}")
        if bool(values) is not (operator in _WITH_VALUES):
            json_text = json.dumps(values or None, separators=(",", ":"))
            reason = "values set must be empty for exists and does not exist"
            if not values:
                reason = "for 'in', 'notin' operators, values set can't be empty"
            raise InputSetError(
                f"failed to parse selector: values: Invalid value: {json_text}: {reason}"
            )
        _check_label(expression.get("key") or "", values or [])


def _check_label(key: str, values: Sequence[str]) -> None:
    """Refuse a key or a value that no label has (`pkg/labels/selector.go`, `NewRequirement`)."""
    invalid = [("key", key)] if not _LABEL.fullmatch(key) else []
    invalid += [("values", value) for value in values if value and not _NAME.fullmatch(value)]
    for field, text in invalid:
        reason = f"failed to parse selector: {field}: Invalid value: {json.dumps(text)}"
        raise InputSetError(f"{reason}: it cannot be the {field.rstrip('s')} of a label")


def _permutations(sources: list[tuple[str, list[Inputs]]], *, empty: bool) -> list[Inputs]:
    """Every combination of one set from each provider, below the provider's name."""
    dimensions = [(name, sets) for name, sets in sources if sets or empty]
    keys, total = [], 1
    for name, sets in dimensions:
        total *= len(sets)
        if total > _MOST_PERMUTATIONS:
            raise InputSetError(
                f"adding provider '{name}' with {len(sets)} inputs would exceed the maximum "
                f"allowed permutations. max: {_MOST_PERMUTATIONS}, got: {total}"
            )
        key = normalized_name(name)
        if not key:
            raise InputSetError(f"normalized provider name is empty: '{name}'")
        keys.append(key)
    if not dimensions:
        return []
    _limit_pairs(total, "permutations", len(dimensions))
    # The id of a permutation names the index that each provider contributes.
    permutations = []
    for combination in product(*(list(enumerate(sets)) for _, sets in dimensions)):
        inputs: Inputs = {key: sets for key, (_, sets) in zip(keys, combination, strict=True)}
        parts = [f"{key}={index}" for key, (index, _) in zip(keys, combination, strict=True)]
        inputs["id"] = input_id("/".join(parts))
        permutations.append(inputs)
    return permutations
