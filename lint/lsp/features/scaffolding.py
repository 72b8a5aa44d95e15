"""What a user does not type: a health test for a check, the recommended entry for a kind."""

from __future__ import annotations

from pathlib import Path

from celvet.lint.checks.advice import insertion, list_of_entries
from celvet.lint.healthtest.scaffold.scaffold import scaffold
from celvet.lint.locate import Locator
from celvet.lint.locate.changes import CannotChangeError
from celvet.lint.locate.edits import FileEdit
from celvet.lint.lsp.state.analysis import PlacedAnalysis
from celvet.lint.manifest import read
from celvet.lint.model import GroupKind, Where
from celvet.lint.suggest.kind_names import UnknownKindError, catalog_kind
from celvet.lint.values import mapping_at
from celvet.record import record
from celvet.schemas import Catalog, kind_facts
from celvet.schemas.known_kinds import named_kinds


@record
class NewFile:
    """A file to create."""

    path: Path
    text: str


def health_test(text: str, path: Path, title: str, catalog: Catalog) -> NewFile | None:
    """A test for the check with this title; None without such a check or a valid file name."""
    content = scaffold([read(text, str(path))], title, path.parent, catalog)
    try:
        return NewFile(_free_path(path), content) if content else None
    except (OSError, ValueError):  # a name that is too long, or no name at all
        return None


def _free_path(path: Path) -> Path:
    """The path of a file that does not exist, in the same directory."""
    number, new_path = 1, path.with_suffix(".test.yaml")
    while new_path.exists():
        number += 1
        new_path = path.with_suffix(f".{number}.test.yaml")
    return new_path


def line_of_test(path: Path, document: int) -> int:
    """The line, counted from 0, on which a document of a file begins; 0 if it cannot be read."""
    try:
        manifest = read(path.read_bytes())
    except (OSError, ValueError):  # a client may send any text for a path
        return 0
    where = Where(document, ("metadata", "name"), on_key=True)
    return Locator(manifest).place(where).line - 1


class NoEntryError(Exception):
    """There is nothing to insert; the message is for the user."""


def kind_names(catalog: Catalog) -> list[str]:
    """The kinds that may have an entry."""
    return sorted(str(GroupKind(*names)) for names in named_kinds(catalog.directories))


def entry_edits(part: PlacedAnalysis, offset: int, name: str) -> tuple[FileEdit, ...]:
    """The edits that insert the entry for a kind; raises `NoEntryError`."""
    kind = _kind(name, part.analysis.settings.catalog)
    for obj in part.analysis.result.checked:
        version = obj.object.api_version.rpartition("/")[2]
        path = list_of_entries(obj.kind, version) if obj.kind else ()
        start, end = part.extent(obj.place(()))
        if path and start <= offset <= end:
            next_field = next(iter(mapping_at(obj.value, path[:-1])), "")
            fix = insertion(obj, kind, (*path[:-1], next_field))
            try:
                if fix:
                    return part.edits(fix)
            except CannotChangeError:
                pass
            raise NoEntryError(f"the entries of {obj.object.title} cannot be changed here")
    raise NoEntryError("put the cursor into an object that takes entries, such as a Kustomization")


def _kind(name: str, catalog: Catalog) -> GroupKind:
    """The kind with a name, which has an entry; raises `NoEntryError`."""
    try:
        kind = catalog_kind(name, catalog.directories)
    except UnknownKindError as error:
        raise NoEntryError(str(error)) from None
    facts = kind_facts(*kind, catalog.directories)
    if not facts or not facts.entry:
        raise NoEntryError(f"`{kind}` needs no entry: Flux judges it correctly by itself")
    return kind
