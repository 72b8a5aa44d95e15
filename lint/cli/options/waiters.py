"""The options that choose a waiter: its name, the text behind `--for`, health scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from celvet.lint.cli.options import common
from celvet.lint.cli.options.help import option_group

FLUX = "flux"
"""The waiter that `eval` asks by itself: with the expressions in the files that it gets."""

NAMES = (FLUX, "kstatus", "helm4", "helm4-legacy", "helm3", "kubectl-wait", "argocd", "timoni")
"""The waiters by name; a test compares them with those of `celvet.lint.waiters`."""

_waiter = option_group("Waiter")
_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])


def waiter_options(*, required: bool) -> Callable[[_FunctionT], _FunctionT]:
    """`--as`, `--for` and `--scripts`, as `waiter_name`, `condition` and `scripts`.

    `--help` shows the last two only where a waiter is `required`.
    """
    option = _waiter(
        "--as",
        "waiter_name",
        required=required,
        type=click.Choice(NAMES),
        metavar="WAITER",
        help="Judge as helm4, argocd, kubectl-wait ... does.",
    )
    condition = _waiter(
        "--for",
        "condition",
        rare=not required,
        metavar="TEXT",
        help="What kubectl-wait waits for, as in condition=Ready.",
    )
    scripts = _waiter(
        "--scripts",
        rare=not required,
        type=common.NAMED_FILE,
        metavar="PATH",
        help="Health scripts of argocd: a checkout, or argocd-cm.",
    )
    return lambda command: option(condition(scripts(command)))
