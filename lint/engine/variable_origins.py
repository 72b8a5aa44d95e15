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
        replace(each, related=(*each.related, *_origins(each.where, manifest, locator, settings)))
        for each in findings
    )


def _origins(
    where: Where, manifest: Manifest, locator: Locator, settings: Settings
) -> Iterator[Related]:
    """A configured value overrides that of a parent."""
    document = manifest.document(where.document)
    node = document.node_at(where.path) if document else None
    if node is None or where.on_key or not (node.substituted or where.inner):
        return
    text = manifest.text[slice(*locator.offsets(_whole(where)))]
    names = [each for each in variables_in(text) if each not in settings.substitutions]
    around = settings.surroundings
    for name, (by, place) in around.ask(VariableOrigins(names)).items() if names else ():
        yield Related(f"{by} gives `{name}` its value ({around.ask(PlaceLabel(place))})", where)


def _whole(where: Where) -> Where:
    """The whole text that has a place in it."""
    return replace(where, span=None, inner=_whole(where.inner) if where.inner else None)
