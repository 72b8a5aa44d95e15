"""A process that judges objects: `python -m celvet.webhook.judging.child NICENESS [SCHEMAS...]`.

It warms up and then leaves the work to a child, a fork of itself, which reads questions
from standard input and answers on standard output until its input ends; between them it
is told of CRDs. An object that costs more processor time than the question allows ends
the child by SIGPROF, whatever code is running; more memory than the limit ends it too.
Then the process says so and forks again: a millisecond, where a new process takes 400
to be warm. The kernel counts processor time, so that a busy machine or a throttled
container makes no ordinary object look hostile.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from celvet.lint.engine import Settings, lint_object
from celvet.webhook.judging import protocol as wire
from celvet.webhook.judging.crd_cache import Told
from celvet.webhook.judging.summary import objections
from celvet.webhook.lint_result import Judgement

MAX_MEMORY = 2 << 30
"""Bytes of address space that a judging process may ask for."""

_SET_DEATH_SIGNAL = 1
"""`PR_SET_PDEATHSIG` of Linux' `prctl`."""

_WARM_UP = {
    "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
    "kind": "Kustomization",
    "metadata": {"name": "warm-up"},
    "spec": {
        "interval": "1h",
        "prune": True,
        "sourceRef": {"kind": "GitRepository", "name": "warm-up"},
        "dependsOn": [{"name": "other", "readyExpr": "dep.status.x == self.status.x"}],
        "healthCheckExprs": [{"apiVersion": "v1", "kind": "X", "current": "status.a.exists(e, e)"}],
    },
}


def main(niceness: str, *schemas: str) -> None:
    """Judge until the input ends."""
    os.nice(int(niceness))
    target = _claimed_output()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # sent to a whole group: the worker decides
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    directories = tuple(map(Path, schemas))
    _say(target, wire.answer(_judge(_WARM_UP, Settings(directories, fixes=False))))
    gc.collect()
    gc.freeze()  # what children share stays shared
    while (status := _child(directories, target)) == -signal.SIGPROF:
        _say(target, wire.answer(Judgement(exhausted=True)))
    _end_like(status)


def _child(schemas: tuple[Path, ...], target: BinaryIO) -> int:
    """Judge in a child until it ends; how it did, its status or less the signal."""
    parent = os.getpid()
    if (child := os.fork()) == 0:
        _die_with(parent)
        _judge_all(schemas, sys.stdin.buffer, target)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _die_with(parent: int) -> None:
    """Be killed when the parent ends, where the system can: none is left that works on."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _end_like(status: int) -> None:
    """End as the child did, so that the worker hears why."""
    if status < 0:
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _judge_all(schemas: tuple[Path, ...], source: BinaryIO, target: BinaryIO) -> None:
    told = Told()
    while (content := _heard(source)) is not None:
        if news := wire.read_news(content):
            told.learn(*news)
            continue
        text, opt_out, seconds = wire.read_question(content)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        answer = _answer(text, Settings(schemas, annotations=opt_out, crds=told, fixes=False))
        signal.setitimer(signal.ITIMER_PROF, 0)
        _say(target, answer)


def _answer(text: bytes, settings: Settings) -> bytes:
    try:
        return wire.answer(_judge(json.loads(text), settings))
    except MemoryError:
        signal.raise_signal(signal.SIGPROF)  # memory or time: the object costs too much
        raise
    except Exception as error:  # the engine promises that there is none: no verdict then
        return wire.answer(Judgement(crashes=(("engine", f"{type(error).__name__}: {error}"),)))


def _judge(value: object, settings: Settings) -> Judgement:
    result = lint_object(value, settings)
    return Judgement(
        objections(result.findings, value),
        tuple((each.rule, each.error) for each in result.crashes),
    )


def _claimed_output() -> BinaryIO:
    """The pipe to the worker, which nothing that prints can disturb any more."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def _heard(source: BinaryIO) -> bytes | None:
    head = source.read(wire.LENGTH.size)
    if len(head) < wire.LENGTH.size:
        return None
    return source.read(*wire.LENGTH.unpack(head))


def _say(target: BinaryIO, content: bytes) -> None:
    target.write(content)
    target.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
