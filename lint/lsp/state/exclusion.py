"""The files that the configuration leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from celvet.lint.config import Config


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Patterns as in a `.gitignore` that lies in `base`."""

    base: Path = Path()
    patterns: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: Config) -> Exclusion:
        """What a configuration leaves out."""
        return cls(config.path.parent, config.exclude) if config.path else cls()

    def covers(self, file: Path) -> bool:
        """Whether a file is left out."""
        if not self.patterns or not file.is_relative_to(self.base):
            return False
        inside = file.relative_to(self.base).as_posix()
        return GitIgnoreSpec.from_lines(self.patterns).match_file(inside)
