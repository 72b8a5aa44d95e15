"""`celvet certs` on the command line."""

from __future__ import annotations

import asyncio
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from celvet.certs.cli.command import certs
from celvet.certs.clock import local_now
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.pem import read_chain
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.verification import refusal
from celvet.certs.rotation.issuer import Issuer
from celvet.certs.stores.cluster import Cluster
from celvet.certs.stores.secret_store import SecretStore
from tests.certs.api_server import ApiServer, Fault


def celvet_certs(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(certs, [str(argument) for argument in arguments])
    assert not isinstance(result.exception, Exception), result.exception
    return result


def test_create_makes_a_pair_that_serves(tmp_path: Path) -> None:
    directory = tmp_path / "new" / "tls"
    names = ("--dns-name", "webhook.svc", "--ip-address", "10.0.0.1")
    result = celvet_certs("create", "--dir", directory, *names)
    assert result.output == ("created an authority and a certificate for webhook.svc, 10.0.0.1\n")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}
    assert modes == {"ca.crt": 0o644, "tls.crt": 0o644, "tls.key": 0o600}
    pair = Pair.read((directory / "tls.crt").read_bytes(), (directory / "tls.key").read_bytes())
    trusted = read_chain((directory / "ca.crt").read_bytes())
    assert refusal(pair.certificate, trusted, local_now()) is None


def test_create_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "tls.key").write_text("theirs")
    result = celvet_certs("create", "--dir", tmp_path, "--dns-name", "a.svc")
    assert result.exit_code == 3
    assert result.stderr == f"celvet certs: cannot write `{tmp_path}/tls.key`: File exists\n"
    assert (tmp_path / "tls.key").read_text() == "theirs"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("create --dir new", "a serving certificate needs a DNS name or an IP address"),
        ("create --dir new --dns-name under_score", "`under_score` is not a DNS name"),
        ("create --dir new --dns-name a --ip-address 10.0.0", "`10.0.0` is not an IP address"),
        ("rotate --secret name", "--secret: `name` is not NS/NAME"),
        ("rotate --secret ../b", "--secret: `../b` is not NS/NAME"),
    ],
)
def test_wrong_usage_is_one_line(line: str, message: str) -> None:
    result = celvet_certs(*line.split())
    assert result.exit_code == 2
    assert result.stderr == f"celvet certs: {message}\n"


@pytest.mark.parametrize(
    ("options", "entry", "reason"),
    [
        ((), "tls.crt", "a serving certificate was issued: on request\n"),
        (("--authority",), "ca.crt", "a next authority was made: on request\n"),
    ],
)
async def test_rotate_changes_the_secret(
    tmp_path: Path, options: tuple[str, ...], entry: str, reason: str
) -> None:
    api = ApiServer()
    async with api.serving(tmp_path) as kubeconfig:
        await _create(kubeconfig)
        former = api.entry(entry)
        result = await _rotate(kubeconfig, *options)
        assert (result.exit_code, result.output) == (0, reason)
        assert api.entry(entry) != former


async def test_the_next_authority_is_made_once(tmp_path: Path) -> None:
    async with ApiServer().serving(tmp_path) as kubeconfig:
        await _create(kubeconfig)
        await _rotate(kubeconfig, "--authority")
        assert (await _rotate(kubeconfig, "--authority")).output == "nothing to do\n"


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (None, "Secret `ns/name` has no serving certificate to replace"),
        (Fault.FORBIDDEN, "cannot get Secret `ns/name`: 403 of RBAC"),
    ],
)
async def test_a_failure_is_one_line(tmp_path: Path, fault: Fault | None, message: str) -> None:
    api = ApiServer()
    api.fault = lambda _request: fault
    async with api.serving(tmp_path) as kubeconfig:
        result = await _rotate(kubeconfig)
    assert (result.exit_code, result.stderr) == (3, f"celvet certs: {message}\n")


async def _create(kubeconfig: Path) -> None:
    """Let a server create the certificates."""
    cluster = Cluster.connect(kubeconfig)
    names = Names.of_service("webhook", "celvet")
    await Issuer(SecretStore(cluster, "ns", "name"), names, RenewalPolicy()).renew()
    await cluster.close()


async def _rotate(kubeconfig: Path, *options: str) -> Result:
    """Run the command, which has its own event loop, in another thread."""
    place = ("--secret", "ns/name", "--kubeconfig", kubeconfig)
    return await asyncio.to_thread(celvet_certs, "rotate", *place, *options)


def test_help_needs_neither_cryptography_nor_kubernetes() -> None:
    """`celvet --help` loads the module for its summary."""
    program = (
        "import sys, celvet.certs.cli.command\n"
        "print([name for name in ('cryptography', 'lightkube') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_a_missing_extra_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "celvet.certs.pki.names", None)
    result = celvet_certs("create", "--dir", tmp_path, "--dns-name", "a.svc")
    assert result.exit_code == 3
    assert result.stderr.endswith("is not installed: install `celvet[webhook]`\n")
