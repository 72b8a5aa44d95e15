"""One probe: which objects it is about, and whether it holds on them.

The design document leaves open what a probe without a name is about; here it
is every object of the kind, and at least one there must be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from celvet.lint.checks import Check, PathExpression
from celvet.lint.jsonpath import EvaluationError, LimitExceededError
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.verdicts.unstructured import kind_of, text_or
from celvet.lint.verdicts.verdict import Cause, Verdict
from celvet.record import record

HOLDS = Verdict(status="True")


@record
class Probe:
    """An element of `spec.health`; `path` is its place, `value` the text that is wanted."""

    path: Path
    name: str
    group_kind: GroupKind
    version: str
    expression: PathExpression
    value: str

    @property
    def title(self) -> str:
        """The kind and the name."""
        return f"{self.group_kind} {self.name}".strip()

    def matches(self, obj: Value) -> bool:
        """Whether the probe is about an object; kinds compare without case."""
        kind = kind_of(obj)
        version = text_or("", obj, "apiVersion").rpartition("/")[2]
        return (
            kind.kind.casefold() == self.group_kind.kind.casefold()
            and kind.group == self.group_kind.group
            and self.version in ("", version)
            and self.name in ("", text_or("", obj, "metadata", "name"))
        )

    def verdict(self, objects: Sequence[Value]) -> Verdict:
        """True if it holds on every object that it is about, else the first that differs."""
        about = [obj for obj in objects if self.matches(obj)]
        if not about:
            return self._failed("False", f"there is no {self.title}")
        verdicts = (self._on(obj) for obj in about)
        return next((verdict for verdict in verdicts if verdict.status != "True"), HOLDS)

    def _on(self, obj: Value) -> Verdict:
        reading = self.expression.program.read(obj)
        if reading.state == "error":
            return self._failed("Unknown", reading.error, reading.error)
        if reading.state == "absent":
            return self._failed("False", f"{self._text} gives nothing, expected `{self.value}`")
        try:
            found = reading.text
        except (EvaluationError, LimitExceededError) as error:
            return self._failed("Unknown", str(error), str(error))
        if found == self.value:
            return HOLDS
        return self._failed("False", f"{self._text} is `{found}`, expected `{self.value}`")

    @property
    def _text(self) -> str:
        return f"`{self.expression.program.text}`"

    def _failed(self, status: str, why: str, error: str = "") -> Verdict:
        message = f"probe of {self.title}: {why}"
        return Verdict(
            status=status, message=message, error=error, cause=Cause(self.expression.path)
        )


def probes(checks: Iterable[Check]) -> tuple[Probe, ...]:
    """The probes among checks: those with a path."""
    found = []
    for check in checks:
        value = check.value
        for expression in check.of("path"):
            found.append(
                Probe(
                    path=check.path,
                    name=text_or("", value, "name"),
                    group_kind=GroupKind(text_or("", value, "group"), text_or("", value, "kind")),
                    version=text_or("", value, "version"),
                    expression=cast("PathExpression", expression),
                    value=text_or("", value, "value"),
                )
            )
    return tuple(found)
