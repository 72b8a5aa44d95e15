"""How to reach an API server: a kubeconfig, or the service account of a pod."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import yaml
from lightkube.config.kubeconfig import (
    DEFAULT_KUBECONFIG,
    SERVICE_ACCOUNT,
    KubeConfig,
    SingleConfig,
)


class KubeconfigError(Exception):
    """No usable configuration; the message says which file, and why."""

    @classmethod
    def of(cls, path: Path | None, reason: str) -> KubeconfigError:
        """The error for a file, or for the service account if there is no file."""
        source = f"kubeconfig `{path}`" if path else "the service account"
        return cls(f"cannot connect to Kubernetes: {source} cannot be used: {reason}")


def client_config(
    path: Path | None, context: str | None = None, read: Callable[[Path], bytes] = Path.read_bytes
) -> SingleConfig:
    """A context of a kubeconfig, by default the current one of the file that kubectl uses.

    Without a file that is the service account of a pod, else `KUBECONFIG`, else `~/.kube/config`.
    Raises `KubeconfigError`.
    """
    if path is None and not (Path(SERVICE_ACCOUNT) / "token").exists():
        path = Path(os.environ.get("KUBECONFIG") or DEFAULT_KUBECONFIG)
    path = path.expanduser() if path else None
    try:
        configs = _kubeconfig(path, read) if path else KubeConfig.from_service_account()
        config = configs.get(context)
    except OSError as error:
        raise KubeconfigError.of(path, error.strerror or str(error)) from error
    except KeyError as error:
        raise KubeconfigError.of(path, f"there is no `{error.args[0]}`") from error
    except Exception as error:  # the library may raise any error for a wrong file
        raise KubeconfigError.of(path, " ".join(str(error).split())) from error
    assert config  # noqa: S101  # the library raises an error for a missing context
    return config


def _kubeconfig(path: Path, read: Callable[[Path], bytes]) -> KubeConfig:
    document = yaml.safe_load(read(path))
    if not isinstance(document, dict):
        raise TypeError("it is not a mapping")
    # kubectl writes null for an empty list, which the library does not read
    present = {key: value for key, value in document.items() if value is not None}
    return KubeConfig.from_dict({"clusters": [], "contexts": [], **present}, path)
