"""A health test, with every file that it names loaded."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from celvet.lint.checks.checked_object import Place
from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, ObjectRef, Path, Severity, Value
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.lint.verdicts.verdict import End
from celvet.record import field, record
from celvet.wrong_input import WrongInputError

_RULE = "health-test"
"""Stands for a rule in findings about tests that cannot be run."""


class UnusableTestError(WrongInputError):
    """A health test that cannot be run: why, where in the test, and what to do."""

    def __init__(self, message: str, path: Path, help_: str = "") -> None:
        super().__init__(". ".join(filter(None, (message, help_))))
        self.message, self.path, self.help = message, path, help_


def unusable(problem: UnusableTestError, place: Place) -> Finding:
    """The finding about a test that cannot be run."""
    return Finding(
        message=problem.message,
        where=place(problem.path),
        help=problem.help,
        severity=Severity.ERROR,
        rule=_RULE,
    )


@record
class Step:
    """The state that the controller sees, `delay` after the previous step.

    `owner` takes the place of the declaring object, which a `readyExpr` sees as `self`; None keeps
    the object in its file. `settings` are facts that no manifest contains, see
    `celvet.lint.verdicts.evaluator.ClusterState`.
    """

    objects: tuple[Value, ...]
    delay: timedelta = timedelta()
    owner: Value = None
    settings: Mapping[str, Value] = field(default_factory=dict)


@record
class ExpectedValue:
    """The value that an expression should have, as JSON."""

    value: Value


@record
class Expectation:
    """The expected answer to one step; a field that is None is not compared.

    `error` and `refused` are parts of a message, as is `message`; `whole_message` is all of it.
    `outcomes` maps the role of an
    expression to whether it is true, to its value, or to a part of its error.
    `path` leads to the expectation in the test, `places` to each part of it by name.
    """

    path: Path
    places: Mapping[str, Path]
    verdict: str | None = None
    reason: str | None = None
    message: str | None = None
    whole_message: str | None = None
    error: str | None = None
    refused: str | None = None
    outcomes: Mapping[str, bool | ExpectedValue | str] = field(default_factory=dict)


@record
class ExpectedWait:
    """How and when a wait should end, since the first check; a field that is None is not compared.

    `message` is a part of the message then. `path` and `places` are those of an `Expectation`.
    """

    path: Path
    places: Mapping[str, Path]
    end: End | None = None
    at: timedelta | None = None
    message: str | None = None


@record
class Case:
    """Steps in time, the expected verdict of each, and how the waits for them should end.

    `path` leads to the case in the test. `skip` is the reason why it is not run, `xfail` why it
    should fail; both may be empty. With `guess` its objects are made up. With `changes` the
    expectations are only for the changes of the verdict, since a recording has a step for each
    version of the object.
    """

    name: str
    path: Path
    start: datetime
    steps: tuple[Step, ...]
    expectations: tuple[Expectation, ...]
    waits: tuple[ExpectedWait, ...] = ()
    changes: bool = False
    skip: str = ""
    xfail: str = ""
    guess: bool = False


@record
class Target:
    """The target of a test: an evaluator, and the object that declares it.

    `place` gives the places of the object's parts in the file.
    """

    file: str
    manifest: Manifest
    place: Place
    object: ObjectRef
    evaluator: Evaluator


@record
class HealthTest:
    """One health test; `place` turns its paths into places in `file`."""

    file: str
    name: str
    place: Place
    target: Target
    cases: tuple[Case, ...]
