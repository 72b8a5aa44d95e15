"""`celvet certs`: certificates for a trial, and rotation on request.

Each command imports cryptography and the Kubernetes client itself: `celvet --help` loads this
module, and the extra may not be installed.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from celvet.certs.errors import StoreError, UnusableError
from celvet.certs.references import parse_secret
from celvet.path_type import PathType

if TYPE_CHECKING:
    from celvet.certs.pki.bundle import Renewal


class _Failure(click.ClickException):
    """A one-line error: the files or the API server failed."""

    exit_code = 3

    def show(self, file: IO[Any] | None = None) -> None:
        line = " ".join(self.message.split())
        click.echo(f"celvet certs: {line}", file=file, err=file is None)


class _UsageFailure(_Failure):
    """A one-line error: the options are wrong."""

    exit_code = 2


@click.group("certs")
def certs() -> None:
    """Create or replace the certificates of the webhook.

    Exit status: 0 success, 2 wrong usage, 3 the files or the API server failed.
    """


@certs.command(short_help="Create certificates in a directory.")
@click.option(
    "--dns-name",
    "dns_names",
    multiple=True,
    metavar="NAME",
    help="DNS name of the server; repeatable.",
)
@click.option(
    "--ip-address",
    "ip_addresses",
    multiple=True,
    metavar="IP",
    help="IP address of the server; repeatable.",
)
@click.option(
    "--dir",
    "directory",
    required=True,
    type=PathType(file_okay=False),
    metavar="DIRECTORY",
    help="Directory for ca.crt, tls.crt and tls.key.",
)
def create(dns_names: tuple[str, ...], ip_addresses: tuple[str, ...], directory: Path) -> None:
    """Create an authority and a serving certificate, which is valid for 90 days.

    Existing files stay. The key of the authority is not kept, so it signs nothing else.
    """
    with _failures():
        from celvet.certs.clock import local_now
        from celvet.certs.pki.bundle import Bundle
        from celvet.certs.pki.material import AUTHORITIES, CERTIFICATE, KEY, encode
        from celvet.certs.pki.names import Names
        from celvet.certs.pki.policy import RenewalPolicy
        from celvet.certs.rotation.renewal import renew

        try:
            names = Names.parse(dns_names, ip_addresses)
        except ValueError as error:
            raise _UsageFailure(str(error)) from None
        texts = encode(renew(Bundle(), local_now(), RenewalPolicy(), names).bundle)
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, mode in ((AUTHORITIES, 0o644), (CERTIFICATE, 0o644), (KEY, 0o600)):
            _write_new(directory / name, texts[name], mode)
    click.echo(f"created an authority and a certificate for {', '.join(names.texts)}")


def _write_new(path: Path, content: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


@certs.command(short_help="Replace the certificate in a Secret, or its authority.")
@click.option("--authority", is_flag=True, help="Start to replace the authority instead.")
@click.option(
    "--secret", required=True, metavar="NS/NAME", help="Secret that `celvet serve` maintains."
)
@click.option(
    "--kubeconfig",
    type=PathType(dir_okay=False),
    metavar="FILE",
    help="Kubeconfig for the API server.",
)
def rotate(authority: bool, secret: str, kubeconfig: Path | None) -> None:
    """Replace the serving certificate now, even if it is not due.

    With --authority, store a new authority next to the present one. The running servers publish it,
    and switch to it an hour later.
    """
    try:
        namespace, name = parse_secret(secret)
    except ValueError as error:
        raise _UsageFailure(f"--secret: {error}") from None
    with _failures():
        renewal = asyncio.run(_rotate(namespace, name, kubeconfig, authority=authority))
    for reason in renewal.reasons or ("nothing to do",):
        click.echo(reason)


async def _rotate(
    namespace: str, name: str, kubeconfig: Path | None, *, authority: bool
) -> Renewal:
    from celvet.certs.pki.names import Names
    from celvet.certs.pki.policy import RenewalPolicy
    from celvet.certs.rotation.issuer import Issuer
    from celvet.certs.stores.cluster import Cluster
    from celvet.certs.stores.secret_store import SecretStore
    from celvet.certs.stores.store import read_bundle

    cluster = Cluster.connect(kubeconfig)
    try:
        store = SecretStore(cluster, namespace, name)
        bundle, _ = await read_bundle(store)
        if bundle.serving is None:
            raise StoreError(f"{store.place} has no serving certificate to replace")
        names = Names.of_certificate(bundle.serving.certificate)
        return await Issuer(store, names, RenewalPolicy()).rotate(authority=authority)
    finally:
        await cluster.close()


@contextmanager
def _failures() -> Iterator[None]:
    """Turn errors from outside this program into one line and an exit status."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise _Failure(f"`{error.name}` is not installed: install `celvet[webhook]`") from None
    except OSError as error:
        raise _Failure(f"cannot write `{error.filename}`: {error.strerror}") from None
    except (StoreError, UnusableError) as error:
        raise _Failure(str(error)) from None
