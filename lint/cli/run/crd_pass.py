"""Judges files again for which CRDs turned up among the others.

Files are judged one by one, and each tells whether it may hold CRDs and which
kinds the rules would have liked to know. So a tree without CRDs costs nothing,
and in one with CRDs those files are read twice whose expressions they concern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from celvet.lint.cli.run.lint_file import Lint
from celvet.lint.cli.run.parallel import in_parallel
from celvet.lint.crds import LayeredSchemas, SchemaSources
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.report.report import Examined


def look_again(
    files: Sequence[Path], examined: Sequence[Examined], run: Lint, jobs: int
) -> list[Examined]:
    """The results of the files, those replaced that the CRDs of other files change."""
    pairs = list(zip(files, examined, strict=True))
    # Standard input cannot be read a second time.
    found = SchemaSources(tuple(file for file, each in pairs if each.defines and file != STDIN))
    wanted = {kind for each in examined for kind in each.unknown_kinds} if found.paths else set()
    known = {kind for kind in wanted if found.find(*kind)}
    again = [file for file, each in pairs if each.unknown_kinds & known and file != STDIN]
    if not again:
        return list(examined)
    settings = replace(run.settings, crds=LayeredSchemas((found, run.settings.crds)))
    better = dict(
        zip(again, in_parallel(replace(run, settings=settings), again, jobs), strict=True)
    )
    return [better.get(file, each) for file, each in pairs]
