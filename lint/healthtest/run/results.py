"""What is left of health tests that were run: plain, so that processes can hand it over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from celvet.lint.healthtest.run.coverage import Covered
from celvet.lint.healthtest.run.differences import Difference


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
    mismatches: tuple[Difference, ...] = ()
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
class Unrun:
    """What keeps a health test, or a whole file, from being run, and what to do.

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
        """The file, the line and the column, as far as they are known."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """All cases that were run, in the order of their files, and what was not.

    `coverage` has the expressions under test, None where nobody asked.
    """

    cases: tuple[CaseResult, ...]
    coverage: tuple[Covered, ...] | None = None
    unrun: tuple[Unrun, ...] = ()

    @property
    def failed(self) -> Sequence[CaseResult]:
        """The cases that did not pass."""
        return [case for case in self.cases if not case.passed]
