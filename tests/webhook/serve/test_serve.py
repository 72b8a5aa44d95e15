"""`celvet serve` as users run it: processes, signals, certificates, changing files."""

from __future__ import annotations

import http.client
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from celvet.webhook.serve.server import _cannot_listen
from tests.webhook.load import Load
from tests.webhook.reviews import kustomization, review
from tests.webhook.serving import (
    CELVET,
    Serving,
    authority,
    children,
    replace,
    serving,
    write_pair,
)

GOOD, BAD = kustomization("status.a == 1"), kustomization("status.a ==")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def served(directory: Path) -> Iterator[Serving]:
    """A server that the tests share; each leaves it able to serve."""
    (directory / "policy.yaml").write_text("enforce: deny")
    options = ("--config", directory / "policy.yaml", "--reload-interval", 0.1)
    with serving(directory, *options) as served:
        yield served
        assert served.end() == 0


_OTHERS = 4
"""The fork server, the resource tracker, and a spare process for each queue."""


def below(pid: int) -> list[int]:
    """All processes below one."""
    return [each for child in children(pid) for each in (child, *below(child))]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_answers_what_has_begun_and_leaves_nothing_behind(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(tmp_path, "--workers", 3) as served:
        all_ = below(served.process.pid)
        assert len(all_) == _OTHERS + 3
        client, body = served.client(), json.dumps(review(BAD)).encode()
        client.putrequest("POST", "/validate")
        client.putheader("Content-Length", str(len(body)))
        client.endheaders(body[:10])
        served.process.send_signal(number)
        served.until(lambda: not listens(served.port))
        client.send(body[10:])
        answer = client.getresponse()
        assert answer.status == 200
        assert answer.headers["Connection"] == "close"
        assert json.loads(answer.read())["response"]["allowed"] is False
        assert served.process.wait(300) == 0
        assert not [each for each in tmp_path.iterdir() if each.is_dir()]
        served.until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in all_))


