"""What is wrong with a health script: the parser refuses it, or it misjudges the life of its kind.

Argo CD judges more harshly than others on purpose: an error that is tried again may well be
Degraded. So only states without an error count, and the states after an update do not, since hardly
any script looks at generations. Nor does a state in which an object may stay for ever: a script
cannot tell it from one that the object passes through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from celvet.lint.values import list_at, text_at
from celvet.lint.waiters.argocd.health import Health
from celvet.lint.waiters.argocd.lua import run, syntax_error
from celvet.lint.waiters.argocd.scripts import Script
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState

ScriptFault: TypeAlias = Literal["refused", "errs", "degraded early", "healthy early"]
"""The parser refuses the script; it errs on an object without a status; it says Degraded, or
Healthy, while the object comes up."""

_LINE = regex(r"<string>:(\d+): (.*)")
_NO_STATUS = regex(r"attempt to index field 'status'")
_SIGN = regex(r"\w+(?:=\w+)?")
_MOST_STATES = 40


@record(kw_only=True)
class ScriptObjection:
    """A fault of a script.

    `line` counts from 1 and is 0 if it is unknown. `message` is Lua's, for an error. `states` are
    those that show the fault, in the order of the life.
    """

    fault: ScriptFault
    line: int = 0
    message: str = ""
    states: tuple[LifeState, ...] = ()


def script_objections(script: Script, facts: KindFacts | None) -> Iterator[ScriptObjection]:
    """The faults of a script; `facts` are None for a kind that the catalogue does not know.

    Raises:
        EngineMissingError: the extra `lua` is not installed.
    """
    if error := syntax_error(script):
        line, message = _parts(error)
        yield ScriptObjection(fault="refused", line=line, message=message)
        return
    if facts is None:
        return
    states = [state for state in facts.life if not state.until][:_MOST_STATES]
    results = [(state, run(script, _whole(state.object))) for state in states]
    errors = [(state, result) for state, result in results if _misses_status(state, result)]
    if errors:
        line, message = _parts(errors[0][1].error)
        yield ScriptObjection(
            fault="errs", line=line, message=message, states=tuple(state for state, _ in errors)
        )
    lasting = {state["name"] for state in facts.content["life"] if state.get("final")}
    coming = [
        (state, result.status)
        for state, result in results
        if state.name not in lasting
        and state.stage in ("fresh", "coming")
        and state.verdict == "InProgress"
        and not result.error
    ]
    retry_words = _retried(facts)
    bad_states = [
        state
        for state, status in coming
        if status == "Degraded" and not _signs(state.object) & retry_words
    ]
    if bad_states:
        yield ScriptObjection(fault="degraded early", states=tuple(bad_states))
    # A state for which a variant of the catalogue has this verdict is a choice.
    choices = {
        name
        for variant in facts.variants.values()
        for name, verdict in variant.differs.items()
        if verdict == "Current"
    }
    if healthy := [
        state for state, status in coming if status == "Healthy" and state.name not in choices
    ]:
        yield ScriptObjection(fault="healthy early", states=tuple(healthy))


def _whole(obj: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object with a spec, which real ones have; the states have only what decides."""
    return {"spec": {}, **obj}


def _misses_status(state: LifeState, result: Health) -> bool:
    """Whether a script errs because an object that was just applied has no status."""
    return not state.object.get("status") and _NO_STATUS.search(result.error) is not None


def _parts(error: str) -> tuple[int, str]:
    """The line and the rest of an error of Lua."""
    match = _LINE.fullmatch(error)
    return (int(match[1]), match[2]) if match else (0, error)


def _retried(facts: KindFacts) -> frozenset[str]:
    """The signs of errors that the controller tries again, among other words.

    The catalogue writes them for people: `Ready=False without Stalled`, `reason SyncFailed`.
    """
    texts = facts.content.get("failure", {}).get("retried", ())
    return frozenset(word for text in texts for word in _SIGN.findall(text))


def _signs(obj: Mapping[str, Any]) -> frozenset[str]:
    """What a status says: its phase, and the reason and state of each condition."""
    conditions = list_at(obj, ("status", "conditions"))
    return frozenset(
        sign
        for condition in conditions
        for sign in (
            text_at(condition, ("reason",)),
            f"{text_at(condition, ('type',))}={text_at(condition, ('status',))}",
        )
    ) | {text_at(obj, ("status", "phase"))}
