"""The options of `celvet serve`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click

from celvet.lint.cli.options.help import grouped
from celvet.path_type import PathType

_FILE = PathType(dir_okay=False)
_DIRECTORY = PathType(file_okay=False, exists=True)
_SECONDS = click.FloatRange(min=0)

_listening = grouped("Listening")
_certificate = grouped("Certificate")
_linting = grouped("Linting")
_processes = grouped("Processes")

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
    _certificate(
        "--tls-cert-file",
        type=_FILE,
        metavar="FILE",
        help="Certificate chain (PEM); reloaded.",
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
    _linting("--events", is_flag=True, help="Write findings as Events on the object."),
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
        help="Admit an object unchecked, with a warning, after this time.",
    ),
    _linting(
        "--max-body-bytes",
        rare=True,
        type=click.IntRange(1024),
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
        type=click.IntRange(256),
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
        help="Then wait so long for requests in progress.",
    ),
)


def serving(command: _FunctionT) -> _FunctionT:
    """Declare all options on a command, in the order that `--help` lists them."""
    return reduce(lambda declared, flag: flag(declared), reversed(_FLAGS), command)
