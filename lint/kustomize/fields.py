"""The fields of a kustomization, and what they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from celvet.lint.kustomize.resource import Resource, SourcePlace, TextDocument
from celvet.lint.model import Path, Value
from celvet.lint.values import text_at
from celvet.record import record

Transformer: TypeAlias = Callable[[Resource], Resource | None]
"""Transforms an object; None if it is removed."""


@record
class Fields:
    """The fields of a kustomization: a file, or the `spec` of a Flux Kustomization.

    `at` gives the place of a path in it, `source` the text of a file that it names,
    `read_documents` the documents of one, `parse` those of an inline text at a path, `build` the
    objects of a file or directory that it names. All but `at` raise `KustomizeError`.
    """

    value: Mapping[str, Value]
    at: Callable[[Path], SourcePlace]
    source: Callable[[str], str]
    read_documents: Callable[[str], Sequence[TextDocument]]
    parse: Callable[[Path, str], Sequence[TextDocument]]
    build: Callable[[str], Iterable[Resource]]

    def text(self, name: str) -> str:
        """The text of a field of the kustomization; empty for anything else."""
        return text_at(self.value, (name,))
