"""`celvet serve`: the options, checked and handed to the supervisor.

What needs the web server is imported when the command runs: `celvet --help` loads
this module, and the extra may not be installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lint.cli.help import Command, grouped

_FILE = click.Path(dir_okay=False, path_type=Path)
_DIRECTORY = click.Path(file_okay=False, exists=True, path_type=Path)
_SECONDS = click.FloatRange(min=0)
_CANNOT_SERVE = 3

_listening = grouped("Listening")
_certificate = grouped("Certificate")
_judging = grouped("Judging")
_processes = grouped("Processes")


@click.command("serve", cls=Command)
@_listening(
    "--bind-address",
    metavar="ADDR",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen.",
)
@_listening("--port", metavar="N", type=click.IntRange(0, 65535), default=9443, show_default=True)
@_listening(
    "--metrics-bind-address",
    metavar="ADDR",
    default="127.0.0.1:8080",
    show_default=True,
    help="/metrics, probes.",
)
@_certificate(
    "--tls-cert-file", type=_FILE, metavar="FILE", help="The certificate chain, PEM; read again."
)
@_certificate("--tls-private-key-file", type=_FILE, metavar="FILE", help="Its key, PEM.")
@_certificate("--tls-secret", metavar="NS/NAME", help="Make certificates, keep them here.")
@_certificate("--service-name", metavar="NAME", help="For --tls-secret: the Service in NS.")
@_certificate(
    "--webhook-configuration", metavar="NAME", help="For --tls-secret: whose caBundle to keep."
)
@_certificate(
    "--tls-min-version",
    rare=True,
    type=click.Choice(["1.2", "1.3"]),
    default="1.2",
    show_default=True,
)
@_certificate(
    "--client-ca-file",
    rare=True,
    type=_FILE,
    metavar="FILE",
    help="Demand client certificates of this authority.",
)
@_judging(
    "--enforce",
    type=click.Choice(["deny", "warn", "audit"]),
    default="deny",
    metavar="MODE",
    help="An error: deny (default), warn, audit.",
)
@_judging(
    "--config", type=_FILE, metavar="FILE", help="The policy file; read again when it changes."
)
@_judging(
    "--schemas",
    type=_DIRECTORY,
    multiple=True,
    metavar="DIRECTORY",
    help="Kinds of your own; repeatable.",
)
@_judging("--crds-from-api-server", is_flag=True, help="Judge by the cluster's own CRDs as well.")
@_judging(
    "--kubeconfig", rare=True, type=_FILE, metavar="FILE", help="How to reach the API server."
)
@_judging(
    "--judge-timeout",
    rare=True,
    type=click.FloatRange(0.5, 25),
    default=5.0,
    metavar="SECONDS",
    show_default=True,
    help="After which an object passes unjudged, with a warning.",
)
@_judging(
    "--max-body-bytes",
    rare=True,
    type=click.IntRange(1024),
    default=7 << 20,
    metavar="N",
    show_default=True,
    help="The largest review.",
)
@_processes(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    metavar="N",
    show_default=True,
    help="How many processes.",
)
@_processes(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    metavar="LEVEL",
    help="debug, info (default), warning, error.",
)
@_processes(
    "--reload-interval",
    rare=True,
    type=click.FloatRange(min=0.1),
    default=10.0,
    metavar="SECONDS",
    show_default=True,
    help="Between two looks at the files.",
)
@_processes(
    "--shutdown-delay",
    rare=True,
    type=_SECONDS,
    default=5.0,
    metavar="SECONDS",
    show_default=True,
    help="To serve on after SIGTERM, until no new requests come.",
)
@_processes(
    "--drain-timeout",
    rare=True,
    type=_SECONDS,
    default=30.0,
    metavar="SECONDS",
    show_default=True,
    help="After that, for requests that are being answered.",
)
@click.pass_context
def serve(context: click.Context, /, **given: Any) -> None:
    """Judge objects at admission: a validating webhook.

    Exit status: 0 ended by SIGTERM, 2 wrong usage, 3 it cannot serve.
    """
    _check(given)
    try:
        from webhook import logs, supervisor
        from webhook.options import Options
    except ModuleNotFoundError as error:
        message = f"`{error.name}` is not installed: install `celvet[webhook]`"
        raise _Failure(message) from None
    values = {name: _plain(value) for name, value in given.items() if value is not None}
    logs.configure(given["log_level"])
    try:
        code = supervisor.run(Options(**values))
    except OSError as error:
        raise _Failure(f"cannot listen: {error.strerror or error}") from None
    context.exit(code)


class _Failure(click.ClickException):
    exit_code = _CANNOT_SERVE


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    return tuple(map(str, value)) if isinstance(value, tuple) else value


def _check(given: dict[str, Any]) -> None:
    """Raise `click.UsageError` for options that make no sense together."""
    files = given["tls_cert_file"], given["tls_private_key_file"]
    if any(files) and not all(files):
        raise click.UsageError("--tls-cert-file and --tls-private-key-file go together")
    if any(files) == bool(given["tls_secret"]):
        raise click.UsageError("name a certificate: --tls-cert-file, or --tls-secret")
    for option in ("service_name", "webhook_configuration"):
        if given[option] and not given["tls_secret"]:
            raise click.UsageError(f"--{option.replace('_', '-')} needs --tls-secret")
    if given["kubeconfig"] and not (given["tls_secret"] or given["crds_from_api_server"]):
        raise click.UsageError("--kubeconfig needs --tls-secret or --crds-from-api-server")
    if given["tls_secret"]:
        _check_secret(given["tls_secret"], given["service_name"])
    _check_address(given["metrics_bind_address"])


def _check_secret(secret: str, service: str | None) -> None:
    parts = secret.split("/")
    if len(parts) != 2 or not all(parts):
        raise click.UsageError(f"--tls-secret: `{secret}` is no NS/NAME")
    if not service:
        raise click.UsageError("--tls-secret needs --service-name")


def _check_address(text: str) -> None:
    _, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise click.UsageError(f"--metrics-bind-address: `{text}` is no HOST:PORT")
