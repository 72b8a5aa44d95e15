"""The questions of the rules about the files around one, to be asked again in a later run.

If all answers are as they were, the result for the file is too, whatever else has changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from celvet.lint.model import Where

if TYPE_CHECKING:
    from celvet.lint.repository.instance import Instance
    from celvet.lint.repository.object_form import ObjectForm

_LOST = "null"
"""Stands for questions that cannot be asked again."""

_GIVEN: Mapping[str, Sequence[str]] = {
    "effective": ("value",),
    "cycle": ("form", "path"),
    "names_without": ("form", "wanted"),
    "others_named": ("name",),
    "applied": ("form",),
    "seen": ("where", "form"),
    "dependants": ("form",),
    "unset": ("form",),
    "variables": ("names",),
    "origins": ("names",),
    "patch_target": (),
    "line": ("place",),
    "providers": (),
    "problems": (),
}
"""What each question of `Surroundings` is about; two of them are properties."""


class Questions:
    """The questions about the files around one, in order, with a digest of the answers."""

    def __init__(self) -> None:
        self._asked: list[tuple[str, tuple[Any, ...]]] = []
        self._forms: list[ObjectForm] = []
        self._numbers: dict[int, int] = {}
        self._applied: dict[int, int] = {}
        self._answers = blake2b(digest_size=20)

    def add(self, question: str, given: tuple[object, ...], answer: Any) -> None:
        """Note a question with its answer."""
        self._asked.append((question, given))
        for form in answer if question == "effective" else ():
            # by identity: the forms of one object in several applications may be equal
            self._numbers.setdefault(id(form), len(self._forms))
            self._applied.setdefault(id(form.by), len(self._forms))
            self._forms.append(form)
        self._answers.update(_shown(question, answer).encode("utf-8", "surrogatepass"))

    @property
    def answers(self) -> str:
        """A digest of all answers."""
        return self._answers.hexdigest()

    def text(self) -> str:
        """The questions and the digest as a text; empty if there are none."""
        if not self._asked:
            return ""
        try:
            asked = [[question, *self._written(question, given)] for question, given in self._asked]
            return json.dumps([self.answers, asked])
        except (TypeError, ValueError, RecursionError):
            return _LOST

    def _written(self, question: str, given: Sequence[Any]) -> Iterator[Any]:
        for name, each in zip(_GIVEN[question], given, strict=True):
            if name == "form":
                yield self._form(each)
            elif name == "where":
                yield _where(each)
            else:
                yield [each.file, _where(each.where)] if name == "place" else each

    def _form(self, form: ObjectForm) -> Any:
        """A form by its number; one that the engine has made, with the number of its applier's."""
        number = self._numbers.get(id(form))
        if number is not None:
            return number
        resource = form.resource
        like = self._applied.get(id(form.by))
        if like is None or resource.earlier or resource.changes:
            raise ValueError
        return [like, resource.value, resource.unknown]

    def read(self, question: str, written: Sequence[Any]) -> Iterator[Any]:
        """What is given with a question; may raise anything if the text has been damaged."""
        for name, each in zip(_GIVEN[question], written, strict=True):
            if name == "form":
                yield self._form_of(each)
            elif name == "where":
                yield _where_of(each)
            elif name == "wanted":
                from celvet.lint.kustomize.resource import ObjectName

                yield ObjectName(*each)
            elif name == "place":
                from celvet.lint.kustomize.resource import SourcePlace

                yield SourcePlace(each[0], _where_of(each[1]))
            else:
                yield tuple(each) if name == "path" else each

    def _form_of(self, written: Any) -> ObjectForm:
        if isinstance(written, int):
            return self._forms[written]
        from celvet.lint.kustomize.resource import Resource
        from celvet.lint.repository.object_form import ObjectForm

        number, value, unknown = written
        made = Resource(value, unknown=tuple(map(tuple, unknown)))
        return ObjectForm(made, self._forms[number].by)


def answered_alike(text: str, asking: Callable[[Questions], object]) -> bool:
    """Whether the questions of a text have the same answers now.

    `asking` gives the `Surroundings` of the file, which note what they are asked.
    """
    if text == _LOST:
        return False
    again = Questions()
    around = asking(again)
    try:
        answers, asked = json.loads(text)
        for question, *written in asked:
            found = getattr(around, question)
            if callable(found):
                found(*again.read(question, written))
    except Exception:  # a damaged text may ask anything
        return False
    return bool(answers == again.answers)


def _where(where: Where) -> list[Any]:
    """A place as JSON; raises `ValueError` for a part of a text, about which nothing asks."""
    if where.span or where.on_key or where.source:
        raise ValueError
    return [where.document, where.path, where.inner and _where(where.inner)]


def _where_of(written: Any) -> Where:
    document, path, inner = written
    return Where(document, tuple(path), inner=_where_of(inner) if inner else None)


def _shown(question: str, answer: Any) -> str:
    """All of an answer that can decide about a result, the same in each process.

    Of who applies an object, the rules see nothing: they only ask further about it.
    """
    if question == "effective":
        return repr([(each.resource, [*_appliers(each.by)]) for each in answer])
    if isinstance(answer, frozenset):
        return _sorted(answer)
    if question in ("applied", "seen"):
        return repr(answer and sorted(map(repr, answer)))
    return repr([*answer.items()] if isinstance(answer, Mapping) else answer)


def _appliers(by: Instance | None) -> Iterator[object]:
    for each in by.chain if by else ():
        yield each.declared.place, each.resource.identity


@lru_cache(maxsize=64)
def _sorted(answer: frozenset[object]) -> str:
    """The names in a cluster, about which many files ask."""
    return repr(sorted(map(repr, answer)))
