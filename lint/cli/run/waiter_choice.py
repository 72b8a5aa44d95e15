"""The waiter that the options `--as`, `--for` and `--scripts` choose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from celvet.wrong_input import WrongInputError

if TYPE_CHECKING:
    from celvet.lint.waiters import Waiter
    from celvet.lint.waiters.argocd import Scripts


def chosen_waiter(name: str, condition: str | None, scripts: Path | None) -> Waiter:
    """The waiter that the options choose; raises `WrongInputError`."""
    if condition is not None and name != "kubectl-wait":
        raise WrongInputError("`--for` is for `--as kubectl-wait`")
    if scripts is not None and name != "argocd":
        raise WrongInputError("`--scripts` is for `--as argocd`")
    if name == "kubectl-wait":
        return _kubectl(condition)
    if name == "argocd":
        return _argocd(scripts)
    from celvet.lint.waiters import WAITERS

    return WAITERS[name]


def _kubectl(condition: str | None) -> Waiter:
    from celvet.lint.waiters.kubectl_wait import ForError, parse_for

    if condition is None:
        raise WrongInputError("`--as kubectl-wait` needs `--for`, such as `--for condition=Ready`")
    try:
        return parse_for(condition)
    except ForError as error:
        raise WrongInputError(f"kubectl refuses `--for={condition}`: {error}") from None


def _argocd(path: Path | None) -> Waiter:
    from celvet.lint.waiters import argocd
    from celvet.lint.waiters.argocd.lua import require_engine

    if path is None:
        return argocd.waiter(None)
    require_engine()
    return argocd.waiter(_scripts(path))


def _scripts(path: Path) -> Scripts:
    from celvet.lint.healthtest.read.fixtures import Fixtures
    from celvet.lint.waiters import argocd
    from celvet.lint.waiters.argocd.scripts import config_scripts

    if path.is_dir():
        return argocd.read_scripts(path)
    objects = Fixtures(Path()).all(str(path), ())
    scripts = {key: script for obj in objects for key, script in config_scripts(obj).items()}
    if not scripts:
        raise WrongInputError(f"`{path}` has no key `resource.customizations.health.*`")
    return argocd.Scripts(own=scripts)
