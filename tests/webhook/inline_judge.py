"""Judges reviews in this process."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.crds.schema import NOTHING, Schemas
from celvet.lint.engine import Settings, lint_object
from celvet.webhook.decide import admission
from celvet.webhook.decide.admission import AdmissionDecision
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.decide.review import MalformedError, Review, peek
from celvet.webhook.judgement import GIVEN_UP, Judgement
from celvet.webhook.judging.judge import judge


class InlineJudge:
    """Judges at once; `crash` is a rule that fails. With `gives_up` nothing is judged.

    One that is not `complete` judges as if others waited.
    """

    def __init__(
        self,
        crash: str = "",
        *,
        gives_up: bool = False,
        complete: bool = True,
        schemas: tuple[Path, ...] = (),
        crds: Schemas = NOTHING,
    ) -> None:
        self._settings = Settings(schemas, annotations=False, fixes=False, crds=crds)
        self.crash = crash
        self._gives_up = gives_up
        self._complete = complete

    async def judge(
        self, body: bytes, review: Review, off: frozenset[str] = frozenset()
    ) -> Judgement:
        if self._gives_up:
            return GIVEN_UP
        settings = replace(self._settings, severities=dict.fromkeys(off))
        finals = (each for each in judge(body, settings) if each.final)
        found = next(each for each in finals if each.complete or not self._complete)
        if found.format_error:
            raise MalformedError(found.format_error)
        crashes = ((self.crash, "KeyError: 'x'"),) if self.crash and not found.exemption else ()
        return replace(found, crashes=(*found.crashes, *crashes))


def decide(
    body: bytes, policy: AdmissionPolicy, judge: InlineJudge | None = None
) -> AdmissionDecision:
    """The decision on the review in a body."""
    review = peek(body)
    off = policy.off(review.namespace)
    judgement = asyncio.run((judge or InlineJudge()).judge(body, review, off))
    return admission.decide(judgement, policy, review.namespace)


def linted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The objects that are linted from this point on."""
    objects: list[Any] = []

    def remembering(value: Any, settings: Settings) -> Any:
        objects.append(json.loads(json.dumps(value)))
        return lint_object(value, settings)

    monkeypatch.setattr("celvet.webhook.judging.judge.lint_object", remembering)
    return objects
