"""The options that several subcommands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from celvet.lint.cli.options.help import option_group
from celvet.lint.cli.run.session import REMOTE_ALLOWED
from celvet.lint.formats import Formats
from celvet.path_type import PathType

FILE = PathType(readable=False, allow_dash=True)
"""A path, not checked before it is opened; `-` is a standard stream."""


class _NamedFile(PathType):
    def problem(self, text: str) -> str:
        if text == "-":
            return "standard input is not read here; name a file"
        return super().problem(text)


NAMED_FILE = _NamedFile(readable=False)
"""A path that cannot be `-`, since standard input is not read there."""

report, context, work = option_group("Report"), option_group("Context"), option_group("Execution")
"""Groups of options."""

_config = context(
    "--config",
    envvar="CELVET_CONFIG",
    type=NAMED_FILE,
    metavar="FILE",
    help="Use FILE instead of the nearest .celvet.yaml.",
)
crds = context(
    "--crds",
    envvar="CELVET_CRDS",
    multiple=True,
    type=NAMED_FILE,
    metavar="PATH",
    help="Read CRDs from a file, directory or archive.",
)
"""Paths."""

_substitute = context(
    "--substitute",
    multiple=True,
    metavar="NAME=VALUE",
    help="Replace ${NAME} as Flux does; repeatable.",
)
jobs = work(
    "-j",
    "--jobs",
    envvar="CELVET_JOBS",
    rare=True,
    type=click.IntRange(1, 256),
    metavar="N",
    help="Use N processes.  [default: by the number of files]",
)
"""A number or None."""

output_files = report(
    "-o",
    "--output-file",
    "files",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="Write to FILE; one per --format, in the same order.",
)
"""Paths, as `files`."""

_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])


def output_file(what: str) -> Callable[[_FunctionT], _FunctionT]:
    """`--output-file` of a command that writes one thing, a path or None as `output`."""
    return report(
        "-o",
        "--output-file",
        "output",
        type=FILE,
        metavar="FILE",
        help=f"Write the {what} to FILE.",
    )


def one_format(names: Sequence[str]) -> Callable[[_FunctionT], _FunctionT]:
    """`--format` of a command that writes one thing, as `form`; the last name is the default."""
    *other_names, default = names
    return report(
        "-f",
        "--format",
        "form",
        type=click.Choice(names),
        default=default,
        metavar="FORMAT",
        help=f"Output format: {', '.join(other_names)}, {default} (default).",
    )


def config_options(command: _FunctionT) -> _FunctionT:
    """`--substitute` and `--config`, which every command that reads manifests has.

    The first gives texts, which should be of the form NAME=VALUE, the second a path or None.
    """
    return _substitute(_config(command))


def _allow_remote(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.meta[REMOTE_ALLOWED] = value


def schema_location(*, rare: bool = False) -> Callable[[_FunctionT], _FunctionT]:
    """`--schema-location`, texts, and `--allow-remote`, which `configuration` looks up.

    `rare` if `--help` has no lines left for them.
    """
    location = context(
        "--schema-location",
        envvar="CELVET_SCHEMA_LOCATION",
        rare=rare,
        multiple=True,
        metavar="TEMPLATE",
        help="Find JSON Schemas here, as kubeconform does.",
    )
    consent = context(
        "--allow-remote",
        rare=rare,
        is_flag=True,
        expose_value=False,
        callback=_allow_remote,
        help="Fetch schemas that a found .celvet.yaml names.",
    )
    return lambda command: location(consent(command))


def target(*, rare: bool = False) -> Callable[[_FunctionT], _FunctionT]:
    """`--target`, texts of the form NAME=VERSION, as `versions`; `rare` as above."""
    return context(
        "--target",
        "versions",
        rare=rare,
        multiple=True,
        metavar="NAME=VERSION",
        help="Assume this flux or flux-operator; repeatable.",
    )


def formats(
    choice: Formats[Any], variable: str | None = None
) -> Callable[[_FunctionT], _FunctionT]:
    """`--format` with these choices, as `formats`; `variable` of the environment gives them too."""
    *other_names, default = choice.names()
    return report(
        "-f",
        "--format",
        "formats",
        envvar=variable,
        multiple=True,
        type=click.Choice(choice.names()),
        metavar="FORMAT",
        help=f"{', '.join(other_names)}, {default} (default).",
    )


_from = context(
    "--from",
    "live",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="Read what kubectl prints, not a cluster.",
)
_kubeconfig = context(
    "--kubeconfig", type=NAMED_FILE, metavar="FILE", help="Use FILE instead of kubectl's."
)
_context = context("--context", metavar="NAME", help="Use a context of the kubeconfig.")


def live_source(command: _FunctionT) -> _FunctionT:
    """`--from`, paths as `live`; `--kubeconfig`, a path or None; `--context`, a text or None."""
    return _from(_kubeconfig(_context(command)))
