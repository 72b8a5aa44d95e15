"""`celvet serve`: checks its options and starts the server.

The web server is imported when the command runs: `celvet --help` loads this module, and
the extra may not be installed.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

import click

from celvet.certs.references import check_service, parse_secret
from celvet.lint.cli.options.help import Command
from celvet.lint.cli.run.session import targets
from celvet.webhook.cli import flags
from celvet.webhook.options import ServeOptions, parse_address


@click.command("serve", cls=Command)
@flags.serving
@click.pass_context
def serve(context: click.Context, /, **given: Any) -> None:
    """Lint objects at admission: a validating webhook.

    Exit status: 0 stopped by a signal, 2 wrong usage, 3 cannot serve.
    """
    _check(given)
    try:
        from celvet.webhook import logs
        from celvet.webhook.serve import server
    except ModuleNotFoundError as error:
        message = f"`{error.name}` is not installed: install `celvet[webhook]`"
        raise _CannotServe(message) from None
    values = {name: _plain(value) for name, value in given.items() if value is not None}
    options = ServeOptions(**values)
    logs.configure(options.log_level)
    try:
        code = server.run(options)
    except OSError as error:
        raise _CannotServe(f"cannot listen: {error.strerror or error}") from None
    context.exit(code)


class _CannotServe(click.ClickException):
    exit_code = 3


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    return tuple(map(str, value)) if isinstance(value, tuple) else value


def _check(given: dict[str, Any]) -> None:
    """Raise `click.UsageError` for options that are wrong or contradict each other."""
    _check_finite(given)
    files = given["tls_cert_file"], given["tls_private_key_file"]
    if any(files) and not all(files):
        raise click.UsageError("--tls-cert-file and --tls-private-key-file must be used together")
    if any(files) == bool(given["tls_secret"]):
        raise click.UsageError("a certificate is required: either --tls-cert-file or --tls-secret")
    for option in ("service_name", "webhook_configuration"):
        if given[option] and not given["tls_secret"]:
            raise click.UsageError(f"--{option.replace('_', '-')} needs --tls-secret")
    calls = ("tls_secret", "crds_from_api_server", "events")
    if given["kubeconfig"] and not any(given[each] for each in calls):
        raise click.UsageError(
            "--kubeconfig needs --tls-secret, --crds-from-api-server or --events"
        )
    if given["tls_secret"]:
        _check_secret(given["tls_secret"], given["service_name"])
    if not given["bind_address"]:
        raise click.UsageError("--bind-address is empty; write 0.0.0.0 for every address")
    _check_address(given["metrics_bind_address"])
    targets(given["targets"])


def _check_secret(secret: str, service: str | None) -> None:
    try:
        parse_secret(secret)
        if not service:
            raise click.UsageError("--tls-secret needs --service-name")
        check_service(service)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_address(text: str) -> None:
    try:
        parse_address(text)
    except ValueError as error:
        raise click.UsageError(f"--metrics-bind-address: {error}") from None


def _check_finite(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if isinstance(value, float) and not isfinite(value):
            raise click.UsageError(f"--{name.replace('_', '-')}: `{value}` is not a duration")
