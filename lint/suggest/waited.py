"""What manifests wait for: the declarations in each file, and the kinds that they leave to kstatus.

A declaration is an object of a kind that has health check entries. It waits for the objects that
it names, or for all that it applies: those below its directory, as kustomize would find them.
"""

from __future__ import annotations

import os.path
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath

from celvet.lint.checks import check_object
from celvet.lint.locate import Locator
from celvet.lint.manifest import KubeObject, Manifest, objects_in
from celvet.lint.model import GroupKind
from celvet.lint.rules.core_kind import GROUPS
from celvet.lint.values import get, group_kind_of, list_at, object_ref_of, text_at
from celvet.record import record
from celvet.schemas import Catalog, kind_facts

_KUSTOMIZE = ("kustomization.yaml", "kustomization.yml")
_LEADS = ("resources", "components", "bases")


@record
class Declaration:
    """An object with health check entries.

    `place` names it with file and line. `covered` are the kinds of its entries, the kind empty
    for a whole group. `named` are the kinds that it names to wait for; with `everything` it waits
    for all that it applies, which is `below` a directory of the repository.
    """

    place: str
    covered: frozenset[GroupKind]
    named: frozenset[GroupKind]
    everything: bool
    below: str


@record
class FileWaits:
    """What one file has to do with waiting.

    `patched` are the kinds of entries in patches, which some declaration gets. `kinds` are those
    of the objects of the file, `leads` the paths that a kustomization.yaml takes its resources
    from.
    """

    name: str
    declarations: tuple[Declaration, ...] = ()
    patched: frozenset[GroupKind] = frozenset()
    kinds: frozenset[GroupKind] = frozenset()
    leads: tuple[str, ...] = ()

    @property
    def wanted(self) -> frozenset[GroupKind]:
        """The kinds that the declarations of the file name, in entries or in a list."""
        return frozenset().union(*(each.covered | each.named for each in self.declarations))


def waits_of(manifest: Manifest, catalog: Catalog) -> FileWaits:
    """What a file has to do with waiting."""
    locator = Locator(manifest)
    found = [each for document in manifest.documents for each in objects_in(document)]
    whole = [each for each in found if not each.partial]
    declared = (_declaration(each, catalog, locator) for each in whole)
    patched = (_covered(each, catalog) for each in found if each.partial)
    return FileWaits(
        manifest.name,
        tuple(filter(None, declared)),
        frozenset().union(*patched),
        frozenset(group_kind_of(each.value) for each in whole),
        tuple(_leads(manifest)) if PurePath(manifest.name).name in _KUSTOMIZE else (),
    )


def _declaration(found: KubeObject, catalog: Catalog, locator: Locator) -> Declaration | None:
    reference = object_ref_of(found.value)
    kind = catalog.find(reference.api_version, reference.kind)
    covered = _covered(found, catalog)
    waits = kind.waits if kind else {}
    if not (covered or waits):
        return None
    named = list_at(found.value, _steps(waits.get("named", "")))
    return Declaration(
        place=f"{locator.name}:{locator.place(found.where).line} {reference.title}",
        covered=covered,
        named=frozenset(filter(lambda each: each.kind, map(group_kind_of, named))),
        everything=get(found.value, _steps(waits.get("all", ""))) is True,
        below=text_at(found.value, _steps(waits.get("below", ""))),
    )


def _covered(found: KubeObject, catalog: Catalog) -> frozenset[GroupKind]:
    reference = object_ref_of(found.value)
    kind = catalog.find(reference.api_version, reference.kind)
    if kind is None:
        return frozenset()
    checked = check_object(found, kind, catalog)
    return frozenset(each.named for each in checked.health())


def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def _leads(manifest: Manifest) -> Iterator[str]:
    for document in manifest.documents:
        for key in _LEADS:
            for each in list_at(document.value, (key,)):
                if isinstance(each, str) and "://" not in each:
                    yield each


@dataclass(frozen=True)
class Repository:
    """The files of a repository, whose names begin at `root`."""

    root: str
    files: Sequence[FileWaits]
    _kinds: dict[str, frozenset[GroupKind]] = field(default_factory=dict)

    def uncovered(self, catalog: Catalog) -> dict[GroupKind, tuple[str, ...]]:
        """The kinds that kstatus would misjudge and that no entry covers, by who waits for them."""
        patched = frozenset().union(*(each.patched for each in self.files))
        found: dict[GroupKind, list[str]] = {}
        for each in (one for file in self.files for one in file.declarations):
            covered = each.covered | patched
            for kind in self._waited(each):
                own = {kind, GroupKind(kind.group, "")}
                if not own & covered and _misjudged(kind, catalog):
                    found.setdefault(kind, []).append(each.place)
        return {kind: tuple(found[kind]) for kind in sorted(found, key=str)}

    def _waited(self, declaration: Declaration) -> frozenset[GroupKind]:
        """The kinds that it names, or those of what it applies.

        A path counts from the root of a source, which need not be this repository. So one that
        leads nowhere here says nothing, and neither does the root, which each source has.
        """
        if not declaration.everything:
            return declaration.named
        below = os.path.normpath(declaration.below or ".")
        return self._applied(f"{self.root}/{below}") if below != "." else frozenset()

    def _applied(self, start: str) -> frozenset[GroupKind]:
        """The kinds in the files that kustomize takes from a path; many may name the same one."""
        if start not in self._kinds:
            files = self._taken(start)
            self._kinds[start] = frozenset(kind for each in files for kind in each.kinds)
        return self._kinds[start]

    def _taken(self, start: str) -> Iterator[FileWaits]:
        """What a kustomization.yaml names, else all below."""
        seen: set[str] = set()
        paths = [start]
        while paths:
            path = paths.pop()
            if path in seen:
                continue
            seen.add(path)
            guides = [f"{path}/{name}" for name in _KUSTOMIZE if f"{path}/{name}" in self._by_name]
            for guide in guides[:1]:
                leads = self._by_name[guide].leads
                paths += [os.path.normpath(f"{path}/{lead}") for lead in leads]
            if not guides:
                yield from self._at_or_below(path)

    def _at_or_below(self, path: str) -> Iterator[FileWaits]:
        if path in self._by_name:
            yield self._by_name[path]
        first = bisect_left(self._names, f"{path}/")
        for name in self._names[first:]:
            if not name.startswith(f"{path}/"):
                break
            yield self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, FileWaits]:
        return {os.path.abspath(each.name): each for each in self.files}  # noqa: PTH100

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self._by_name)


def _misjudged(kind: GroupKind, catalog: Catalog) -> bool:
    """Whether a kind is better off with an entry; those of Kubernetes itself are left to Flux."""
    if kind.group in GROUPS:
        return False
    facts = kind_facts(kind.group, kind.kind, catalog.directories)
    return bool(facts and facts.entry)
