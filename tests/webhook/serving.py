"""`celvet serve` as a process, and clients of it."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from celvet.certs.clock import local_now
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.signing import new_leaf

CELVET = Path(sys.executable).with_name("celvet")
NAMES = Names.parse(["localhost"], ["127.0.0.1"])
_PATIENCE = 300.0


def authority() -> Pair:
    return new_authority(local_now(), RenewalPolicy())


def write_pair(directory: Path, signer: Pair) -> None:
    """A new serving certificate in `tls.crt` and `tls.key`, each file replaced at once."""
    leaf = new_leaf(signer, NAMES, local_now(), RenewalPolicy())
    for name, content in (("tls.crt", leaf.certificate_pem), ("tls.key", leaf.key)):
        replace(directory / name, content)


def replace(path: Path, content: bytes) -> None:
    """The content in one step, as in a mounted ConfigMap: no reader sees an empty file."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(content)
    new.replace(path)


@dataclass
class Serving:
    """A running server: its address, the CA that clients trust, and its log."""

    process: subprocess.Popen[bytes]
    port: int
    metrics: str
    ca: bytes
    log: Path
    name: str = "localhost"

    def client(self) -> http.client.HTTPSConnection:
        """A client that uses the name of the server and connects to localhost."""
        context = ssl.create_default_context(cadata=self.ca.decode())
        client = http.client.HTTPSConnection(
            self.name, self.port, context=context, timeout=_PATIENCE
        )
        client._create_connection = lambda address, *given: socket.create_connection(  # type: ignore[attr-defined]
            ("localhost", address[1]), *given
        )
        return client

    def post(self, body: bytes, **headers: str) -> tuple[int, Any]:
        """Send a request over a new connection; the status and the JSON of the answer."""
        client = self.client()
        try:
            given = {"Content-Type": "application/json", **headers}
            client.request("POST", "/validate", body, given)
            answer = client.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            client.close()

    def review(self, document: dict[str, Any]) -> dict[str, Any]:
        """The response to a review."""
        status, answer = self.post(json.dumps(document).encode())
        assert status == 200, answer
        response: dict[str, Any] = answer["response"]
        return response

    def get(self, path: str) -> tuple[int, str]:
        """Status and text from the metrics port; the status is 0 while nobody answers."""
        trust = ssl.create_default_context(cadata=self.ca.decode())
        trust.check_hostname = False
        scheme = "https" if "--metrics-tls" in self.process.args else "http"
        try:
            with urlopen(f"{scheme}://{self.metrics}{path}", context=trust) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()
        except URLError as error:
            return 0, str(error)

    def entries(self) -> list[dict[str, Any]]:
        """The lines of the log."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def until(self, reached: Any) -> None:
        """Wait until something holds."""
        deadline = time.monotonic() + _PATIENCE
        while not reached():
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.02)

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(_PATIENCE)


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


@contextmanager
def serving(
    directory: Path,
    *options: object,
    program: Path = CELVET,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Iterator[Serving]:
    """A server that is ready, with a certificate in files unless the options say otherwise."""
    signer = authority()
    given = list(map(str, options))
    if "--tls-secret" not in given:
        write_pair(directory, signer)
        given += ["--tls-cert-file", str(directory / "tls.crt")]
        given += ["--tls-private-key-file", str(directory / "tls.key")]
    if "--shutdown-delay" not in given:
        given += ["--shutdown-delay", "0"]
    log = directory / "log"
    command = [program, "serve", "--port", "0", "--metrics-bind-address", "127.0.0.1:0", *given]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stderr=file, cwd=cwd, env=env)
    served = Serving(process, 0, "", signer.certificate_pem, log)
    try:
        served.until(lambda: process.poll() is not None or "listening" in log.read_text())
        assert process.poll() is None, log.read_text()
        heard = next(each for each in served.entries() if each["message"] == "listening")
        served.port, served.metrics = heard["port"], heard["metrics"]
        served.until(lambda: process.poll() is not None or served.get("/readyz")[0] == 200)
        assert process.poll() is None, log.read_text()
        yield served
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
