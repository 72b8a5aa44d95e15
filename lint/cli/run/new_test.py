"""`celvet test --new`: begins health tests for what decides in manifests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.run import files
from celvet.lint.engine import Settings
from celvet.lint.healthtest.model import Unusable
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.scaffold.scaffold import scaffold
from celvet.lint.manifest.source.files import STDIN
from celvet.schemas import load


def begin(paths: Sequence[Path], chosen: str, target: Path, settings: Settings) -> Exit:
    """Write tests for the parts with `chosen` in their title to a new file, or `-`.

    Raises `click.UsageError` where a manifest cannot be read or has no name that a
    test could give, none has such a part, or the file is there already.
    """
    if STDIN in paths:
        raise click.UsageError("a test names the file of its target; name it, not `-`")
    if target != STDIN and target.exists():
        raise click.UsageError(f"{target} is there already; give another --output-file")
    fixtures = Fixtures(Path(), settings.substitutions, load(settings.schemas))
    directory = Path() if target == STDIN else target.parent
    try:
        manifests = [fixtures.manifest(str(path), ()) for path in paths]
    except Unusable as problem:
        raise click.UsageError(f"{problem.message}. {problem.help}") from None
    text = scaffold(manifests, chosen, directory, fixtures.catalog)
    if not text:
        named = f" with `{chosen}` in its title" if chosen else ""
        where = ", ".join(map(str, paths))
        raise click.UsageError(f"nothing{named} decides about health in {where}")
    if target == STDIN:
        click.echo(text, nl=False)
        return Exit.CLEAN
    files.write(target, text.encode())
    return Exit.CLEAN
