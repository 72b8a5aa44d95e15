"""A linter in this process."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from celvet import schemas
from celvet.lint.engine import Settings, lint_object
from celvet.webhook.decide.admission import Admission, AdmissionDecision
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.decide.review import read
from celvet.webhook.judging.summary import records
from celvet.webhook.lint_result import LintResult


class InlineLinter:
    """Lints at once; `objects` are those it got, `crash` is a rule that fails."""

    def __init__(
        self, crash: str = "", limit_exceeded: bool = False, schemas: tuple[Path, ...] = ()
    ) -> None:
        self._schemas = schemas
        self.objects: list[Any] = []
        self._crash = crash
        self._limit_exceeded = limit_exceeded

    async def lint(self, text: bytes, *, opt_out: bool) -> LintResult:
        self.objects.append(json.loads(text))
        if self._limit_exceeded:
            return LintResult(limit_exceeded=True)
        result = lint_object(self.objects[-1], Settings(self._schemas, annotations=opt_out))
        crashes = [(each.rule, each.error) for each in result.crashes]
        if self._crash:
            crashes.append((self._crash, "KeyError: 'x'"))
        return LintResult(records(result.findings, self.objects[-1]), tuple(crashes))


def decide(
    body: bytes, policy: AdmissionPolicy, linter: InlineLinter | None = None
) -> AdmissionDecision:
    """The decision on the review in a body."""
    admission = Admission(linter or InlineLinter(), lambda: policy, schemas.load())
    return asyncio.run(admission.decide(read(body)))
