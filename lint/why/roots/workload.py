"""What stands behind a workload that is not ready: its pods, its volumes, its Events."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from celvet.lint.model import ObjectRef, Value
from celvet.lint.safe_text import one_line
from celvet.lint.values import get, group_kind_of, list_at, mapping_at, object_ref_of, text_at
from celvet.lint.why.outlook.life import message_outlook, status_fields
from celvet.lint.why.outlook.rules import NEEDS_CHANGE, RECOVERS, UNKNOWN, Outlook
from celvet.lint.why.roots.relatives import relative_errors
from celvet.lint.why.snapshot import LiveEvent, Snapshot, conditions_of, time_at
from celvet.record import field, record
from celvet.schemas.live.outlook import pod_outlooks

_ORDER: tuple[Outlook, ...] = (NEEDS_CHANGE, UNKNOWN, RECOVERS)
_POD = "Pod"
_WIDTH = 200
_SEVERAL = 2
"""A container that has failed once may only have begun before what it needs."""


@record
class Trouble:
    """One reason why pods are not ready, with the fields that show it; `command` shows more."""

    outlook: Outlook
    message: str
    observed: Mapping[str, Value] = field(default_factory=dict)
    command: str = ""


def trouble_of(obj: Mapping[str, Value], snapshot: Snapshot) -> Trouble | None:
    """The worst reason among the pods and objects of a workload, its Events, then its relatives."""
    owned_objects = [obj, *snapshot.owned_by(obj)]
    pods = [owned for owned in owned_objects if is_pod(owned) and _explains(owned)]
    troubles = chain.from_iterable(_pod_troubles(pod, snapshot) for pod in pods)
    events = chain.from_iterable(
        _event_troubles(owned, snapshot) for owned in owned_objects if not is_pod(owned)
    )
    relatives = (
        Trouble(outlook, f"{name}: {_short(words)}")
        for outlook, name, words in relative_errors(obj, snapshot)
    )
    for group in (troubles, events, chain(_copied_troubles(obj), relatives)):
        if worst := min(group, key=lambda item: _ORDER.index(item.outlook), default=None):
            return worst
    return None


def _copied_troubles(obj: Mapping[str, Value]) -> Iterator[Trouble]:
    """The reasons of pods that an operator has copied to the status of its own object."""
    if is_pod(obj):
        return
    for condition in conditions_of(obj).values():
        for group in ("waiting", "scheduling"):
            if condition.reason in pod_outlooks()[group]:
                words = f"{condition.type}: {condition.reason}: {_short(condition.message)}"
                yield Trouble(_outlook(group, condition.reason, condition.message), words)
    for path, text in status_fields(obj):
        if text in pod_outlooks()["waiting"]:
            yield Trouble(_outlook("waiting", text), f"`{path}` is {text}")


def warning_about(obj: Mapping[str, Value], snapshot: Snapshot) -> str:
    """What the latest Event about an object warns of; empty if it does not."""
    latest = next(iter(snapshot.events(obj)), None)
    if latest is None or latest.type != "Warning" or is_pod(obj):
        return ""
    return f"{latest.reason}: {_short(latest.message)}"


def is_pod(obj: Mapping[str, Value]) -> bool:
    """Whether an object is a pod."""
    kind = group_kind_of(obj)
    return (kind.group, kind.kind) == ("", _POD)


def is_ready_pod(pod: Mapping[str, Value]) -> bool:
    """Whether a pod has done its work, or does it."""
    if text_at(pod, ("status", "phase")) == "Succeeded":
        return True
    ready_condition = conditions_of(pod).get("Ready")
    return ready_condition is not None and ready_condition.status == "True"


def _explains(pod: Mapping[str, Value]) -> bool:
    """Whether a pod is not ready, and nobody puts another one in its place."""
    if text_at(pod, ("status", "phase")) == "Failed":
        owners = list_at(pod, ("metadata", "ownerReferences"))
        return not any(text_at(o, ("kind",)) in pod_outlooks()["replacedBy"] for o in owners)
    return not is_ready_pod(pod)


def _pod_troubles(pod: Mapping[str, Value], snapshot: Snapshot) -> Iterator[Trouble]:
    """From the containers, then the scheduler, then the Events, then the phase."""
    name = f"pod {text_at(pod, ('metadata', 'name'))}"
    yield from _container_troubles(pod, name)
    condition = conditions_of(pod).get("PodScheduled")
    if condition and condition.status == "False":
        values = {
            "pod.status.phase": get(pod, ("status", "phase")),
            "pod.status.conditions[type=PodScheduled].reason": condition.reason,
            **dict(_claims(pod, snapshot)),
        }
        outlook = _outlook("scheduling", condition.reason, condition.message)
        words = f"{name}: {condition.reason}: {_short(condition.message)}"
        if news := _autoscaling(snapshot.events(pod)):
            outlook = _outlook("autoscaling", news.reason)
            words = f"{name}: {news.reason}: {_short(news.message)}"
            values["pod.event.reason"] = news.reason
        yield Trouble(outlook, words, values)
    yield from _event_troubles(pod, snapshot)
    if phase := text_at(pod, ("status", "phase")):
        reason = text_at(pod, ("status", "reason"))
        phase_text = f"{phase}: {reason}" if reason else phase
        outlook = NEEDS_CHANGE if phase == "Failed" else RECOVERS
        values = {"pod.status.phase": phase} | ({"pod.status.reason": reason} if reason else {})
        yield Trouble(outlook, f"{name} is {phase_text}", values)


def _container_troubles(pod: Mapping[str, Value], name: str) -> Iterator[Trouble]:
    for statuses in ("initContainerStatuses", "containerStatuses"):
        for container in list_at(pod, ("status", statuses)):
            title = f"{name}, container {text_at(container, ('name',))}"
            last_exit = _exit(container, "lastState")
            if waiting := mapping_at(container, ("state", "waiting")):
                reason, message = (text_at(waiting, (key,)) for key in ("reason", "message"))
                values = {"pod.state.waiting.reason": reason, **last_exit}
                words = f"{title}: {reason}" + (f": {_short(message)}" if message else "")
                if last_exit:  # tells more than how long the kubelet waits
                    words = f"{title}: {reason} after {_exit_words(container, 'lastState')}"
                logs = _logs(pod, container, previous=True) if last_exit else ""
                yield Trouble(_outlook("waiting", reason, message), words, values, logs)
            # A container that has ended well is no trouble.
            elif (
                termination := mapping_at(container, ("state", "terminated"))
            ) and termination.get("exitCode"):
                reason = text_at(termination, ("reason",))
                words = f"{title}: {_exit_words(container, 'state')}"
                logs = _logs(pod, container, previous=False)
                yield Trouble(
                    _outlook("terminated", reason), words, _exit(container, "state"), logs
                )
            elif last_exit and _keeps_failing(pod, container):
                times = get(container, ("restartCount",))
                words = f"{title}: {times} restarts, after {_exit_words(container, 'lastState')}"
                logs = _logs(pod, container, previous=True)
                reason = text_at(container, ("lastState", "terminated", "reason"))
                yield Trouble(_outlook("terminated", reason), words, last_exit, logs)


def _keeps_failing(pod: Mapping[str, Value], container: Value) -> bool:
    """Whether a container runs between two failures: it was not ready since it last failed."""
    restarts = get(container, ("restartCount",))
    start = time_at(container, ("state", "running", "startedAt"))
    ready_condition = conditions_of(pod).get("Ready")
    since = ready_condition.since if ready_condition else None
    failed = bool(get(container, ("lastState", "terminated", "exitCode")))
    several = isinstance(restarts, int) and restarts >= _SEVERAL
    return bool(failed and several and start and since and since <= start)


def _exit(container: Mapping[str, Value], state: str) -> dict[str, Value]:
    termination = mapping_at(container, (state, "terminated"))
    return {
        f"pod.{state}.terminated.{key}": termination[key]
        for key in ("reason", "exitCode")
        if termination.get(key) not in (None, "")
    }


def _exit_words(container: Value, state: str) -> str:
    termination = mapping_at(container, (state, "terminated"))
    return f"{termination.get('reason') or 'an end'}, exit code {termination.get('exitCode')}"


def _logs(pod: Value, container: Value, *, previous: bool) -> str:
    """The command for the last words of a container; hostile names are quoted."""
    namespace, name = (text_at(pod, ("metadata", key)) for key in ("namespace", "name"))
    words = ["kubectl", "logs", "-n", namespace, name, "-c", text_at(container, ("name",))]
    return shlex.join([*words, "--previous"] if previous else words)


def _autoscaling(events: Sequence[LiveEvent]) -> LiveEvent | None:
    """The last word of an autoscaler: whether a node comes for a pod that fits on none."""
    return next((event for event in events if event.reason in pod_outlooks()["autoscaling"]), None)


def _claims(pod: Mapping[str, Value], snapshot: Snapshot) -> Iterator[tuple[str, Value]]:
    """The phase of each volume claim that is not bound."""
    namespace = text_at(pod, ("metadata", "namespace"))
    for volume in list_at(pod, ("spec", "volumes")):
        if name := text_at(volume, ("persistentVolumeClaim", "claimName")):
            reference = ObjectRef("v1", "PersistentVolumeClaim", namespace, name)
            claim = snapshot.find(reference)
            phase = text_at(claim, ("status", "phase")) if claim else "missing"
            if phase != "Bound":
                yield f"persistentvolumeclaim.{name}.status.phase", phase
                for event in _warnings(snapshot.events(claim) if claim else ()):
                    yield f"persistentvolumeclaim.{name}.event.reason", event.reason
                    break


def _event_troubles(obj: Mapping[str, Value], snapshot: Snapshot) -> Iterator[Trouble]:
    """The latest Event about an object with a reason that counts."""
    reference = object_ref_of(obj)
    # Provisioners repeat that they wait, so that an error is not always the latest Event.
    for event in sorted(_warnings(snapshot.events(obj)), key=lambda event: event.type != "Warning"):
        values = {f"{'pod.' if reference.kind == _POD else ''}event.reason": event.reason}
        words = f"{reference.kind} {reference.name}: {event.reason}: {_short(event.message)}"
        yield Trouble(_outlook("events", event.reason, event.message), words, values)
        return


def _warnings(events: Sequence[LiveEvent]) -> Iterator[LiveEvent]:
    """The Events that count, without those that a later success has ended."""
    end_outlooks = pod_outlooks()["ended"]
    for number, event in enumerate(events):
        if event.reason in pod_outlooks()["events"]:
            other_events = (*events[:number], *(item for item in events if item.last == event.last))
            if all(
                neighbour.reason != end_outlooks.get(event.reason) for neighbour in other_events
            ):
                yield event


def _outlook(group: str, reason: str, message: str = "") -> Outlook:
    """The outlook of a reason; of one that gives the error of a request, by the cause in it."""
    outlooks = pod_outlooks()
    by_message = message_outlook(message) if reason in outlooks["byMessage"] else None
    outlook = by_message or outlooks[group].get(reason, UNKNOWN)
    return next(word for word in _ORDER if word == outlook)


def _short(text: str) -> str:
    return one_line(text, _WIDTH)
