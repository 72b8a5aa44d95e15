"""Answers questions of the rules about the surrounding files; reads them on demand."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from celvet.lint.model import Value
from celvet.lint.repository.questions import AnswerT, IndexProblems, Question
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.repository.index import Index
    from celvet.lint.repository.question_log import QuestionLog


@record(eq=False)
class Surroundings:
    """The files around one; here, there are none, and each question has its default answer."""

    def ask(self, question: Question[AnswerT]) -> AnswerT:
        """The answer to a question of a rule."""
        return question.default

    @property
    def problems(self) -> Sequence[str]:
        """Why no question was answered; empty if one was, or if there was none."""
        return ()

    def others_digest(self) -> str:
        """A digest of the other files, as of when they were read; empty if they were not."""
        return ""


NO_REPOSITORY = Surroundings()
"""No files around: an object is what it says it is."""


class RepositoryFile(Surroundings):
    """The surroundings of a file in a repository, given its name there.

    The `log` records each question with its answer.
    """

    __slots__ = ("_is_read", "_log", "_name", "_repository")

    def __init__(self, repository: Repository, name: str, log: QuestionLog | None = None) -> None:
        self._repository, self._name, self._log = repository, name, log
        self._is_read = False

    def ask(self, question: Question[AnswerT]) -> AnswerT:
        """The answer of the index, which the first question of a process makes."""
        self._is_read = True
        answer = question.answer(self._repository.index, self._name)
        if self._log:
            self._log.add(question, answer)
        return answer

    @property
    def problems(self) -> Sequence[str]:
        """Why no question was answered; empty if none was asked, since then nothing was read."""
        return self.ask(IndexProblems()) if self._is_read else ()

    def others_digest(self) -> str:
        """A digest of the other files of the repository, if a question was asked."""
        return self._repository.index.files.state(self._name) if self._is_read else ""


@record(eq=False)
class TemplateSurroundings(Surroundings):
    """The surroundings of an object that is built from a `template`, which is a ResourceSet.

    `outer` are those of the ResourceSet.
    """

    outer: Surroundings
    template: Mapping[str, Value]

    def ask(self, question: Question[AnswerT]) -> AnswerT:
        """The answer for the ResourceSet, unless the question is about the object itself."""
        return question.answer_in_template(self.outer, self.template)


@record
class Repository:
    """A repository, given its root directory; the index is made on demand, once per process.

    Small and picklable, so that it can be sent to other processes.
    """

    root: FilePath

    def surroundings_of(self, file: str, log: QuestionLog | None = None) -> Surroundings:
        """The surroundings of a file; the log records what they are asked."""
        name = self.name(file)
        return RepositoryFile(self, name, log) if name else NO_REPOSITORY

    @property
    def state(self) -> str:
        """A digest of the names and contents of its files, at the time of the first call."""
        from celvet.lint.repository.files import files_of  # loads less than the index

        return files_of(self.root).state()

    @property
    def index(self) -> Index:
        """The index of the files, at the time of the first call."""
        from celvet.lint.repository.index import index_of

        return index_of(self.root)

    def name(self, file: str) -> str:
        """The name of a file in the repository, with slashes; empty for one outside."""
        path, root = os.path.abspath(file), os.path.join(self.root, "")  # noqa: PTH100, PTH118
        return path[len(root) :].replace(os.sep, "/") if path.startswith(root) else ""


def forget() -> None:
    """Forget all repositories, because files have changed."""
    from celvet.lint.discovery.discover import cached_files_below
    from celvet.lint.repository.files import files_of
    from celvet.lint.repository.index import index_of

    cached_files_below.cache_clear()
    files_of.cache_clear()
    index_of.cache_clear()
