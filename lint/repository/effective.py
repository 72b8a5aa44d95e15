"""What becomes of an object: one form for each way on which it gets into the cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource
    from celvet.lint.repository.appliers import Instance


@dataclass(frozen=True, slots=True)
class Effective:
    """An object as the cluster gets it in one of its applications.

    `by` is who applies it; None if nobody in the repository does.
    """

    resource: Resource
    by: Instance | None = None