def listens(port: int) -> bool:
    """Whether connections to a port are accepted."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_silent_connections_to_the_status_port_keep_nobody_out(tmp_path: Path) -> None:
    with serving(tmp_path) as served, ExitStack() as stack:
        host, _, port = served.metrics.rpartition(":")
        for _ in range(100):
            stack.enter_context(socket.create_connection((host, int(port))))
        assert served.get("/healthz") == (200, "ok")
        assert served.get("/readyz") == (200, "ok")
        assert 'celvet_errors_total{reason="connections"}' not in served.get("/metrics")[1]
        assert len([*Path(f"/proc/{served.process.pid}/fd").iterdir()]) < 100
        assert served.review(review(BAD))["allowed"] is False


def test_metrics_over_tls(tmp_path: Path) -> None:
    with serving(tmp_path, "--metrics-tls") as served:
        assert served.get("/readyz") == (200, "ok")
        assert "celvet_build_info" in served.get("/metrics")[1]


def test_a_caller_without_a_certificate_is_told(tmp_path: Path) -> None:
    authority_file = tmp_path / "clients.pem"
    authority_file.write_bytes(authority().certificate_pem)
    with serving(tmp_path, "--client-ca-file", authority_file) as served:
        assert served.get("/readyz?verbose")[1] == (
            "[+]shutdown ok\n[+]certificate ok\n[+]engine ok\n[+]callers ok\nreadyz check passed\n"
        )
        with pytest.raises((OSError, http.client.HTTPException)):
            served.review(review(BAD))
        served.until(lambda: "[!]callers" in served.get("/readyz?verbose")[1])
        status, text = served.get("/readyz?verbose")
        assert status == 200
        assert (
            "[!]callers 1 handshake failed since the last review, the last one with `peer did not"
            " return a certificate`: the API server needs an AdmissionConfiguration" in text
        )


def test_no_process_outlives_a_killed_server(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        all_ = below(served.process.pid)
        served.process.kill()
        assert served.process.wait() == -signal.SIGKILL
        served.until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in all_))


def test_no_request_fails_when_the_whole_group_gets_a_signal(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", 3, "--shutdown-delay", 10) as served:
        load = Load(served.port, lambda: served.ca)
        load.distinct = True
        with load.running(steady=3, fresh=2):
            load.more(5)
            for pid in below(served.process.pid):
                os.kill(pid, signal.SIGHUP)
            load.more(5)
            for pid in (served.process.pid, *below(served.process.pid)):
                os.kill(pid, signal.SIGTERM)
            served.until(lambda: served.get("/readyz") == (503, "shutting down"))
            load.more(2)
            load.ended = True
            assert served.process.wait(300) == 0
        assert load.failures == []


def test_ten_rotations_of_authority_and_leaf_under_load(served: Serving, directory: Path) -> None:
    bundle = [served.ca]
    load = Load(served.port, lambda: b"".join(bundle))
    with load.running(steady=3, fresh=3):
        for _ in range(10):
            signer, before = authority(), loaded(served)
            bundle.insert(0, signer.certificate_pem)
            load.more(2)
            write_pair(directory, signer)
            served.until(lambda before=before: loaded(served) > before)
            load.more(2)
            del bundle[1:]
            load.more(2)
    served.ca = bundle[0]
    assert load.failures == []
    assert load.connections == 3


def loaded(served: Serving) -> int:
    return served.log.read_text().count("serving a new certificate")


def test_a_certificate_that_cannot_serve_leaves_the_old_one(
    served: Serving, directory: Path
) -> None:
    before = (directory / "tls.crt").read_bytes()
    (directory / "tls.crt").write_bytes(authority().certificate_pem)
    served.until(lambda: "does not belong" in served.log.read_text())
    assert served.review(review(GOOD))["allowed"] is True
    assert served.get("/readyz")[0] == 200
    (directory / "tls.crt").write_bytes(before)


def test_the_policy_is_read_again(served: Serving, directory: Path) -> None:
    policy = directory / "policy.yaml"
    replace(policy, b"enforce: audit")
    served.until(lambda: served.review(review(BAD))["allowed"] is True)
    replace(policy, b"enforce: [")
    served.until(lambda: "stays in force" in served.log.read_text())
    assert served.review(review(BAD))["allowed"] is True
    replace(policy, b"enforce: deny")
    served.until(lambda: served.review(review(BAD))["allowed"] is False)


def test_killed_judging_processes_cost_no_request(served: Serving) -> None:
    for number in range(3):
        for server in children(served.process.pid):
            for pid in children(server):
                os.kill(pid, signal.SIGKILL)
        body = json.dumps(review(kustomization(f"status.never_seen{number} =="))).encode()
        assert served.post(body)[1]["response"]["allowed"] is False
    assert 'celvet_judging_processes_replaced_total{reason="died"}' in served.get("/metrics")[1]


def test_the_fork_server_is_started_again(served: Serving) -> None:
    for pid in below(served.process.pid):
        os.kill(pid, signal.SIGKILL)
    unseen = review(kustomization("status.never_seen_either =="))
    served.until(lambda: served.review(unseen)["allowed"] is False)
    assert children(served.process.pid)


def test_a_new_server_serves_with_the_last_good_policy(tmp_path: Path) -> None:
    policy, state = tmp_path / "policy.yaml", tmp_path / "state"
    state.mkdir()
    replace(policy, b"enforce: audit")
    options = ("--config", policy, "--reload-interval", 0.1, "--state-directory", state)
    with serving(tmp_path, *options) as served:
        assert served.end() == 0
    replace(policy, b"enforce: nonsense")
    with serving(tmp_path, *options) as served:
        assert served.review(review(BAD))["allowed"] is True
        assert "celvet_config_last_reload_successful 0.0" in served.get("/metrics")[1]
        replace(policy, b"enforce: deny")
        served.until(lambda: served.review(review(BAD))["allowed"] is False)
        assert "celvet_config_last_reload_successful 1.0" in served.get("/metrics")[1]
        assert served.end() == 0


@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        ([], 2, "a certificate is required"),
        *(
            ([option, value], 2, f"{option}: `{value}` is not a duration")
            for option in ("--judge-timeout", "--reload-interval", "--shutdown-delay")
            for value in ("nan", *(["inf"] if option != "--judge-timeout" else []))
        ),
        (["--tls-cert-file", "x"], 2, "must be used together"),
        *(
            (
                ["--tls-secret", "a/b", "--service-name", "c", "--bind-address", host],
                2,
                "a host name",
            )
            for host in ("\udcff\udcfe", "\u202e", "a..b", "a" * 70)
        ),
        (["--tls-secret", "a"], 2, "--tls-secret: `a` is not NS/NAME"),
        (["--tls-secret", "../b", "--service-name", "c"], 2, "--tls-secret: `../b` is not NS/NAME"),
        (["--tls-secret", "a/b"], 2, "needs --service-name"),
        (["--tls-secret", "a/b", "--service-name", "c d"], 2, "`c d` is not the name of a Service"),
        (["--service-name", "a"], 2, "a certificate is required"),
        (
            ["--tls-cert-file", "x", "--tls-private-key-file", "y", "--audit-existing", "../b"],
            2,
            "`../b`",
        ),
        (["--tls-secret", "a/b", "--service-name", "c", "--metrics-bind-address", "x"], 2, "HOST"),
        (["--tls-cert-file", "x", "--tls-private-key-file", "y", "--kubeconfig", "z"], 2, "needs"),
        (["--tls-cert-file", "x", "--tls-private-key-file", "y", "--config", "z"], 3, "`z`"),
        (
            [
                *("--tls-cert-file", "x", "--tls-private-key-file", "y"),
                *("--crds-from-api-server", "--kubeconfig", "z"),
            ],
            3,
            "kubeconfig `z` cannot be used: No such file or directory",
        ),
        (
            ["--tls-cert-file", "x", "--tls-private-key-file", "y", "--client-ca-file", "z"],
            3,
            "`z`",
        ),
    ],
)
def test_invalid_options(tmp_path: Path, options: list[str], status: int, says: str) -> None:
    command = [CELVET, "serve", "--port", "0", *options]
    if "--metrics-bind-address" not in options:
        command += ["--metrics-bind-address", "127.0.0.1:0"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_in_use(served: Serving, directory: Path) -> None:
    files = ["--tls-cert-file", "tls.crt", "--tls-private-key-file", "tls.key"]
    command = [CELVET, "serve", "--port", str(served.port), *files]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert f"cannot listen on 127.0.0.1:{served.port}: Address already in use\n" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_host_that_nobody_knows() -> None:
    text = "Name or service not known (while attempting to bind on address ('a', 1))"
    told = _cannot_listen("a:1", OSError(socket.EAI_NONAME, text))
    assert str(told.strerror) == "cannot listen on a:1: Name or service not known"


def test_too_few_open_files(directory: Path) -> None:
    options = (
        "--port 0 --metrics-bind-address 127.0.0.1:0 --tls-cert-file a --tls-private-key-file b"
    )
    command = ["sh", "-c", f"ulimit -n 64; exec {shlex.quote(str(CELVET))} serve {options}"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "only 64 files may be open; 424 are needed, see `ulimit -n`" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("enforce", "asked", "says"),
    [
        ("deny", "deny", ""),
        ("deny", "warn", "did not warn"),
        ("audit", "audit", ""),
        ("audit", "deny", "did not deny"),
    ],
)
def test_the_charts_test_tells_what_becomes_of_an_error(
    tmp_path: Path, enforce: str, asked: str, says: str
) -> None:
    script = Path(__file__).parents[3] / "charts/celvet/files/review.py"
    with serving(tmp_path, "--enforce", enforce) as served:
        url = f"https://localhost:{served.port}"
        command = [sys.executable, script, url, "default", asked]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert says in done.stderr
    assert bool(done.returncode) == bool(says)
