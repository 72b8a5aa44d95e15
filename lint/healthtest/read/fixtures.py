"""The fixtures of health tests: objects in files, or in the test itself."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as File

from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.locate import Locator
from celvet.lint.manifest import Manifest, Problem, read
from celvet.lint.manifest.objects.raw_objects import raw_objects
from celvet.lint.manifest.source.files import STDIN, read_source
from celvet.lint.model import Path, Value, Where
from celvet.regex import regex
from celvet.schemas import Catalog, load

_JSON_OBJECTS = regex(rb"\}\r?\n(?=\{)")


@dataclass(slots=True)
class Fixtures:
    """Objects by the paths that a test file uses, which count from its directory.

    `catalog` has the kinds that decide about them.
    """

    base: File
    substitutions: Mapping[str, str] = field(default_factory=dict)
    catalog: Catalog = field(default_factory=load)
    _files: dict[str, list[Value]] = field(default_factory=dict)

    def one(self, given: Value, path: Path) -> Value:
        """The object that a fixture is; `path` is where the test gives it.

        Raises `UnusableTestError` for a file that cannot be read or does not have one object.
        """
        objects = self.all(given, path)
        if len(objects) != 1:
            message = f"`{given}` has {len(objects)} objects, and one is expected"
            raise UnusableTestError(
                message, path, "Give each object a file of its own, or use `objects`."
            )
        return objects[0]

    def all(self, given: Value, path: Path) -> list[Value]:
        """The objects that a fixture is, in the order of their file; raises `UnusableTestError`."""
        if isinstance(given, list):
            return [obj for at, item in enumerate(given) for obj in self.all(item, (*path, at))]
        if not isinstance(given, str):
            return list(_objects(given))
        if given not in self._files:
            self._files[given] = _objects_of(self.manifest(given, path), path)
        return self._files[given]

    def objects(self, data: bytes, name: str) -> list[Value]:
        """The objects in a text; raises `UnusableTestError` if it cannot be read."""
        return _objects_of(read(_with_separators(data), name, self.substitutions), ())

    def manifest(self, name: str, path: Path) -> Manifest:
        """The content of a file; raises `UnusableTestError` if it cannot be read."""
        file = self.base / name
        try:
            data = read_source(file if file != self.base / STDIN else STDIN)
        except (OSError, ValueError) as error:  # a NUL in the name is a ValueError
            reason = getattr(error, "strerror", None) or error
            raise UnusableTestError(
                f"`{name}` cannot be read: {reason}", path, "Correct the path."
            ) from None
        return read(_with_separators(data), _shown(file), self.substitutions)


def _objects_of(manifest: Manifest, path: Path) -> list[Value]:
    """The objects of a file, in its order; raises `UnusableTestError` if it cannot be read."""
    require_readable(manifest, path)
    for document in manifest.documents:
        if not isinstance(document.value, dict | None):
            line = Locator(manifest).place(Where(document.index)).line
            message = f"`{manifest.name}`, line {line}: this is not a Kubernetes object"
            raise UnusableTestError(message, path, "Give only objects.")
    return [obj for document in manifest.documents for obj in _objects(document.value)]


def _with_separators(data: bytes) -> bytes:
    """The data with `---` between JSON objects, as `kubectl get --watch -o json` prints them.

    Only the first line of such an object begins with a brace.
    """
    return _JSON_OBJECTS.sub(b"}\n---\n", data) if data[:1] == b"{" else data


def unreadable(manifest: Manifest) -> tuple[str, Problem] | None:
    """The place and reason of an unreadable file or document; None if all can be read."""
    unreadable_documents = (document for document in manifest.documents if not document.readable)
    problems = (
        *manifest.problems,
        *(problem for document in unreadable_documents for problem in document.problems),
    )
    for problem in problems:
        return f"`{manifest.name}`, line {Locator(manifest).place(problem.where).line}", problem
    return None


def require_readable(manifest: Manifest, path: Path = ()) -> None:
    """Raise `UnusableTestError` if a file, or a document in it, cannot be read at all."""
    if reason := unreadable(manifest):
        place, problem = reason
        raise UnusableTestError(f"{place}: {problem.message}", path, problem.help)


def _objects(value: Value) -> Iterator[Value]:
    """The objects of a value: of a list its items, as `kubectl get -o yaml` writes them."""
    for part in raw_objects(value):
        if part.nesting != "held":
            yield part.value


def _shown(file: File) -> str:
    """The path without detours through `..`."""
    return File(os.path.normpath(file)).as_posix()
