"""`celvet build`: the objects that Flux Operator makes of a ResourceSet."""

from __future__ import annotations

import json
from pathlib import Path

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.run.build import NotBuiltError, built, given_inputs
from celvet.lint.cli.run.session import configuration, settings, usage_error
from celvet.lint.gotemplate.formats.yaml_text import to_yaml
from celvet.lint.gotemplate.limits import Meter, TemplateLimits
from celvet.lint.healthtest.model import UnusableTestError
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.model import Value

_UNBOUNDED = TemplateLimits(steps=10**12, value=10**9, items=10**9)


@click.command("build")
@click.argument("file", metavar="FILE", type=common.FILE)
@click.option(
    "--inputs",
    type=common.FILE,
    metavar="FILE",
    help="Take the inputs, or Static providers of them, from FILE.",
)
@click.option(
    "--set",
    "values",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set an input, such as app.replicas=2; repeatable.",
)
@common.one_format(("json", "yaml"))
@common.configured
def command(
    file: Path,
    inputs: Path | None,
    values: tuple[str, ...],
    form: str,
    substitute: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Print the objects that Flux Operator makes of a ResourceSet.

    Builds every ResourceSet in FILE without a cluster, with its inline inputs
    and those of Static ResourceSetInputProviders in its repository, or in its
    directory without one. The output is ready for kubectl.

    \b
    Exit status: 0 the objects, 1 a ResourceSet that the operator refuses,
    2 wrong usage or no ResourceSet, 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    chosen = settings(configuration(config), substitute)
    fixtures = Fixtures(Path(), chosen.substitutions, chosen.catalog)
    try:
        given = given_inputs(fixtures.manifest(str(inputs), ()) if inputs else None, values)
        objects = built(fixtures.manifest(str(file), ()), given)
    except UnusableTestError as problem:
        raise usage_error(problem) from None
    except NotBuiltError as error:
        click.echo(str(error), err=True)
        return Exit.FINDINGS
    click.echo(_as_json(objects) if form == "json" else _as_yaml(objects), nl=False)
    return Exit.CLEAN


def _as_yaml(objects: list[Value]) -> str:
    return "".join(f"---\n{to_yaml(each, Meter(_UNBOUNDED))}" for each in objects)


def _as_json(objects: list[Value]) -> str:
    """A List, since a stream of several JSON documents is not one for every program."""
    listed = {"apiVersion": "v1", "kind": "List", "items": objects}
    return json.dumps(listed, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
