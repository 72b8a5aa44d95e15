"""One model that stands for many: those of other kinds, and those that name other things.

    e.type == 'Ready' && e.status == 'True'
    e.type == 'Valid' && e.status == 'True'

A text that is only compared with fields, by `==` and `!=`, may be any other of its length: what is
found out about one model is true of the other, with its name in the place of this one's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import permutations

from celvet.lint.cel import Compiled, compile_expression
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    Literal,
    Macro,
    Node,
    Select,
    names,
    walk,
)
from celvet.lint.cel.syntax.vocabulary import ORDERS
from celvet.lint.model import GroupKind, Span, Value
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.reads.field_names import CONDITION_STATUSES, is_conditions
from celvet.lint.predict.reads.reader import read
from celvet.lint.predict.reads.reading import Field
from celvet.lint.predict.states.state import State
from celvet.lint.predict.states.state_builder import FOREIGN, head
from celvet.lint.predict.states.workloads import leaves_out_zero
from celvet.lint.predict.truth_table import Row
from celvet.record import field, record, replace
from celvet.regex import regex
from celvet.schemas import Dialect

_KIND_FIELDS = frozenset({"apiVersion", "kind", ".apiVersion", ".kind"})
_ANY_KIND = GroupKind("example.com", "Example")

_NAME = regex(r"(?!.*other|x+$)[a-z][a-z0-9_.-]{3,39}", re.IGNORECASE)
"""The names that may be others. Messages quote them whole, and states have no such texts."""

_SPECIAL = frozenset({*CONDITION_STATUSES, *FOREIGN, "example", "true", "false", "null"})
"""Texts of states that look like names."""

_MARK = "Qxz"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_EQUALITY = frozenset({"_==_", "_!=_"})
_OTHERS = frozenset({"_&&_", "_||_", "!_", "_?_:_", "_[_]", "@in", "size"})
"""With these functions, no part of a text and no order of texts matters."""


@record
class General:
    """The `model` that stands for an `own` one; `names` has its stand-ins for texts of that."""

    own: CheckModel
    model: CheckModel
    names: Mapping[str, str] = field(default_factory=dict)

    def text(self, text: str) -> str:
        """A text about the model, said of the own one."""
        if self.names and _MARK in text:
            for stand_in, name in self.names.items():
                text = text.replace(stand_in, name)
        return text

    def row(self, row: Row) -> Row:
        """A row of the model, on the own one."""
        state, kind = row.state, self.own.group_kind
        other = {} if kind == self.model.group_kind else head(kind)
        if not (other or self.names):
            return row
        shown = State(
            self.text(state.name),
            self.text(state.description),
            state.stage,
            self._value(state.object) | other,
            self._value(state.variables) | other,
        )
        return Row(shown, row.outcomes, self.own)

    def _value(self, value: Value) -> Value:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self._value(each) for key, each in value.items()}
        return [*map(self._value, value)] if isinstance(value, list) else value


def general(model: CheckModel) -> General:
    """The model that stands for this one, and for its likes.

    It has another kind if nothing depends on the kind: nothing is known about it, and no
    expression reads its name. What is found out about it holds for all of them.
    """
    known = model.schema or model.facts
    named = {name for tree in model.trees() for name, _ in names(tree)}
    special = known or model.root or named & _KIND_FIELDS or leaves_out_zero(model.group_kind)
    stands = model if special else replace(model, group_kind=_ANY_KIND)
    renamed = None if known or model.copies.lacking else _renamed(stands)
    return General(model, *renamed) if renamed else General(model, stands)


def _renamed(model: CheckModel) -> tuple[CheckModel, Mapping[str, str]] | None:
    """The model with stand-ins for the names in it, and these names; None if they may matter.

    The stand-ins have the lengths and the order of the names, and none is a part of another one.
    """
    if any(each.of_outline(_literals) is None for each in model.programs.values()):
        return None
    found = {role: [*_compared(each)] for role, each in model.programs.items()}
    known = {name for texts in found.values() for _, name in texts} - _SPECIAL
    free = sorted(filter(_NAME.fullmatch, known))
    taken = (model.group_kind.kind, *(each.text for each in model.programs.values()))
    if not free or len(free) > len(_LETTERS) or any(_MARK in each for each in taken):
        return None
    if any(one in other for one, other in permutations(free, 2)):
        return None
    stand_ins = {
        name: f"{_MARK}{letter}".ljust(len(name), "q")
        for name, letter in zip(free, _LETTERS, strict=False)
    }
    texts = {
        role: _reworded(each.text, found[role], stand_ins) for role, each in model.programs.items()
    }
    if any(name in text for name in free for text in (model.group_kind.kind, *texts.values())):
        return None
    dialects = (each.dialect for each in model.programs.values())
    programs = _programs(tuple(zip(texts, texts.values(), dialects, strict=True)))
    if programs is None:
        return None
    return replace(model, programs=programs), {new: name for name, new in stand_ins.items()}


def _compared(program: Compiled) -> Iterator[tuple[Span, str]]:
    """The texts that fields are compared with, where they are written as they are."""
    numbers = program.of_outline(_literals) or frozenset()
    for node in walk(program.tree) if program.tree and numbers else ():
        if node.id in numbers and isinstance(node, Literal) and isinstance(node.value, str):
            quotes = node.span.end - node.span.start - len(node.value)
            if quotes == 2:  # so there are no escapes
                yield node.span, node.value


def _literals(program: Compiled) -> frozenset[int] | None:
    """The numbers of these texts' nodes; None if the expression uses texts in other ways too."""
    if program.tree is None:
        return None
    nodes = [*walk(program.tree)]
    lists = {each.args[1] for each in nodes if isinstance(each, Call) and each.function == "@in"}
    if not all(_is_plain(each) or each in lists for each in nodes):
        return None
    equal = (each for each in nodes if isinstance(each, Call) and each.function in _EQUALITY)
    pairs = (each.args for each in equal)
    return frozenset(
        text.id
        for one, other in pairs
        for text, place in ((one, other), (other, one))
        if isinstance(text, Literal) and text.kind == "string" and _is_place(place)
    )


def _is_plain(node: Node) -> bool:
    if isinstance(node, Call) and node.function in ORDERS:
        return any(isinstance(each, Literal) and each.kind != "string" for each in node.args)
    if isinstance(node, Call):
        return node.function in _OTHERS | _EQUALITY
    return isinstance(node, Select | Ident | Literal | Macro)


def _is_place(node: Node) -> bool:
    index = isinstance(node, Call) and node.function == "_[_]"
    return index or isinstance(node, Select | Ident)


def _reworded(text: str, found: list[tuple[Span, str]], stand_ins: Mapping[str, str]) -> str:
    """A text with other names, which are as long."""
    for span, name in found:
        if name in stand_ins:
            text = f"{text[: span.start + 1]}{stand_ins[name]}{text[span.end - 1 :]}"
    return text


@lru_cache(maxsize=1_024)
def _programs(texts: tuple[tuple[str, str, Dialect], ...]) -> Mapping[str, Compiled] | None:
    """The programs of these texts, by role; None if a field is compared with anything else."""
    programs = {role: compile_expression(text, dialect) for role, text, dialect in texts}
    reading = read([each.tree for each in programs.values() if each.tree])
    return programs if all(map(_is_free, reading.fields.values())) else None


def _is_free(each: Field) -> bool:
    """Whether a field is compared with stand-ins alone, or with none."""
    new = [isinstance(value, str) and _MARK in value for value in each.values]
    if not any(new):
        return True
    status = each.path[-1] == "status" and is_conditions(each.path[:-2])
    return all(new) and not (each.peers or each.ordered or status)
