"""The options of `celvet serve`."""

from __future__ import annotations

from celvet.record import record

CANNOT_START = 3
"""Exit status of a server that cannot begin to serve."""


@record(kw_only=True)
class ServeOptions:
    """The options of the command line by name; empty strings for those not given.

    Durations are seconds.
    """

    bind_address: str = "127.0.0.1"
    port: int = 9443
    metrics_bind_address: str = "127.0.0.1:8080"
    metrics_tls: bool = False
    workers: int = 3
    memory_limit: int = 0
    enforce: str = "deny"
    config: str = ""
    state_directory: str = ""
    schemas: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    tls_cert_file: str = ""
    tls_private_key_file: str = ""
    tls_secret: str = ""
    webhook_configuration: str = ""
    service_name: str = ""
    kubeconfig: str = ""
    crds_from_api_server: bool = False
    audit_existing: str = ""
    audit_reports: str = ""
    events: bool = False
    events_excluded: tuple[str, ...] = ()
    tls_min_version: str = "1.2"
    client_ca_file: str = ""
    reload_interval: float = 10.0
    shutdown_delay: float = 5.0
    drain_timeout: float = 30.0
    judge_timeout: float = 5.0
    max_body_bytes: int = 7 << 20
    log_level: str = "info"


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT` or `[IPv6]:PORT`; raises `ValueError` for any other text."""
    host, _, port = text.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not port.isascii() or not port.isdigit() or len(port) > 5 or int(port) > 65535:
        raise ValueError(f"`{text}` is not HOST:PORT")
    if any(bracket in bare for bracket in "[]") or (":" in bare) != (bare != host):
        raise ValueError(f"`{text}` is not HOST:PORT")
    check_host(bare)
    return bare, int(port)


def check_host(text: str) -> None:
    """Raise `ValueError` for what can be neither an address nor the name of a host."""
    try:
        text.encode("idna")
    except UnicodeError:
        raise ValueError(f"`{text}` is not a host name") from None
