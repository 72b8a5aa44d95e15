"""Records the questions about the files around one, to ask them again in a later run.

If all answers are as they were, the result for the file is too, whatever else has changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from celvet.lint.kustomize.resource import ObjectName, Resource, SourcePlace
from celvet.lint.model import Where
from celvet.lint.repository import questions
from celvet.lint.repository.object_form import ObjectForm
from celvet.lint.repository.questions import ObjectForms, Question, QuestionHandler

_UNREPEATABLE = "null"
"""Stands for questions that cannot be asked again."""


class QuestionLog:
    """The questions about the files around one, in order, with a digest of the answers."""

    def __init__(self) -> None:
        self._questions: list[Question[Any]] = []
        self._forms: list[ObjectForm] = []
        self._form_numbers: dict[int, int] = {}
        self._applier_numbers: dict[int, int] = {}
        self._answers = blake2b(digest_size=20)

    def add(self, question: Question[Any], answer: Any) -> None:
        """Record a question with its answer."""
        self._questions.append(question)
        self._answers.update(question.digest_text(answer).encode("utf-8", "surrogatepass"))
        for form in answer if isinstance(question, ObjectForms) else ():
            # by identity: the forms of one object in several applications may be equal
            self._form_numbers.setdefault(id(form), len(self._forms))
            self._applier_numbers.setdefault(id(form.by), len(self._forms))
            self._forms.append(form)

    @property
    def answers(self) -> str:
        """A digest of all answers."""
        return self._answers.hexdigest()

    def text(self) -> str:
        """The questions and the digest as a text; empty if there are none."""
        if not self._questions:
            return ""
        try:
            return json.dumps(
                [self.answers, [[*self._to_json(question)] for question in self._questions]]
            )
        except (TypeError, ValueError, RecursionError):
            return _UNREPEATABLE

    def _to_json(self, question: Question[Any]) -> Iterator[Any]:
        """The name of a question, and each of its fields."""
        yield type(question).__name__
        for name, field_type in _fields(type(question)):
            value = getattr(question, name)
            if field_type == "ObjectForm":
                yield self._form_to_json(value)
            elif field_type == "SourcePlace":
                yield [value.file, _where_to_json(value.where)]
            else:
                yield _where_to_json(value) if field_type == "Where" else value

    def question(self, name: str, fields: Sequence[Any]) -> Question[Any]:
        """A question from JSON; raises any exception if that has been damaged."""
        cls = _QUESTIONS[name]
        types = (field_type for _, field_type in _fields(cls))
        return cls(*(_READERS[key](self, field) for key, field in zip(types, fields, strict=True)))

    def _form_to_json(self, form: ObjectForm) -> Any:
        """A form by its number; one that the engine has made, with the number of its applier's."""
        number = self._form_numbers.get(id(form))
        if number is not None:
            return number
        resource = form.resource
        sibling = self._applier_numbers.get(id(form.by))
        if sibling is None or resource.earlier_names or resource.changes:
            raise ValueError("no answer has such a form")
        return [sibling, resource.value, resource.unknown]

    def form_from_json(self, json_value: Any) -> ObjectForm:
        """A form of an earlier answer, or one that the engine would make from it."""
        if isinstance(json_value, int):
            return self._forms[json_value]
        sibling, value, unknown = json_value
        resource = Resource(value, unknown=tuple(map(tuple, unknown)))
        return ObjectForm(resource, self._forms[sibling].by)


def has_same_answers(text: str, surroundings_for: Callable[[QuestionLog], QuestionHandler]) -> bool:
    """Whether the questions of a text have the same answers now.

    `surroundings_for` gives the surroundings of the file, which record each question in a log.
    """
    if text == _UNREPEATABLE:
        return False
    log = QuestionLog()
    surroundings = surroundings_for(log)
    try:
        answers, rows = json.loads(text)
        for name, *fields in rows:
            surroundings.ask(log.question(name, fields))
    except Exception:  # a damaged text may ask anything
        return False
    return bool(answers == log.answers)


_QUESTIONS: Mapping[str, Callable[..., Question[Any]]] = {
    name: cls
    for name, cls in vars(questions).items()
    if isinstance(cls, type) and issubclass(cls, Question)
}


def _fields(cls: Any) -> Iterator[tuple[str, str]]:
    """The names of the fields of a question, each with its type as written."""
    return iter(vars(cls).get("__annotations__", {}).items())


def _where_to_json(where: Where) -> list[Any]:
    """A place; raises `ValueError` for a part of a text, about which nothing asks."""
    if where.span or where.on_key or where.source:
        raise ValueError("a part of a text")
    return [where.document, where.path, where.inner and _where_to_json(where.inner)]


def _where_from_json(json_value: Any) -> Where:
    document, path, inner = json_value
    return Where(document, tuple(path), inner=_where_from_json(inner) if inner else None)


_READERS: Mapping[str, Callable[[QuestionLog, Any], Any]] = {
    "ObjectForm": QuestionLog.form_from_json,
    "ObjectName": lambda _, names: ObjectName(*names),
    "Path": lambda _, keys: tuple(keys),
    "Sequence[Path]": lambda _, paths: [tuple(keys) for keys in paths],
    "Sequence[str]": lambda _, texts: texts,
    "SourcePlace": lambda _, parts: SourcePlace(parts[0], _where_from_json(parts[1])),
    "Where": lambda _, parts: _where_from_json(parts),
    "dict[str, Value]": lambda _, value: value,
    "str": lambda _, text: text,
}
"""Read a field of a question, by its type."""
