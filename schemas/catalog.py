"""All kinds and dialects that are known: the built-in ones and the user's own."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from celvet.record import field, record, replace
from celvet.schemas.cel_go import numbers
from celvet.schemas.controller import controllers
from celvet.schemas.dialect import Dialect
from celvet.schemas.errors import CatalogError
from celvet.schemas.facts_reader.read import check_kinds
from celvet.schemas.holder import holder, holders
from celvet.schemas.kind import Kind, version_order
from celvet.schemas.kind_files import KINDS

BUILT_IN = Path(__file__).parent
"""The directory of the schemas that celvet comes with."""


class ServedKind(NamedTuple):
    """A kind as the rules of a webhook name it."""

    group: str
    scope: str
    plural: str
    kind: str


@record(eq=False)
class Catalog:
    """The kinds, ordered by system and name, and the dialects by name.

    `words` are the words of all kinds, `annotated` those for objects with an annotation,
    `directories` the user's own schema directories, `targets`
    the versions of products to assume.
    """

    kinds: tuple[Kind, ...]
    dialects: Mapping[str, Dialect]
    words: tuple[str, ...]
    _exact: Mapping[tuple[str, str, str], Kind]
    _newest: Mapping[tuple[str, str], Kind]
    _by_name: Mapping[str, Kind]
    directories: tuple[Path, ...] = ()
    targets: Mapping[str, str] = field(default_factory=dict)
    annotated: tuple[Kind, ...] = ()

    def find(self, api_version: str, kind: str) -> Kind | None:
        """The kind of an object, by its `apiVersion` and `kind`.

        An unknown version gets the newest schema of its group and kind: a cluster may be newer
        than celvet. An empty `api_version`, as in a patch whose target leaves it out, finds the
        only kind of that name.
        """
        if not api_version:
            return self._by_name.get(kind)
        group, _, version = api_version.rpartition("/")
        return self._exact.get((group, version, kind)) or self._newest.get((group, kind))

    def kind_of(self, value: Mapping[str, Any], api_version: str, kind: str) -> Kind | None:
        """The kind of an object, or else the one for objects of any kind with its annotation."""
        if own_kind := self.find(api_version, kind):
            return own_kind
        metadata = value.get("metadata")
        annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
        if not isinstance(annotations, dict):
            return None
        for item in self.annotated:
            name, *switches = item.annotations
            if name in annotations and not any(annotations.get(key) == "true" for key in switches):
                return item
        return None

    def concerns(self, api_version: str, kind: str) -> bool:
        """Whether stored objects of a kind have expressions, or may hold objects that have some.

        A kind that is not read in a cluster may hold texts for a controller, as a Secret does: they
        concern nobody here.
        """
        item = holder(api_version.rpartition("/")[0], kind)
        return bool(self.find(api_version, kind) or (item and (item.plural or not item.embedded)))

    @property
    def served_kinds(self) -> list[ServedKind]:
        """The kinds with expressions that API servers serve, in order."""
        rows = [(kind.group, kind.scope, kind.plural, kind.kind) for kind in self.kinds]
        rows += [(item.group, item.scope, item.plural, item.kind) for item in holders()]
        return sorted({ServedKind(*names) for names in rows if names[2]})


def load(extra: Sequence[Path] = (), targets: Iterable[tuple[str, str]] = ()) -> Catalog:
    """The catalogue of the built-in schemas and of the user's directories `extra`.

    `targets` are versions of products, such as `("flux", "2.6")`: the dialects of their
    controllers are those of that version. For any other product it is the newest release.

    A kind of a later directory replaces the same kind and version of an earlier one; a dialect
    cannot be replaced. A process reads each directory once. Raises `CatalogError`, with the file
    and the reason, for anything in a directory that is not understood.
    """
    return _load_for_targets(tuple(extra), tuple(sorted(targets)))


@functools.lru_cache(maxsize=8)
def _load_for_targets(extra: tuple[Path, ...], targets: tuple[tuple[str, str], ...]) -> Catalog:
    catalog, versions = _load(extra), dict(targets)
    dialects = {
        name: _dialect_for_targets(dialect, versions) for name, dialect in catalog.dialects.items()
    }
    kinds = [_kind_for_targets(kind, versions) for kind in catalog.kinds]
    if kinds == [*catalog.kinds]:
        return replace(catalog, dialects=dialects, targets=versions)
    targeted_catalog = _catalog(kinds, dialects)
    return replace(targeted_catalog, directories=catalog.directories, targets=versions)


def _kind_for_targets(kind: Kind, versions: Mapping[str, str]) -> Kind:
    """A kind with the defaults of the targeted version of its product."""
    defaults, go_type = kind.earlier_defaults, kind.go_type
    version = versions.get(defaults.target) if defaults else None
    if not defaults or not go_type or not version or numbers(version) >= numbers(defaults.before):
        return kind
    for path, default in defaults.defaults.items():
        go_type = go_type.with_default(path, default)
    return replace(kind, go_type=go_type)


def _dialect_for_targets(dialect: Dialect, versions: Mapping[str, str]) -> Dialect:
    """A dialect with its controller's version of cel-go, unless it names one itself."""
    controller = controllers().get(dialect.controller)
    if controller is None or dialect.cel_go:
        return dialect
    return _with_cel_go(dialect, controller.cel_go(versions.get(controller.target, "")))


@functools.lru_cache(maxsize=64)
def _with_cel_go(dialect: Dialect, cel_go: str) -> Dialect:
    return dialect.at(cel_go)


@functools.lru_cache(maxsize=8)
def _load(extra: tuple[Path, ...]) -> Catalog:
    if not extra:
        from celvet.schemas import built_in  # what `make generate` has read

        return _catalog(built_in.KINDS, built_in.DIALECTS)
    from celvet.schemas.reader import read_dialects, read_kinds  # few have schemas of their own

    catalog = _load(extra[:-1])
    check_kinds(extra[-1] / KINDS)
    dialects = _merge_dialects(catalog.dialects, read_dialects(extra[-1]), extra[-1])
    extended_catalog = _catalog((*catalog.kinds, *read_kinds(extra[-1], dialects)), dialects)
    return replace(extended_catalog, directories=extra)


def _merge_dialects(
    dialects: Mapping[str, Dialect], own: Mapping[str, Dialect], directory: Path
) -> dict[str, Dialect]:
    for name in own.keys() & dialects.keys():
        raise CatalogError(directory, f"dialect `{name}` exists already")
    return {**dialects, **own}


def _catalog(kinds: Iterable[Kind], dialects: Mapping[str, Dialect]) -> Catalog:
    exact = {(kind.group, version, kind.kind): kind for kind in kinds for version in kind.versions}
    newest: dict[tuple[str, str], Kind] = {}
    for key in sorted(exact, key=lambda key: version_order(key[1])):
        newest[key[0], key[2]] = exact[key]
    listed_kinds = sorted(set(exact.values()), key=lambda kind: (kind.system, kind.kind))
    words = tuple(sorted({word for kind in listed_kinds for word in kind.words}))
    groups = Counter(name for _, name in newest)
    unambiguous_names = {name: kind for (_, name), kind in newest.items() if groups[name] == 1}
    annotated = tuple(kind for kind in listed_kinds if kind.annotations)
    return Catalog(
        tuple(listed_kinds),
        dialects,
        words,
        exact,
        newest,
        unambiguous_names,
        annotated=annotated,
    )
