"""A server with files that cert-manager or an administrator writes; time is virtual."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import renew
from celvet.certs.serving.keeper import Keeper, MountedCertificate, NothingToServeError
from celvet.certs.serving.tls import LiveTLS, TLSSettings
from tests.certs.virtual_time import VirtualTime, run

NAMES = Names.parse(["webhook.celvet.svc"])
POLICY = RenewalPolicy()


@pytest.fixture
def mount(tmp_path: Path, time: VirtualTime) -> Path:
    _write(tmp_path, time.now())
    return tmp_path


def _write(directory: Path, issued: datetime) -> None:
    pair = renew(Bundle(), issued, POLICY, NAMES).bundle.serving
    assert pair
    (directory / "tls.crt").write_bytes(pair.certificate_pem)
    (directory / "tls.key").write_bytes(pair.key)


def _keeper(mount: Path, time: VirtualTime, tls: LiveTLS | None = None) -> Keeper:
    source = MountedCertificate(mount / "tls.crt", mount / "tls.key")
    return Keeper(source, tls or LiveTLS(), interval=10, clock=time.clock)


def test_a_new_pair_is_loaded(mount: Path, time: VirtualTime) -> None:
    keeper = _keeper(mount, time)
    run(keeper.start())
    first = keeper.not_after
    time.pass_(days=30)
    _write(mount, time.now())
    run(keeper.step())
    assert first
    assert keeper.not_after == first + timedelta(days=30)


def test_half_a_change_is_refused_and_the_whole_one_taken(mount: Path, time: VirtualTime) -> None:
    tls = LiveTLS()
    keeper = _keeper(mount, time, tls)
    run(keeper.start())
    served = tls.certificate
    old_key = (mount / "tls.key").read_bytes()
    _write(mount, time.now())
    new_key = (mount / "tls.key").read_bytes()
    (mount / "tls.key").write_bytes(old_key)
    run(keeper.step())
    assert keeper.problem == "the private key does not belong to the certificate"
    assert tls.certificate == served
    (mount / "tls.key").write_bytes(new_key)
    run(keeper.step())
    assert keeper.problem is None
    assert tls.certificate != served


@pytest.mark.parametrize("days", [-400, 400])
def test_a_pair_out_of_its_time_does_not_replace_one_that_serves(
    mount: Path, time: VirtualTime, days: int
) -> None:
    source = MountedCertificate(mount / "tls.crt", mount / "tls.key")
    keeper = Keeper(source, LiveTLS(), clock=time.clock, place="`tls.crt`")
    run(keeper.start())
    until = keeper.not_after
    _write(mount, time.now() + timedelta(days=days))
    run(keeper.step())
    assert (keeper.problem or "").startswith("`tls.crt`: the certificate cannot be used: it ")
    assert keeper.ready
    assert keeper.not_after == until


def test_each_look_is_reported_with_its_result(mount: Path, time: VirtualTime) -> None:
    told: list[bool] = []
    source = MountedCertificate(mount / "tls.crt", mount / "tls.key")
    keeper = Keeper(source, LiveTLS(), clock=time.clock, stepped=told.append)
    run(keeper.start())
    (mount / "tls.key").rename(mount / "away")
    run(keeper.step())
    (mount / "away").rename(mount / "tls.key")
    run(keeper.step())
    assert told == [True, False, True]


def test_a_file_that_is_gone_for_a_moment(mount: Path, time: VirtualTime) -> None:
    keeper = _keeper(mount, time)
    run(keeper.start())
    (mount / "tls.key").rename(mount / "away")
    run(keeper.step())
    assert "cannot read `" in (keeper.problem or "")
    assert keeper.ready
    (mount / "away").rename(mount / "tls.key")
    run(keeper.step())
    assert keeper.problem is None


def test_a_changed_client_authority_is_loaded(mount: Path, time: VirtualTime) -> None:
    ca = mount / "client-ca.crt"
    ca.write_bytes((mount / "tls.crt").read_bytes())
    tls = LiveTLS(TLSSettings(client_ca=ca))
    keeper = _keeper(mount, time, tls)
    run(keeper.start())
    ca.write_bytes(b"garbage")
    run(keeper.step())
    assert "contains no usable client authority" in (keeper.problem or "")
    assert keeper.ready


@pytest.mark.parametrize(("days", "why"), [(91, "it expired at"), (-1, "it is not valid")])
def test_wrong_dates_at_the_start_are_fatal(
    mount: Path, time: VirtualTime, days: int, why: str
) -> None:
    time.pass_(days=days)
    with pytest.raises(NothingToServeError, match=f"the one there cannot be used: {why}"):
        run(_keeper(mount, time).start())


def test_no_file_at_the_start_is_fatal(
    tmp_path: Path, time: VirtualTime, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(NothingToServeError, match="no certificate to serve: cannot read `"):
        run(_keeper(tmp_path, time).start())
    waits = [text for text in caplog.messages if "waiting" in text]
    missing = f"cannot read `{tmp_path / 'tls.crt'}`: No such file or directory"
    assert waits == [f"no certificate to serve, waiting up to 60 s: {missing}"]


def test_nothing_secret_stays_in_memory(mount: Path, time: VirtualTime) -> None:
    tls = LiveTLS()
    run(_keeper(mount, time, tls).start())
    key = (mount / "tls.key").read_bytes()
    assert all(key not in _bytes(value) for value in vars(tls).values())


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else repr(value).encode()
