"""`celvet serve` as it is run: processes, signals, certificates, files that change."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.webhook.load import Load
from tests.webhook.reviews import kustomization, review
from tests.webhook.serving import CELVET, authority, children, serving, write_pair

GOOD, BAD = kustomization("status.a == 1"), kustomization("status.a ==")


def test_a_worker_that_is_killed_under_load_comes_back(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", 2) as served:
        first = served.workers()
        assert len(first) == 2
        load = Load(served.port, lambda: served.ca)
        with load.running(steady=0, fresh=3):
            load.more(30)
            os.kill(first[0], signal.SIGKILL)
            load.more(60)
        assert len(load.failures) <= 3, load.failures  # at most what the dead one had in hand
        served.until(lambda: len(served.workers()) == 2)
        served.until(lambda: served.get("/readyz")[0] == 200)
        assert first[1] in served.workers()
        served.until(lambda: "celvet_worker_restarts_total 1.0" in served.get("/metrics")[1])
        load = Load(served.port, lambda: served.ca)
        with load.running(steady=2, fresh=2):
            load.more(40)
        assert load.failures == []


def test_no_request_fails_at_sigterm(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", 2, "--shutdown-delay", 1) as served:
        load = Load(served.port, lambda: served.ca)
        with load.running(steady=3, fresh=2):
            load.more(50)
            served.process.send_signal(signal.SIGTERM)
            served.until(lambda: served.get("/readyz") == (503, "shutting down"))
            load.more(20)
            load.ended = True
            assert served.process.wait(30) == 0
        assert load.failures == []


def test_a_request_in_hand_at_sigterm_is_answered(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        client = served.client()
        body = json.dumps(review(BAD)).encode()
        client.putrequest("POST", "/validate")
        client.putheader("Content-Length", str(len(body)))
        client.endheaders(body[:10])
        time.sleep(0.2)
        served.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        client.send(body[10:])
        answer = client.getresponse()
        assert answer.status == 200
        assert answer.headers["Connection"] == "close"
        assert json.loads(answer.read())["response"]["allowed"] is False
        assert served.process.wait(30) == 0


def test_ten_rotations_of_authority_and_leaf_under_load(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", 2, "--reload-interval", 0.1) as served:
        bundle = [served.ca]
        load = Load(served.port, lambda: b"".join(bundle))
        with load.running(steady=3, fresh=3):
            for turn in range(1, 11):
                signer = authority()
                bundle.insert(0, signer.certificate_pem)
                load.more(5)
                write_pair(tmp_path, signer)
                served.until(lambda turn=turn: _loaded(tmp_path) >= 2 * (turn + 1))
                load.more(10)
                del bundle[1:]
                load.more(5)
        assert load.failures == []
        assert load.connections == 3


def _loaded(directory: Path) -> int:
    return (directory / "log").read_text().count("serving a new certificate")


def test_a_certificate_that_cannot_serve_leaves_the_old_one(tmp_path: Path) -> None:
    with serving(tmp_path, "--reload-interval", 0.1) as served:
        (tmp_path / "tls.crt").write_bytes(authority().certificate_pem)
        served.until(lambda: "does not belong" in served.log.read_text())
        assert served.review(review(GOOD))["allowed"] is True
        assert served.get("/readyz")[0] == 200


def test_the_policy_is_read_again(tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text("enforce: audit")
    with serving(tmp_path, "--config", policy, "--reload-interval", 0.1) as served:
        assert served.review(review(BAD))["allowed"] is True
        policy.write_text("enforce: [")
        served.until(lambda: "stays in force" in served.log.read_text())
        assert served.review(review(BAD))["allowed"] is True
        policy.write_text("enforce: deny")
        served.until(lambda: "has changed" in served.log.read_text())
        assert served.review(review(BAD))["allowed"] is False


def test_no_process_outlives_the_supervisor(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", 2) as served:
        workers = served.workers()
        all_ = [*workers, *(pid for worker in workers for pid in children(worker))]
        assert len(all_) == 6
        served.process.kill()
        served.process.wait()
        served.until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in all_))


def test_a_judging_process_that_is_killed_costs_one_request(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        (worker,) = served.workers()
        for pid in children(worker):
            os.kill(pid, signal.SIGKILL)
        status, answer = served.post(json.dumps(review(BAD)).encode())
        assert (status, answer["reason"]) == (500, "InternalError")
        assert "trace" not in json.dumps(answer).lower()
        assert served.review(review(BAD))["allowed"] is False
        (entry,) = [each for each in served.entries() if each["message"] == "internal error"]
        assert entry["uid"] == review(BAD)["request"]["uid"]
        assert 'celvet_errors_total{reason="internal"} 1.0' in served.get("/metrics")[1]


@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        ([], 2, "name a certificate"),
        (["--tls-cert-file", "x"], 2, "go together"),
        (["--tls-secret", "a"], 2, "`a` is no NS/NAME"),
        (["--tls-secret", "a/b"], 2, "needs --service-name"),
        (["--service-name", "a"], 2, "name a certificate"),
        (["--tls-secret", "a/b", "--service-name", "c", "--metrics-bind-address", "x"], 2, "HOST"),
        (["--tls-cert-file", "x", "--tls-private-key-file", "y", "--kubeconfig", "z"], 2, "needs"),
        (["--tls-cert-file", "x", "--tls-private-key-file", "y", "--config", "z"], 3, "`z`"),
        (
            ["--tls-cert-file", "x", "--tls-private-key-file", "y", "--client-ca-file", "z"],
            3,
            "`z`",
        ),
    ],
)
def test_what_cannot_be_served(tmp_path: Path, options: list[str], status: int, says: str) -> None:
    command = [CELVET, "serve", "--port", "0", *options]
    if "--metrics-bind-address" not in options:
        command += ["--metrics-bind-address", "127.0.0.1:0"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        files = ["--tls-cert-file", "tls.crt", "--tls-private-key-file", "tls.key"]
        command = [CELVET, "serve", "--port", str(served.port), *files]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 3
        assert "cannot listen" in done.stderr
        assert "Traceback" not in done.stderr
