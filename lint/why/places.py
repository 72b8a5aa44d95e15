"""The lines of a repository in which the fields behind a wait are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from celvet.lint.locate import Locator
from celvet.lint.manifest import Manifest, whole_objects
from celvet.lint.model import ObjectRef, Path
from celvet.lint.values import object_ref_of
from celvet.lint.why.report import Root, WhyReport
from celvet.record import replace
from celvet.regex import regex

_STEP = regex(r"\[(?P<key>[^\]]+)\]|(?P<name>[^.\[]+)")


def with_places(report: WhyReport, manifests: Iterable[Manifest]) -> WhyReport:
    """The report with `file:line` of each root that is in one of the files.

    That is the line of its field, else of its object. A namespace that a file leaves out may be
    any; of several files with the same object, the first counts.
    """
    places: dict[int, str] = {}
    for manifest in manifests:
        for index, place in _places(manifest, report):
            places.setdefault(index, place)
    roots = [replace(root, place=places.get(index, "")) for index, root in enumerate(report.roots)]
    return replace(report, roots=roots)


def _places(manifest: Manifest, report: WhyReport) -> Iterator[tuple[int, str]]:
    locator = Locator(manifest)
    for obj in whole_objects(manifest):
        reference = object_ref_of(obj.value)
        for index, root in enumerate(report.roots):
            if _names(reference, root.holder or root.object):
                line = locator.place(obj.place(_path(root))).line
                yield index, f"{manifest.name}:{line}"


def _names(written: ObjectRef, live: ObjectRef) -> bool:
    same_kind = (written.group_kind, written.name) == (live.group_kind, live.name)
    return same_kind and written.namespace in ("", live.namespace)


def _path(root: Root) -> Path:
    """The steps of the field of a root; an index is in brackets."""
    steps = (match["key"] or match["name"] for match in _STEP.finditer(root.field))
    return tuple(int(step) if step.isdecimal() else step for step in steps)
