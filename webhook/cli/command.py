"""`celvet serve`: checks its options and starts the server.

The web server is imported when the command runs: `celvet --help` loads this module, and
the extra may not be installed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import click

from celvet.certs.references import check_name, check_service, parse_secret
from celvet.lint.cli.options.help import Command, option_group
from celvet.lint.cli.run.session import targets
from celvet.lint.lazy import needs_extra
from celvet.path_type import PathType
from celvet.webhook.options import ServeOptions, check_host, parse_address

_FILE = PathType(dir_okay=False)
_DIRECTORY = PathType(file_okay=False, exists=True)
_SECONDS = click.FloatRange(min=0)

_listening = option_group("Listening")
_certificate = option_group("Certificate")
_linting = option_group("Linting")
_processes = option_group("Processes")

_CHECKS: dict[str, Callable[[str], object]] = {
    "tls_secret": parse_secret,
    "service_name": check_service,
    "webhook_configuration": check_name,
    "audit_existing": check_name,
    "bind_address": check_host,
    "metrics_bind_address": parse_address,
}
"""What raises `ValueError` for an impossible value of an option."""

_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])

_FLAGS = (
    _listening(
        "--bind-address",
        metavar="ADDR",
        default="127.0.0.1",
        show_default=True,
        help="Listen on this address.",
    ),
    _listening(
        "--port",
        metavar="N",
        type=click.IntRange(0, 65535),
        default=9443,
        show_default=True,
        help="HTTPS port.",
    ),
    _listening(
        "--metrics-bind-address",
        metavar="ADDR",
        default="127.0.0.1:8080",
        show_default=True,
        help="Metrics and probes.",
    ),
    _listening("--metrics-tls", rare=True, is_flag=True, help="Serve metrics and probes over TLS."),
    _certificate(
        "--tls-cert-file",
        type=_FILE,
        metavar="FILE",
        help="Certificate chain (PEM); reloaded on change.",
    ),
    _certificate("--tls-private-key-file", type=_FILE, metavar="FILE", help="Private key (PEM)."),
    _certificate("--tls-secret", metavar="NS/NAME", help="Issue certificates into this Secret."),
    _certificate("--service-name", metavar="NAME", help="With --tls-secret: the Service."),
    _certificate(
        "--webhook-configuration",
        rare=True,
        metavar="NAME",
        help="With --tls-secret: keep its caBundle up to date.",
    ),
    _certificate(
        "--tls-min-version",
        rare=True,
        type=click.Choice(["1.2", "1.3"]),
        default="1.2",
        show_default=True,
        metavar="VERSION",
        help="Oldest TLS version to accept, 1.2 or 1.3.",
    ),
    _certificate(
        "--client-ca-file",
        rare=True,
        type=_FILE,
        metavar="FILE",
        help="Require client certificates from this CA.",
    ),
    _linting(
        "--enforce",
        type=click.Choice(["deny", "warn", "audit"]),
        default="deny",
        metavar="MODE",
        help="On errors: deny (default), warn, audit.",
    ),
    _linting("--config", type=_FILE, metavar="FILE", help="Policy file; reloaded when it changes."),
    _linting(
        "--state-directory",
        rare=True,
        type=_DIRECTORY,
        metavar="DIRECTORY",
        help="Keep the last valid policy here, for a restart with an invalid one.",
    ),
    _linting(
        "--schemas",
        type=_DIRECTORY,
        multiple=True,
        metavar="DIRECTORY",
        help="Directory with kinds of your own; repeatable.",
    ),
    _linting(
        "--target",
        "targets",
        rare=True,
        multiple=True,
        metavar="NAME=VERSION",
        help="Assume this flux or flux-operator; repeatable.",
    ),
    _linting("--crds-from-api-server", is_flag=True, help="Check against the cluster's CRDs too."),
    _linting(
        "--audit-existing",
        rare=True,
        metavar="NAME",
        help="Judge hourly the stored objects that this webhook configuration covers.",
    ),
    _linting(
        "--audit-reports",
        rare=True,
        type=click.Choice(["openreports.io", "wgpolicyk8s.io"]),
        metavar="GROUP",
        help="Write reports of openreports.io or wgpolicyk8s.io about them.",
    ),
    _linting("--events", is_flag=True, help="Write findings as Events on the object."),
    _linting(
        "--events-excluded",
        rare=True,
        multiple=True,
        metavar="NAMESPACE",
        help="No Events in this namespace; repeatable.",
    ),
    _linting(
        "--kubeconfig", rare=True, type=_FILE, metavar="FILE", help="Kubeconfig for the API server."
    ),
    _linting(
        "--judge-timeout",
        rare=True,
        type=click.FloatRange(0.5, 25),
        default=5.0,
        metavar="SECONDS",
        show_default=True,
        help="After this time, admit an object unchecked, with a warning.",
    ),
    _linting(
        "--max-body-bytes",
        rare=True,
        type=click.IntRange(1024, 1 << 30),
        default=7 << 20,
        metavar="N",
        show_default=True,
        help="Size limit of a review, in bytes.",
    ),
    _processes(
        "--workers",
        type=click.IntRange(2, 64),
        default=3,
        metavar="N",
        show_default=True,
        help="Judging processes.",
    ),
    _processes(
        "--memory-limit",
        rare=True,
        type=click.IntRange(256, 1 << 24),
        metavar="MIB",
        help="Memory for all processes together.  [default: the container's limit]",
    ),
    _processes(
        "--log-level",
        type=click.Choice(["debug", "info", "warning", "error"]),
        default="info",
        metavar="LEVEL",
        help="debug, info (default), warning, error.",
    ),
    _processes(
        "--reload-interval",
        rare=True,
        type=click.FloatRange(min=0.1),
        default=10.0,
        metavar="SECONDS",
        show_default=True,
        help="Check the files for changes at this interval.",
    ),
    _processes(
        "--shutdown-delay",
        rare=True,
        type=_SECONDS,
        default=5.0,
        metavar="SECONDS",
        show_default=True,
        help="Keep serving for this time after SIGTERM, as requests still arrive.",
    ),
    _processes(
        "--drain-timeout",
        rare=True,
        type=_SECONDS,
        default=30.0,
        metavar="SECONDS",
        show_default=True,
        help="Then wait this long for requests in progress.",
    ),
)


def _with_options(command: _FunctionT) -> _FunctionT:
    """Declare all options on a command, in the order that `--help` lists them."""
    return reduce(
        lambda decorated_command, flag: flag(decorated_command), reversed(_FLAGS), command
    )


@click.command("serve", cls=Command)
@_with_options
@click.pass_context
def serve(context: click.Context, /, **given: Any) -> None:
    """Lint objects at admission: a validating webhook.

    Exit status: 0 stopped by a signal, 2 wrong usage, 3 cannot serve.
    """
    _check(given)
    with needs_extra("webhook"):
        from celvet.webhook import logs
        from celvet.webhook.serve import server
    values = {name: _plain(value) for name, value in given.items() if value is not None}
    options = ServeOptions(**values)
    logs.configure(options.log_level)
    try:
        code = server.run(options)
    except OSError as error:
        raise _CannotServe(error.strerror or str(error)) from None
    context.exit(code)


class _CannotServe(click.ClickException):
    exit_code = 3


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    return tuple(map(str, value)) if isinstance(value, tuple) else value


def _check(options: dict[str, Any]) -> None:
    """Raise `click.UsageError` for options that are wrong or contradict each other."""
    _check_finite(options)
    files = options["tls_cert_file"], options["tls_private_key_file"]
    if any(files) and not all(files):
        raise click.UsageError("--tls-cert-file and --tls-private-key-file must be used together")
    if any(files) == bool(options["tls_secret"]):
        raise click.UsageError("a certificate is required: either --tls-cert-file or --tls-secret")
    for option in ("service_name", "webhook_configuration"):
        if options[option] and not options["tls_secret"]:
            raise click.UsageError(f"--{option.replace('_', '-')} needs --tls-secret")
    if options["audit_reports"] and not options["audit_existing"]:
        raise click.UsageError("--audit-reports needs --audit-existing")
    calls = ("tls_secret", "crds_from_api_server", "events", "audit_existing")
    if options["kubeconfig"] and not any(options[name] for name in calls):
        raise click.UsageError(
            "--kubeconfig needs --tls-secret, --crds-from-api-server, --events or --audit-existing"
        )
    if options["metrics_tls"] and options["client_ca_file"]:
        raise click.UsageError("--metrics-tls cannot be used with --client-ca-file")
    _check_texts(options)
    if options["tls_secret"] and not options["service_name"]:
        raise click.UsageError("--tls-secret needs --service-name")
    if not options["bind_address"]:
        raise click.UsageError("--bind-address is empty; write 0.0.0.0 for every address")
    targets(options["targets"])


def _check_texts(options: dict[str, Any]) -> None:
    for option, check in _CHECKS.items():
        try:
            if options[option] is not None:
                check(options[option])
        except ValueError as error:
            raise click.UsageError(f"--{option.replace('_', '-')}: {error}") from None


def _check_finite(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if isinstance(value, float) and not isfinite(value):
            raise click.UsageError(f"--{name.replace('_', '-')}: `{value}` is not a duration")
