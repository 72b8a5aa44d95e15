"""A judge without a process of its own."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

from celvet import schemas
from celvet.lint.engine import Settings, lint_object
from celvet.webhook.decide.admission import Admission, Decision
from celvet.webhook.decide.policy import Policy
from celvet.webhook.decide.review import read
from celvet.webhook.judging.summary import objections
from celvet.webhook.lint_result import Judgement


class InlineJudge:
    """Judges at once; `asked` are the objects it was asked of, `crash` a rule that fails."""

    def __init__(self, crash: str = "", exhausted: bool = False) -> None:
        self.asked: list[Any] = []
        self._crash = crash
        self._exhausted = exhausted

    async def judge(self, text: bytes, *, opt_out: bool) -> Judgement:
        self.asked.append(json.loads(text))
        if self._exhausted:
            return Judgement(exhausted=True)
        result = lint_object(self.asked[-1], Settings(annotations=opt_out))
        crashes = ((self._crash, "KeyError: 'x'"),) if self._crash else ()
        return replace(Judgement(objections(result.findings, self.asked[-1])), crashes=crashes)


def decide(body: bytes, policy: Policy, judge: InlineJudge | None = None) -> Decision:
    """The decision on the review in a body."""
    admission = Admission(judge or InlineJudge(), lambda: policy, schemas.load())
    return asyncio.run(admission.decide(read(body)))
