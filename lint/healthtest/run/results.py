"""Results of health tests, as plain data that processes can send to each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypeAlias

from celvet.lint.healthtest.run.coverage import Covered
from celvet.lint.healthtest.run.differences import Difference
from celvet.lint.verdicts.rollout import Wait
from celvet.record import record

CaseOutcome: TypeAlias = Literal["passed", "failed", "skipped", "xfailed", "xpassed"]
Detail: TypeAlias = Literal["quiet", "normal", "verbose"]


@record
class CaseResult:
    """One case: its place, its results, and the mismatches.

    `line` counts from 1; `verdicts` has the status of each step, `waits` those that the case names;
    `seconds` is the time it took; `explanation` says, line by line, how an unexpected answer came
    about. `skip`, `xfail` and `guess` are those of the case.
    """

    file: str
    test: str
    case: str
    line: int
    verdicts: tuple[str, ...]
    seconds: float
    mismatches: tuple[Difference, ...] = ()
    explanation: tuple[str, ...] = ()
    skip: str = ""
    xfail: str = ""
    guess: bool = False
    waits: tuple[Wait, ...] = ()

    @property
    def outcome(self) -> CaseOutcome:
        """The outcome of the case, in pytest's words; an `xpassed` one should have failed."""
        if self.skip:
            return "skipped"
        if self.xfail:
            return "xfailed" if self.mismatches else "xpassed"
        return "failed" if self.mismatches else "passed"

    @property
    def failed(self) -> bool:
        """Whether the case is not as it should be."""
        return self.outcome in ("failed", "xpassed")

    @property
    def name(self) -> str:
        """Test and case, as `-k` matches them."""
        return f"{self.test}: {self.case}"


@record
class Unrun:
    """The reason why a health test, or a whole file, cannot be run, and a remedy.

    `line` and `column` count from 1, in Unicode code points; a file that cannot
    even be read has 0. `rule` is the name of what was found: `health-test`, a
    rule of `celvet lint`, or `unreadable-file`.
    """

    file: str
    line: int
    column: int
    rule: str
    message: str
    help: str = ""

    @property
    def place(self) -> str:
        """The file, the line and the column, those that are known."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@record
class SuiteReport:
    """All cases that were run, in the order of their files, and what was not.

    `coverage` has the expressions under test, None if it was not requested. `detail` is for people.
    """

    cases: tuple[CaseResult, ...]
    coverage: tuple[Covered, ...] | None = None
    unrun: tuple[Unrun, ...] = ()
    detail: Detail = "normal"

    @property
    def failed(self) -> Sequence[CaseResult]:
        """The cases that are not as they should be."""
        return [case for case in self.cases if case.failed]

    def tally(self) -> Counter[CaseOutcome]:
        """How many cases there are of each outcome."""
        return Counter(case.outcome for case in self.cases)
