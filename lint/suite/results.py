"""What is left of health tests that were run: plain, so that processes can hand it over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lint.suite.coverage import Covered
from lint.suite.expectation import Mismatch


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: where it stands, what came, and what of that is not as expected.

    `line` counts from 1; `verdicts` has the status of each step; `seconds` is
    the time it took; `explanation` tells how the answer came about, line by
    line, where it is not as expected.
    """

    file: str
    test: str
    case: str
    line: int
    verdicts: tuple[str, ...]
    seconds: float
    mismatches: tuple[Mismatch, ...] = ()
    explanation: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all is as expected."""
        return not self.mismatches

    @property
    def name(self) -> str:
        """Test and case, as `-k` matches them."""
        return f"{self.test}: {self.case}"


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """All cases that were run, in the order of their files.

    `coverage` has the expressions under test, None where nobody asked.
    """

    cases: tuple[CaseResult, ...]
    coverage: tuple[Covered, ...] | None = None

    @property
    def failed(self) -> Sequence[CaseResult]:
        """The cases that did not pass."""
        return [case for case in self.cases if not case.passed]
