"""Notes on findings about an expression whose variables have values from a parent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.engine.detect import variables_in
from celvet.lint.engine.settings import Settings
from celvet.lint.locate import Locator
from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, Related, Where
from celvet.lint.repository.questions import PlaceLabel, VariableOrigins
from celvet.record import replace


def with_origins(
    findings: Sequence[Finding], manifest: Manifest, settings: Settings
) -> tuple[Finding, ...]:
    """The findings, each with who gives the variables in its text their values."""
    locator = Locator(manifest)
    return tuple(
        replace(
            finding,
            related=(*finding.related, *_origins(finding.where, manifest, locator, settings)),
        )
        for finding in findings
    )


def _origins(
    where: Where, manifest: Manifest, locator: Locator, settings: Settings
) -> Iterator[Related]:
    """A configured value overrides that of a parent."""
    document = manifest.document(where.document)
    node = document.node_at(where.path) if document else None
    if node is None or where.on_key or not (node.substituted or where.inner):
        return
    text = manifest.text[slice(*locator.offsets(_place_of_text(where)))]
    names = [name for name in variables_in(text) if name not in settings.substitutions]
    surroundings = settings.surroundings
    origins = surroundings.ask(VariableOrigins(names)) if names else {}
    for name, (by, place) in origins.items():
        label = surroundings.ask(PlaceLabel(place))
        yield Related(f"{by} gives `{name}` its value ({label})", where)


def _place_of_text(where: Where) -> Where:
    """The whole text that has a place in it."""
    return replace(where, span=None, inner=_place_of_text(where.inner) if where.inner else None)
