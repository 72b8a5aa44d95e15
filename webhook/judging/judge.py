"""Judges a review: reads it, lints its object, compares with the old object.

It runs in a judging process, where nothing else waits.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from celvet.lint.engine import Settings, lint_object
from celvet.lint.model import Severity, Value
from celvet.webhook.decide.content import content
from celvet.webhook.decide.exemption import exemption, exemption_of_request
from celvet.webhook.decide.review import MalformedError, RawObject, Review, read
from celvet.webhook.judgement import Judgement
from celvet.webhook.judging.new_errors import new_errors
from celvet.webhook.judging.summary import records, shortened

MAX_OBJECT = 1536 * 1024
"""Bytes of the largest object that is linted: what etcd takes by default."""

_TOO_LARGE = f"the object is larger than {MAX_OBJECT // 1024} KiB"
TOO_DEEP = "the object is nested too deep"


def judge(body: bytes, settings: Settings) -> Iterator[Judgement]:
    """The judgement of the review in a body; two if the object before an update counts.

    The first of them counts all errors. If the old object cannot be judged, which may end
    this process, it excuses nothing and the first is what remains.
    """
    try:
        review = read(body)
        for each in _judge(review, settings):
            yield replace(each, dry_run=review.dry_run)
    except MalformedError as error:
        yield Judgement(malformed=str(error))
    except RecursionError:
        yield Judgement(unjudged=TOO_DEEP)
    except MemoryError:
        raise
    except Exception as error:  # the engine promises never to raise: the result is unknown
        yield Judgement(crashes=(("engine", f"{type(error).__name__}: {error}"),))


def _judge(review: Review, settings: Settings) -> Iterator[Judgement]:
    if review.deep:
        passed = exemption_of_request(review)
        yield Judgement(passed=passed, unjudged="" if passed else TOO_DEEP)
        return
    if passed := exemption(review, settings.catalog):
        yield Judgement(passed=passed)
        return
    new = _lint(review.object or {}, settings)
    errors = [each for each in new.findings if each.severity is Severity.ERROR]
    compares = bool(errors) and review.old_object is not None
    yield _shortened(replace(new, final=not compares))
    if compares:
        old = _lint(review.old_object or {}, settings)
        excused = set(errors) - new_errors(errors, old.findings)
        known = (each._replace(known=each in excused) for each in new.findings)
        yield _shortened(replace(new, findings=tuple(known)))


def _lint(object_: RawObject, settings: Settings) -> Judgement:
    """All findings; `unjudged` if the object is too large."""
    text = content(object_)
    if len(text) > MAX_OBJECT:
        return Judgement(unjudged=_TOO_LARGE)
    value = _parsed(text)
    result = lint_object(value, settings)
    crashes = tuple((each.rule, each.error) for each in result.crashes)
    return Judgement(records(result.findings, value), crashes)


def _shortened(judgement: Judgement) -> Judgement:
    return replace(judgement, findings=shortened(judgement.findings))


def _parsed(text: bytes) -> Value:
    try:
        with _no_garbage_collection():
            value: Value = json.loads(text)
            return value
    except ValueError as error:  # what was only taken apart is no JSON inside
        raise MalformedError(f"the body is not JSON: {error}") from None


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Collections walk all new lists again and again: 5/6 of the time for a hostile body."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
