"""Guesses the content of a field from its name, by the conventions of the Kubernetes API.

Sources are `meta/v1.Condition` and the API conventions; the rest are field names of some hundred
public custom resources.
"""

from __future__ import annotations

from celvet.lint.model import Value
from celvet.lint.predict.reads.terms import Steps
from celvet.regex import regex

_WORDS = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_COUNTED = frozenset({"brokers", "count", "instances", "members", "nodes", "number", "pods"})
_COUNTED |= {"replicas", "scheduled", "shards", "workers"}
_PROGRESS = frozenset({"available", "current", "healthy", "ready", "succeeded", "updated"})
_STAGES = frozenset({"health", "phase", "stage", "state", "status"})
_TROUBLE = frozenset({"degraded", "error", "errors", "failed", "failure", "failures"})
_TROUBLE |= {"misscheduled", "unavailable", "unhealthy"}
_SUCCESS = frozenset({"active", "available", "bound", "complete", "completed", "established"})
_SUCCESS |= {"green", "healthy", "ok", "ready", "running", "succeeded", "success", "successful"}
_SUCCESS |= {"synced"}
_CONDITION_TEXTS = frozenset({"message", "reason", "status", "type"})
CONDITION_STATUSES = ("True", "False", "Unknown")


def is_conditions(path: Steps) -> bool:
    """Whether a list holds conditions."""
    return path[-1:] == ("conditions",)


def is_generation(path: Steps) -> bool:
    """Whether a field has the number of a generation."""
    return path[-1:] in (("generation",), ("observedGeneration",))


def is_counter(path: Steps) -> bool:
    """Whether a field counts something, such as replicas."""
    return bool(_words(path) & _COUNTED) and "generation" not in _words(path)


def is_progress(path: Steps) -> bool:
    """Whether a counter rises while things get ready, as `readyReplicas` does."""
    return bool(_words(path) & _PROGRESS)


def is_stage(path: Steps) -> bool:
    """Whether a field names the current stage of an object."""
    return bool(_words(path) & _STAGES)


def is_trouble(path: Steps) -> bool:
    """Whether a field is a sign of trouble, so that a healthy object may lack it."""
    return bool(_words(path) & _TROUBLE)


def tells_trouble(text: str) -> bool:
    """Whether the name of a stage says trouble, such as `InstallFailed`."""
    return not _TROUBLE.isdisjoint(_split(text))


def tells_success(text: str) -> bool:
    """Whether the name of a stage says ready, such as `Running`."""
    return not _SUCCESS.isdisjoint(_split(text)) and "not" not in _split(text)


def follows_conventions(path: Steps, value: Value) -> bool:
    """Whether the API's conventions let a field have this value."""
    name = path[-1] if path else None
    if is_conditions(path[:-2]) and name in _CONDITION_TEXTS:
        if name != "status" or not isinstance(value, str):
            return isinstance(value, str)
        return value in CONDITION_STATUSES or value.title() not in CONDITION_STATUSES
    if is_generation(path):
        return isinstance(value, int) and not isinstance(value, bool)
    return True


def _words(path: Steps) -> set[str]:
    step = path[-1] if path else None
    return _split(step) if isinstance(step, str) else set()


def _split(text: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(text)}
