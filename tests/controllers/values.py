"""Objects with the fields that the systems read, with right and wrong types."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**31, 2**63, -(10**30), 1.0, 1.5, 1e21]),
    st.sampled_from(["", "True", "False", "x", "2026-01-02T03:04:05Z"]),
)
ANYTHING = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)
"""Any JSON value."""


def some(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """An object with some of the fields, each of them possibly of another type."""
    odd = {name: strategy | ANYTHING for name, strategy in fields.items()}
    return st.fixed_dictionaries({}, optional=odd)


def one_of(*texts: str) -> st.SearchStrategy[str]:
    return st.sampled_from(texts)


CONDITION = some(
    {
        "type": one_of("Ready", "Stalled", "Available", "Progressing", "ResourcesApplied"),
        "status": one_of("True", "False", "Unknown"),
        "reason": one_of("R", "ProgressDeadlineExceeded"),
        "message": one_of("", "m"),
        "lastTransitionTime": one_of("2026-01-02T03:04:05Z"),
        "observedGeneration": st.integers(0, 2),
    }
)


def objects(kinds: list[tuple[str, str]]) -> st.SearchStrategy[Any]:
    """Objects of these kinds (`apiVersion`, `kind`), and values that are not objects."""
    metadata = some({"generation": st.integers(1, 2), "deletionTimestamp": one_of("", "x")})
    counts = ("replicas", "readyReplicas", "desiredNumberScheduled", "observedGeneration")
    container = some({"name": one_of("c"), "state": some({"waiting": some({})})})
    status = some(
        {name: st.integers(0, 2) for name in counts}
        | {
            "conditions": st.lists(CONDITION | ANYTHING, max_size=3),
            "phase": one_of("Running", "Pending", "Failed", "Bound"),
            "containerStatuses": st.lists(container | ANYTHING, max_size=2),
        }
    )
    spec = some({"replicas": st.integers(0, 2), "type": one_of("LoadBalancer")})
    typed = st.sampled_from(kinds).flatmap(
        lambda pair: st.fixed_dictionaries(
            {"apiVersion": st.just(pair[0]), "kind": st.just(pair[1])},
            optional={"metadata": metadata, "spec": spec, "status": status},
        )
    )
    return typed | ANYTHING
