"""A value with_value into an example keeps it an object."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.jsonpath import CompiledPath, compile_path
from celvet.lint.verdicts.examples import example, with_conditions, with_value
from celvet.schemas import load

_STEPS = st.sampled_from(
    ["apiVersion", "kind", "metadata", "name", "generation", "status", "conditions", "spec", "a"]
)
_INDICES = st.sampled_from(["", "[0]", "[3]", '[?(@.type=="Ready")]', "[*]"])
_PATHS = st.lists(st.tuples(_STEPS, _INDICES), max_size=3).map(
    lambda steps: "".join(f".{name}{index}" for name, index in steps)
)


def compiled(path: str) -> CompiledPath:
    return compile_path(path, load().dialects["cartographer"])


@given(_PATHS, st.sampled_from(["text", 1, True]))
def test_an_object_stays_one(path: str, value: str | int) -> None:
    fresh = example("example.com/v1", "Thing", "one")
    made = with_value(fresh, compiled(path), value)
    if made is None:
        return
    assert {key: made[key] for key in ("apiVersion", "kind")} == {
        key: fresh[key] for key in ("apiVersion", "kind")
    }
    assert fresh["metadata"].items() <= made["metadata"].items()
    both = with_conditions(made, {"Ready": "True"})["status"]["conditions"]
    assert both[-1] == {"type": "Ready", "status": "True"}


def test_what_can_be_placed() -> None:
    fresh = example("example.com/v1", "Thing")
    assert with_value(fresh, compiled(".status.phase"), "Ready") == {
        **fresh,
        "status": {"phase": "Ready"},
    }
    assert with_value(fresh, compiled(".metadata"), "Ready") is None
    assert with_value(fresh, compiled(".metadata.name"), "other") is None
