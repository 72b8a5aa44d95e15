"""Judges a review: reads it, lints its object, compares with the old object.

Errors, which deny, come first: they take a sixth of the time. This runs in a judging process, where
nothing else waits; its findings go through the pipe as records.
"""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Container, Iterator
from time import process_time

from celvet.lint.engine import Settings, lint_object
from celvet.lint.model import Finding, Severity, Value, Where, field_path
from celvet.record import replace
from celvet.webhook.decide.content import content
from celvet.webhook.decide.exemption import exemption, exemption_of_request
from celvet.webhook.decide.new_errors import fingerprint, new_errors
from celvet.webhook.decide.review import MalformedError, RawMembers, Review, read
from celvet.webhook.judgement import FindingRecord, Judgement

_MAX_OBJECT = 1536 * 1024
"""Bytes of the largest object that is linted: what etcd takes by default."""

_TOO_LARGE = f"the object is larger than {_MAX_OBJECT // 1024} KiB"
_TOO_DEEP = "the object is nested too deep"

_OF_ONE_RULE = 50
"""Findings of one rule that are sent: more than anybody reads."""

MOST_TEXT = 1000
"""Characters; objects may be hostile, and their results are cached."""


def judge(body: bytes, settings: Settings) -> Iterator[Judgement]:
    """The judgements of the review in a body; each replaces the previous one.

    The first has all errors. The second has only the errors that are new in an update. The last,
    computed on demand, has the warnings too. If judging ends this process, the judgements yielded
    before remain.
    """
    start = process_time()
    try:
        review = read(body)
        for judgement in _judge(review, settings):
            yield replace(judgement, dry_run=review.dry_run, seconds=process_time() - start)
    except MalformedError as error:
        yield Judgement(format_error=str(error))
    except RecursionError:
        yield Judgement(failure=_TOO_DEEP)
    except MemoryError:
        raise
    except Exception as error:  # the engine promises never to raise: the result is unknown
        yield Judgement(crashes=(("engine", f"{type(error).__name__}: {error}"),))


def _judge(review: Review, settings: Settings) -> Iterator[Judgement]:
    if review.deep:
        reason = exemption_of_request(review)
        yield Judgement(exemption=reason, failure="" if reason else _TOO_DEEP)
        return
    if reason := exemption(review, settings.catalog):
        yield Judgement(exemption=reason)
        return
    value = _value(review.object or {})
    if value is None:
        yield Judgement(failure=_TOO_LARGE)
        return
    # Errors come first, so that a later limit cannot keep an object from being denied.
    error_settings = replace(settings, least=Severity.ERROR)
    new = _lint(value, error_settings)
    errors = [finding for finding in new.findings if finding.severity is Severity.ERROR]
    old_errors: set[FindingRecord] = set()
    # Only an update with errors needs the old object: those that it had too are excused.
    if errors and review.old_object is not None:
        yield _judgement(new, old_errors, final=False, complete=False)
        old = _lint(_value(review.old_object), error_settings)
        old_errors = set(errors) - new_errors(errors, old.findings)
    yield _judgement(new, old_errors, complete=False)
    yield _judgement(_lint(value, settings), old_errors)


def _lint(value: Value, settings: Settings) -> Judgement:
    """All findings without duplicates, most severe first; none if the object is too large."""
    result = lint_object(value, settings)
    crashes = tuple((crash.rule, crash.error) for crash in result.crashes)
    records = dict.fromkeys(_record(finding, value) for finding in result.findings)
    return Judgement(tuple(sorted(records, key=lambda record: -record.severity)), crashes)


def _judgement(
    judgement: Judgement,
    old_errors: Container[FindingRecord],
    *,
    final: bool = True,
    complete: bool = True,
) -> Judgement:
    """The judgement with as many findings of each rule as anybody reads, new errors first."""
    marked = [finding._replace(is_old=finding in old_errors) for finding in judgement.findings]
    counts: Counter[str] = Counter()
    findings = []
    for finding in sorted(marked, key=lambda finding: finding.is_old):
        counts[finding.rule] += 1
        if counts[finding.rule] <= _OF_ONE_RULE:
            findings.append(finding._replace(fingerprint=""))
    return replace(
        judgement,
        findings=tuple(sorted(findings, key=lambda finding: -finding.severity)),
        omitted=len(marked) - len(findings),
        final=final,
        complete=complete,
    )


def _value(object_: RawMembers) -> Value:
    """The content of an object; None if it is too large."""
    text = content(object_)
    if len(text) > _MAX_OBJECT:
        return None
    gc.disable()  # it would take 5/6 of the time for a hostile body
    try:
        value: Value = json.loads(text)
    except ValueError as error:  # the raw parts may be invalid JSON inside
        raise MalformedError(f"the body is not JSON: {error}") from None
    else:
        return value
    finally:
        gc.enable()


def _record(finding: Finding, object_: Value) -> FindingRecord:
    field, message, help_ = (
        text[:MOST_TEXT] for text in (_field(finding.where), finding.message, finding.help)
    )
    severity = finding.severity or Severity.WARNING
    return FindingRecord(
        finding.rule, severity, field, message, help_, fingerprint(finding, object_)
    )


def _field(where: Where) -> str:
    """The path; within a text of manifests, the path of that text and the path in it."""
    outer = field_path(where.path)
    return f"{outer}: {_field(where.inner)}" if where.inner else outer
