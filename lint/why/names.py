"""The names of objects in reports and their lines in files, and what a user has named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from celvet.lint.locate import Locator
from celvet.lint.manifest import Manifest, whole_objects
from celvet.lint.model import ObjectRef, Path
from celvet.lint.similar import did_you_mean
from celvet.lint.values import object_ref_of
from celvet.lint.why.report import Root, WaiterReport, WhyReport
from celvet.record import replace
from celvet.regex import regex
from celvet.schemas.live.waiter import waiters
from celvet.wrong_input import WrongInputError

_STEP = regex(r"\[(?P<key>[^\]]+)\]|(?P<name>[^.\[]+)")


class UnknownWaiterError(WrongInputError):
    """A name that no object has; the message says which are there."""


def title(reference: ObjectRef) -> str:
    """`Kind/namespace/name`, as Flux names an object."""
    return "/".join(filter(None, (reference.kind, reference.namespace, reference.name)))


def reason(root: Root) -> str:
    """The message without the name of its object, which stands above it."""
    rest = root.message.removeprefix(title(root.object))
    return rest.removeprefix(":").removeprefix(" is").strip() if rest else root.message


def select(report: WhyReport, names: Sequence[str], covers: Callable[[str], bool]) -> WhyReport:
    """Only the waiters of the names, if there are any, in some namespaces, and their roots."""
    selection = [waiter for waiter in report.waiters if covers(waiter.object.namespace)]
    if names:
        groups = [_wanted(name, selection) for name in names]
        selection = [waiter for waiter in selection if any(waiter in several for several in groups)]
    places = sorted({place for waiter in selection for place in waiter.roots})
    indices = {place: index for index, place in enumerate(places)}
    return replace(
        report,
        waiters=[
            replace(waiter, roots=tuple(indices[place] for place in waiter.roots))
            for waiter in selection
        ],
        roots=[report.roots[place] for place in places],
    )


def _wanted(text: str, among: Sequence[WaiterReport]) -> list[WaiterReport]:
    kind, separator, name = text.partition("/")
    if not (separator and name):
        raise UnknownWaiterError(f"write `KIND/NAME` instead of `{text}`")
    spellings = waiting_kind(kind)
    spellings |= {word for word in {waiter.object.kind for waiter in among} if _means(kind, word)}
    matches = [
        waiter for waiter in among if waiter.object.kind in spellings and waiter.object.name == name
    ]
    if not matches:
        titles = [title(waiter.object) for waiter in among]
        raise UnknownWaiterError(f"there is no `{text}` that waits; {did_you_mean(text, titles)}")
    return matches


def waiting_kind(text: str) -> set[str]:
    """The kinds that a word means: the kind, its plural, or its short name."""
    return {
        waiter.kind
        for waiter in waiters().values()
        if _means(text, waiter.kind, waiter.plural, *waiter.short)
    }


def _means(text: str, *names: str) -> bool:
    """Whether a word is one of the names, perhaps with a group behind it."""
    return text.lower().partition(".")[0] in (name.lower() for name in names)


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
