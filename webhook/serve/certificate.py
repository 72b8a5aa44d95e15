"""The source of the serving certificate: files that others write, or a Secret that celvet keeps."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

from celvet.certs.serving.keeper import Keeper, MountedCertificate
from celvet.certs.serving.tls import LiveTLS, TLSSettings
from celvet.webhook.options import ServeOptions

_SECRET_FACTOR = 6
"""The API server is asked this many times less often than files are read."""


def live_tls(options: ServeOptions) -> LiveTLS:
    """The TLS context; raises `celvet.certs.errors.UnusableError` for an unusable client CA."""
    minimum = ssl.TLSVersion.TLSv1_3 if options.tls_min_version == "1.3" else ssl.TLSVersion.TLSv1_2
    return LiveTLS(
        TLSSettings(minimum, Path(options.client_ca_file) if options.client_ca_file else None)
    )


def keeper(options: ServeOptions, tls: LiveTLS, stepped: Callable[[bool], None]) -> Keeper:
    """Keeps the certificate current; raises `celvet.certs.errors.StoreError`.

    `stepped` is called after each check of the source, with its success.
    """
    if options.tls_cert_file:
        names = options.tls_cert_file, options.tls_private_key_file
        return Keeper(
            MountedCertificate(*map(Path, names)),
            tls,
            interval=options.reload_interval,
            place=" and ".join(f"`{name}`" for name in names),
            stepped=stepped,
        )
    return _issuing(options, tls, stepped)


def _issuing(options: ServeOptions, tls: LiveTLS, stepped: Callable[[bool], None]) -> Keeper:
    """Imports the Kubernetes client only here: 10 MB."""
    from celvet.certs.pki.names import Names
    from celvet.certs.pki.policy import RenewalPolicy
    from celvet.certs.rotation.issuer import Issuer
    from celvet.certs.stores.cluster import Cluster
    from celvet.certs.stores.secret_store import SecretStore
    from celvet.certs.stores.webhook_configuration import WebhookConfiguration

    kubeconfig = Path(options.kubeconfig) if options.kubeconfig else None
    cluster = Cluster.connect(kubeconfig)
    namespace, _, name = options.tls_secret.partition("/")
    names = Names.of_service(options.service_name, namespace)
    publisher = None
    if options.webhook_configuration:
        publisher = WebhookConfiguration(cluster, options.webhook_configuration, names)
    store = SecretStore(cluster, namespace, name)
    issuer = Issuer(store, names, RenewalPolicy(), publisher=publisher, clock=cluster.clock)
    return Keeper(
        issuer,
        tls,
        interval=_SECRET_FACTOR * options.reload_interval,
        clock=cluster.clock,
        stepped=stepped,
    )
