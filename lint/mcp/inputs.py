"""What an agent hands over: texts of a bounded length, and files below the roots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from celvet.lint.cli.run.session import selected_files
from celvet.lint.config import Config
from celvet.lint.engine import Settings
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.model import Value
from celvet.lint.values import text_at
from celvet.record import record
from celvet.wrong_input import WrongInputError

_MOST_BYTES = 2**20
_MOST_FILES = 2_000
TEXT = "<text>"
"""The name of a text in answers."""


@record
class Session:
    """What all calls share: the `roots` of files, the configuration, and its settings.

    `cluster` says whether a tool may read the cluster of the kubeconfig.
    """

    roots: tuple[Path, ...]
    config: Config
    settings: Settings
    cluster: bool = False

    def files(self, path: str) -> list[Path]:
        """The manifests at a path; raises `WrongInputError` if there are none, or too many."""
        files = selected_files([self._inside(path)], self.config)
        files = [file for file in files if self._is_inside(file)]
        if not files:
            raise WrongInputError(f"there is no YAML or JSON file in `{path}`; name another path")
        if len(files) > _MOST_FILES:
            raise WrongInputError(
                f"there are more than {_MOST_FILES:,} files in `{path}`; name a directory in it"
            )
        return files

    def file(self, path: str) -> Path:
        """One file; raises `WrongInputError` if the path is not that of one."""
        file = self._inside(path)
        if not file.is_file():
            raise WrongInputError(f"`{path}` is not a file; name one file")
        return file

    def content(self, text: str, path: str) -> tuple[bytes, str]:
        """The bytes and the name of a text, or of a file; raises `WrongInputError`."""
        assure_one(text, path)
        data = text.encode(errors="replace") if text else self.file(path).read_bytes()
        if len(data) > _MOST_BYTES:
            raise WrongInputError(f"it has more than {_MOST_BYTES >> 10} KiB; give a part of it")
        return data, TEXT if text else path

    def objects(self, text: str, path: str) -> list[Value]:
        """The objects in a text or a file; raises `WrongInputError`."""
        data, name = self.content(text, path)
        fixtures = Fixtures(Path(), self.settings.substitutions, self.settings.catalog)
        objects = [
            obj
            for obj in fixtures.objects(data, name)
            if all(text_at(obj, (key,)) for key in ("apiVersion", "kind"))
        ]
        if not objects:
            raise WrongInputError(
                f"{name} has no object with `apiVersion` and `kind`; give a whole one"
            )
        return objects

    def repository(self, files: Sequence[Path]) -> Path:
        """The root above files, the nearest if several are."""
        file = files[0].resolve()
        return max((root for root in self.roots if file.is_relative_to(root)), key=_depth)

    def _inside(self, path: str) -> Path:
        try:
            file = Path(path) if Path(path).is_absolute() else self.roots[0] / path
            is_there, is_inside = file.exists(), self._is_inside(file)
        except (OSError, ValueError) as error:  # a NUL in the name is a ValueError
            raise WrongInputError(f"`{path:.200}` is not a path: {error}") from None
        if not is_inside:
            roots = ", ".join(f"`{root}`" for root in self.roots)
            raise WrongInputError(f"`{path}` is outside of {roots}; give its content as `text`")
        if not is_there:
            raise WrongInputError(
                f"there is no `{path}` in `{self.roots[0]}`; give its content as text"
            )
        return _short(file)

    def _is_inside(self, file: Path) -> bool:
        real = file.resolve()
        return any(real.is_relative_to(root) for root in self.roots)


def assure_one(text: str, path: str) -> None:
    """Raise `WrongInputError` unless exactly one of both is given."""
    if bool(text) == bool(path):
        raise WrongInputError("give either `text`, the content, or `path`, a file")


def _depth(path: Path) -> int:
    return len(path.parts)


def _short(file: Path) -> Path:
    """The path as a user would write it, from the working directory if it is below."""
    directory = Path.cwd()
    return file.relative_to(directory) if file.is_relative_to(directory) else file
