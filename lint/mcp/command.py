"""`celvet mcp`: its options; the SDK is loaded to run it, since the extra may be missing."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from celvet.lint.cli.options import common
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.lazy import needs_extra


@click.command("mcp", short_help="Serve celvet's answers to an agent (MCP).")
@click.option(
    "--root",
    "roots",
    multiple=True,
    type=common.NAMED_FILE,
    metavar="DIR",
    help="Read files below DIR.  [default: the working directory]",
)
@click.option("--cluster", is_flag=True, help="Let `why` read the cluster of the kubeconfig.")
@common.crds
@common.target()
@common.config_options
def command(
    roots: tuple[Path, ...],
    cluster: bool,
    crds: tuple[Path, ...],
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> int:
    """Serve celvet's answers to an agent (MCP).

    Speaks the Model Context Protocol on standard input and output. The tools
    lint, eval, explain, suggest, why and forecast only read, and no file outside
    of the roots. docs/mcp.md shows how to add it to an agent.

    \b
    Exit status: 0 the agent has closed standard input, 2 wrong usage, 3 an
    extra is missing.
    """  # noqa: D301 - click wants the escape
    for root in roots:
        if not root.is_dir():
            raise click.UsageError(f"--root {root}: Not a directory")
    choice = configuration(config).with_schemas(crds, ())
    engine_settings = settings(choice, substitute, versions)
    with needs_extra("mcp"):
        from celvet.lint.mcp.server import server
    from celvet.lint.mcp.inputs import Session

    directories = tuple(root.resolve() for root in roots or (Path(),))
    session = Session(directories, choice, engine_settings, cluster)
    if sys.stdin is None or sys.stdin.isatty():
        click.echo("celvet mcp: waiting for an agent on standard input", err=True)
    server(session).run("stdio")
    return 0
