"""The surroundings of what a ResourceSet builds: those of the ResourceSet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from celvet.lint.model import Value
from celvet.lint.repository.surroundings import Forwarded, Surroundings
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import SourcePlace
    from celvet.lint.repository.effective import Effective


@record(eq=False)
class Templated(Forwarded):
    """What may be asked about an object that a ResourceSet of a file builds.

    The operator applies it as it is built. Where a parent may change the `template`, which is the
    ResourceSet, nothing is known of it.
    """

    around: Surroundings
    file: str
    template: Mapping[str, Value]

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """See `Surroundings`."""
        from celvet.lint.kustomize.resource import Resource  # loads what follows patches
        from celvet.lint.repository.effective import Effective

        built = Resource(value)
        return [
            Effective(built if form.keeps("spec", self.template) else built.not_known(()), form.by)
            for form in self.around.effective(self.file, dict(self.template))
        ]

    def _ask(self, file: str) -> tuple[Surroundings, str]:
        return self.around, self.file

    def patch(self, file: str) -> Mapping[str, str] | None:
        """None: it is built as it is."""
        return None

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        return self.around.line(place)

    def name(self, file: str) -> str:
        """See `Surroundings`."""
        return self.around.name(self.file)

    def others(self, file: str) -> str:
        """See `Surroundings`."""
        return self.around.others(self.file)
