"""`celvet certs`: create, inspect and replace certificates by hand.

Each command imports cryptography and the Kubernetes client itself: `celvet --help`
loads this module, and the extra may not be installed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from celvet.certs.errors import StoreError, UnusableError
from celvet.certs.references import parse_secret
from celvet.path_type import PathType

if TYPE_CHECKING:
    from celvet.certs.cli.inspection import BundleInspection
    from celvet.certs.cli.one_shot import CommandResult, StoreLocation
    from celvet.certs.pki.policy import RenewalPolicy

_FINDINGS = 1

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Failure(click.ClickException):
    """A one-line error: the files or the API server failed."""

    exit_code = 3

    def show(self, file: IO[Any] | None = None) -> None:
        line = " ".join(self.message.split())
        click.echo(f"celvet certs: {line}", file=file, err=file is None)


class _UsageFailure(_Failure):
    """A one-line error: the options are wrong."""

    exit_code = 2


@click.group("certs")
def certs() -> None:
    """Create, inspect and replace the webhook's certificates.

    Exit status: 0 success, 1 `show` found a problem, 2 wrong usage, 3 the files or
    the API server failed.
    """


def _place_options(function: _Function) -> _Function:
    directory = PathType(file_okay=False)
    kubeconfig = PathType(dir_okay=False)
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option(
            "--kubeconfig",
            type=kubeconfig,
            metavar="FILE",
            help="Kubeconfig for the API server.",
        ),
        click.option("--secret", metavar="NS/NAME", help="Secret with the certificates."),
        click.option(
            "--dir",
            "directory",
            type=directory,
            metavar="DIRECTORY",
            help="Directory with the certificates.",
        ),
    ):
        function = option(function)
    return function


def _policy_options(function: _Function) -> _Function:
    days = click.IntRange(1, 36500)
    for option in (
        click.option(
            "--authority-days",
            type=days,
            metavar="N",
            default=3650,
            show_default=True,
            help="Lifetime of a new authority.",
        ),
        click.option(
            "--days",
            type=days,
            metavar="N",
            default=90,
            show_default=True,
            help="Lifetime of a new serving certificate.",
        ),
        click.option(
            "--webhook-configuration",
            metavar="NAME",
            help="With --secret: update the caBundle of this ValidatingWebhookConfiguration.",
        ),
    ):
        function = option(function)
    return function


@certs.command(short_help="Create, repair or renew certificates.")
@click.option(
    "--dns-name",
    "dns_names",
    multiple=True,
    metavar="NAME",
    help="DNS name of the server; repeatable.",
)
@click.option(
    "--ip-address",
    "ip_addresses",
    multiple=True,
    metavar="IP",
    help="IP address of the server; repeatable.",
)
@_place_options
@_policy_options
def create(
    dns_names: tuple[str, ...], ip_addresses: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Create an authority and a serving certificate, or repair and renew existing ones."""
    with _failures():
        from celvet.certs.cli.one_shot import create
        from celvet.certs.pki.names import Names

        with _usage():
            names = Names.parse(dns_names, ip_addresses)
        outcome = create(_target(options), names, _policy(options))
    _print_outcome(outcome, as_json)


@certs.command(short_help="Replace the serving certificate, or the authority.")
@click.option("--authority", is_flag=True, help="Start to replace the authority instead.")
@_place_options
@_policy_options
def rotate(authority: bool, as_json: bool, **options: Any) -> None:
    """Replace the serving certificate now, even if it is not due.

    With --authority, publish a new authority next to the present one; running servers, or `create`
    an hour later, then switch to it.
    """
    with _failures():
        from celvet.certs.cli.one_shot import rotate

        outcome = rotate(_target(options), _policy(options), authority=authority)
    _print_outcome(outcome, as_json)


@certs.command(short_help="Inspect certificates in a file, directory or Secret.")
@click.argument("path", required=False, type=PathType(exists=True))
@click.option(
    "--min-days",
    type=click.IntRange(0),
    metavar="N",
    default=0,
    help="Report certificates that expire within this many days.",
)
@_place_options
@click.pass_context
def show(
    context: click.Context, /, path: Path | None, min_days: int, as_json: bool, **options: Any
) -> None:
    """Inspect the certificates in PATH, a directory or a PEM file, or in a Secret."""
    if path and options["directory"]:
        raise _UsageFailure("name one place, not PATH and --dir")
    with _failures():
        from celvet.certs.cli.one_shot import show

        place = path or options["directory"]
        inspection = show(_target({**options, "directory": place}), min_days)
    _print(inspection, as_json)
    context.exit(_FINDINGS if inspection.problems else 0)


def _target(options: dict[str, Any]) -> StoreLocation:
    from celvet.certs.cli.one_shot import StoreLocation

    directory, secret = options.get("directory"), options.get("secret")
    configuration = options.get("webhook_configuration")
    if (directory is None) == (secret is None):
        raise _UsageFailure("name one place: --dir DIRECTORY or --secret NS/NAME")
    if secret is None:
        if configuration:
            raise _UsageFailure("--webhook-configuration needs --secret")
        return StoreLocation(directory=directory)
    with _usage("--secret: "):
        reference = parse_secret(secret)
    return StoreLocation(None, reference, options.get("kubeconfig"), configuration)


def _policy(options: dict[str, Any]) -> RenewalPolicy:
    from celvet.certs.pki.policy import RenewalPolicy

    with _usage():
        return RenewalPolicy(
            leaf_validity=timedelta(days=options["days"]),
            authority_validity=timedelta(days=options["authority_days"]),
        )


@contextmanager
def _usage(option: str = "") -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise _UsageFailure(f"{option}{error}") from None


@contextmanager
def _failures() -> Iterator[None]:
    """Turn errors from outside this program into one line and an exit status."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise _Failure(f"`{error.name}` is not installed: install `celvet[webhook]`") from None
    except (StoreError, UnusableError) as error:
        raise _Failure(str(error)) from None


def _print_outcome(outcome: CommandResult, as_json: bool) -> None:
    if not as_json:
        for change in outcome.changes or ("nothing to do",):
            click.echo(change)
    _print(outcome.inspection, as_json, outcome.changes)


def _print(
    inspection: BundleInspection, as_json: bool, changes: tuple[str, ...] | None = None
) -> None:

    from celvet.certs.cli import output

    if as_json:
        click.echo(json.dumps(output.as_json(inspection, changes), indent=2))
    else:
        click.echo("\n".join(output.as_text(inspection)))
