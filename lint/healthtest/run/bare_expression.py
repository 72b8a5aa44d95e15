"""One expression without a declaration around it, judged by like one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from celvet.lint.cel import compile_expression
from celvet.lint.controllers.judge import Program, Situation
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.jsonpath import compile_path
from celvet.lint.model import GroupKind, Path, Value
from celvet.schemas import Dialect


@dataclass(frozen=True, slots=True)
class Alone:
    """A judge by one text of a dialect; it has no verdict, only the value of the text."""

    text: str
    dialect: Dialect
    path: Path = ()
    group_kind: GroupKind | None = None
    statuses: tuple[str, ...] = ("",)

    @property
    def title(self) -> str:
        """The dialect, by which the text is read."""
        return self.dialect.name

    @property
    def programs(self) -> tuple[Program]:
        """The text, compiled."""
        read = compile_path if self.dialect.language == "jsonpath" else compile_expression
        return (Program((), "expression", read(self.text, self.dialect)),)

    def applies(self, _: Value) -> bool:
        """To any object."""
        return True

    def variables(self, situation: Situation) -> Mapping[str, Value]:
        """`self` and `dep` where the dialect has them, else the fields of the object."""
        if self.dialect.variables:
            return {"self": situation.owner or {}, "dep": situation.object}
        return situation.object if isinstance(situation.object, dict) else {}

    def judge(self, _: Situation) -> Verdict:
        """Nothing: what the value is good for, only a declaration tells."""
        return Verdict(status="")
