"""Finds the configuration of the Kubernetes client, with clear errors if it cannot be used."""

from __future__ import annotations

import os
from pathlib import Path

import yaml
from lightkube.config.kubeconfig import (
    DEFAULT_KUBECONFIG,
    SERVICE_ACCOUNT,
    KubeConfig,
    SingleConfig,
)

from celvet.certs.errors import StoreError
from celvet.certs.small_file import read_small


def client_config(path: Path | None) -> SingleConfig:
    """The current context of a kubeconfig, by default of the one that kubectl uses.

    That is the service account of a pod, else `KUBECONFIG`, else `~/.kube/config`. Raises
    `StoreError`.
    """
    if path is None and not (Path(SERVICE_ACCOUNT) / "token").exists():
        path = Path(os.environ.get("KUBECONFIG") or DEFAULT_KUBECONFIG)
    path = path.expanduser() if path else None
    try:
        config = (_kubeconfig(path) if path else KubeConfig.from_service_account()).get()
    except OSError as error:
        raise config_error(path, error.strerror or str(error)) from error
    except KeyError as error:
        raise config_error(path, f"there is no `{error.args[0]}`") from error
    except Exception as error:  # the library may raise any error for a wrong file
        raise config_error(path, " ".join(str(error).split())) from error
    assert config  # noqa: S101  # the library raises an error for a missing context
    return config


def config_error(path: Path | None, reason: str) -> StoreError:
    """The error for a file, or for the service account if there is no file."""
    source = f"kubeconfig `{path}`" if path else "the service account"
    return StoreError(f"cannot connect to Kubernetes: {source} cannot be used: {reason}")


def _kubeconfig(path: Path) -> KubeConfig:
    document = yaml.safe_load(read_small(path))
    if not isinstance(document, dict):
        raise TypeError("it is not a mapping")
    # kubectl writes null for an empty list, which the library does not read
    present = {key: value for key, value in document.items() if value is not None}
    return KubeConfig.from_dict({"clusters": [], "contexts": [], **present}, path)
