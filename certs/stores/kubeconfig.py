"""Reads a kubeconfig, with clear errors if it cannot be used.

The client library reads one too, but for a wrong file it may raise any Python exception.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import yaml
from lightkube.config.kubeconfig import SERVICE_ACCOUNT, KubeConfig, SingleConfig
from lightkube.config.models import Cluster, Context, User

from celvet.certs.errors import StoreError
from celvet.certs.small_file import read_small


class _NamedCluster(msgspec.Struct):
    name: str
    cluster: Cluster


class _NamedContext(msgspec.Struct):
    name: str
    context: Context


class _NamedUser(msgspec.Struct):
    name: str
    user: User


class _Kubeconfig(msgspec.Struct):
    """The part of a kubeconfig that a connection needs; kubectl writes null for an empty list."""

    clusters: list[_NamedCluster] | None
    contexts: list[_NamedContext] | None
    users: list[_NamedUser] | None = None
    current: str | None = msgspec.field(name="current-context", default=None)


def configured(path: Path | None) -> SingleConfig:
    """The current context of a kubeconfig, by default of the one that kubectl uses.

    That is the service account of a pod, else `KUBECONFIG`, else `~/.kube/config`. Raises
    `StoreError`.
    """
    if path is None and (Path(SERVICE_ACCOUNT) / "token").exists():
        return _service_account()
    path = (path or Path(os.environ.get("KUBECONFIG") or "~/.kube/config")).expanduser()
    try:
        return _current(msgspec.convert(yaml.safe_load(read_small(path)), _Kubeconfig), path)
    except OSError as error:
        raise unusable(path, error.strerror or str(error)) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise unusable(path, f"line {line}: {error.problem}") from error
    except (yaml.YAMLError, msgspec.ValidationError, ValueError, RecursionError) as error:
        raise unusable(path, " ".join(str(error).split())) from error


def unusable(path: Path | None, reason: str) -> StoreError:
    """The error for a file, or for the service account if there is no file."""
    what = f"kubeconfig `{path}`" if path else "the service account"
    return StoreError(f"cannot connect to Kubernetes: {what} cannot be used: {reason}")


def _service_account() -> SingleConfig:
    try:
        config = KubeConfig.from_service_account().get()
    except OSError as error:
        raise unusable(None, f"{error.strerror}: `{error.filename}`") from error
    except KeyError as error:
        raise unusable(None, f"the variable {error} is not set") from error
    assert config  # noqa: S101  # the library sets its context
    return config


def _current(found: _Kubeconfig, path: Path) -> SingleConfig:
    clusters = {each.name: each.cluster for each in found.clusters or ()}
    contexts = {each.name: each.context for each in found.contexts or ()}
    users = {each.name: each.user for each in found.users or ()}
    if not found.current:
        raise unusable(path, "it has no `current-context`")
    context = contexts.get(found.current)
    if context is None:
        raise unusable(path, f"there is no context `{found.current}`")
    if context.cluster not in clusters:
        raise unusable(path, f"there is no cluster `{context.cluster}`")
    if context.user and context.user not in users:
        raise unusable(path, f"there is no user `{context.user}`")
    user = users[context.user] if context.user else User()
    if (user.client_cert or user.client_cert_data) and not (
        user.client_key or user.client_key_data
    ):
        raise unusable(path, f"the client certificate of `{context.user}` has no key")
    return SingleConfig(found.current, context, clusters[context.cluster], user, path)
