"""The options of `celvet serve`, which the supervisor passes on to the workers."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

CANNOT_START = 3
"""Exit status of a worker for which a restart is no help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """The options of the command line by name; empty strings for those not given.

    Durations are seconds. `listener` and `directory` come from the supervisor: the
    file descriptor of the listening socket, and the directory of the metrics files.
    """

    bind_address: str = "127.0.0.1"
    port: int = 9443
    metrics_bind_address: str = "127.0.0.1:8080"
    workers: int = 1
    enforce: str = "deny"
    config: str = ""
    schemas: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    tls_cert_file: str = ""
    tls_private_key_file: str = ""
    tls_secret: str = ""
    webhook_configuration: str = ""
    service_name: str = ""
    kubeconfig: str = ""
    crds_from_api_server: bool = False
    tls_min_version: str = "1.2"
    client_ca_file: str = ""
    reload_interval: float = 10.0
    shutdown_delay: float = 5.0
    drain_timeout: float = 30.0
    judge_timeout: float = 5.0
    max_body_bytes: int = 7 << 20
    log_level: str = "info"
    listener: int = -1
    directory: str = ""
    slot: int = 0

    def to_json(self) -> str:
        """For the command line of a worker; it holds no secrets."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> ServeOptions:
        """The options that `to_json` wrote."""
        values: dict[str, Any] = json.loads(text)
        several = {key: tuple(values[key]) for key in ("schemas", "targets")}
        return cls(**{**values, **several})


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT` or `[IPv6]:PORT`; raises `ValueError` for any other text."""
    host, _, port = text.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not port.isascii() or not port.isdigit() or len(port) > 5 or int(port) > 65535:
        raise ValueError(f"`{text}` is not HOST:PORT")
    if any(bracket in bare for bracket in "[]") or (":" in bare) != (bare != host):
        raise ValueError(f"`{text}` is not HOST:PORT")
    try:
        bare.encode("idna")
    except UnicodeError:
        raise ValueError(f"`{bare}` is not a host name") from None
    return bare, int(port)
