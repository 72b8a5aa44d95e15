"""`celvet certs` on the command line."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from celvet.certs.cli.command import certs
from celvet.certs.clock import local_now
from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.material import encode
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import renew
from tests.certs.api_server import ApiServer, Fault, JsonObject
from tests.tables import read_table

CASES = read_table(Path(__file__).parent / "commands.yaml")
HOOK: JsonObject = {
    "name": "a.celvet",
    "clientConfig": {"service": {"name": "webhook", "namespace": "celvet"}},
}


def celvet_certs(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(certs, [str(argument) for argument in arguments])
    assert not isinstance(result.exception, Exception), result.exception
    return result


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    texts = encode(
        renew(Bundle(), local_now(), RenewalPolicy(), Names.parse(["theirs.svc"])).bundle
    )
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    for name in ("tls.crt", "tls.key", "ca.crt"):
        (theirs / name).write_bytes(texts[name])
    os.mkfifo(tmp_path / "pipe")
    return {
        "DIR": tmp_path / "new",
        "FILES": theirs,
        "BUNDLE": theirs / "ca.crt",
        "CHAIN": theirs / "tls.crt",
        "PIPE": tmp_path / "pipe",
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_command_lines(case: dict[str, Any], places: dict[str, Path]) -> None:
    for step in case["steps"]:
        line = step["run"]
        for name, path in places.items():
            line = line.replace(name, str(path))
        result = celvet_certs(*shlex.split(line))
        told = f"{line}\nstatus {result.exit_code}\n{result.output}"
        assert result.exit_code == step.get("status", 0), told
        for part in step.get("out", []):
            assert part in result.stdout, told
        for part in (*step.get("err", []), *step.get("usage", [])):
            assert part in result.stderr, told
        if step.get("status") in (2, 3) and "err" in step:
            assert result.stderr.startswith("celvet certs: "), told
            assert result.stderr.count("\n") == 1, told


def test_json_of_create_and_show(places: dict[str, Path]) -> None:
    where = places["DIR"]
    created = json.loads(
        celvet_certs("create", "--dir", where, "--dns-name", "a.svc", "--json").stdout
    )
    shown = json.loads(celvet_certs("show", where, "--json").stdout)
    changes = created.pop("changes")
    assert changes == ["a serving certificate was issued: there was no usable one"]
    assert created == shown
    assert shown["version"] == 1
    assert shown["serving"]["names"] == ["a.svc"]
    assert shown["serving"]["publicKey"] == "ECDSA P-256"
    assert shown["chain"] == shown["key"] == {"ok": True, "reason": None}
    assert [authority["role"] for authority in shown["authorities"]] == ["signs now"]
    assert shown["problems"] == []


@pytest.mark.parametrize(
    ("entry", "content", "problem"),
    [
        ("tls.key", "theirs", "the private key does not belong to the certificate"),
        ("tls.key", "garbage", "the private key cannot be read"),
        ("ca.crt", "theirs", "the serving certificate cannot be used: no trusted authority"),
        ("ca.crt", "garbage", "`ca.crt` is damaged: there is no PEM certificate in it"),
        ("ca.key", "garbage", "the key of the authority that signs is missing"),
        ("state.json", "garbage", "`state.json` is damaged: this version writes it differently"),
    ],
)
def test_show_tells_what_is_wrong(
    places: dict[str, Path], entry: str, content: str, problem: str
) -> None:
    celvet_certs("create", "--dir", places["DIR"], "--dns-name", "a.svc")
    path = places["DIR"] / entry
    path.write_bytes((places["FILES"] / entry).read_bytes() if content == "theirs" else b"garbage")
    result = celvet_certs("show", places["DIR"])
    assert result.exit_code == 1
    assert problem in result.stdout
    found = json.loads(celvet_certs("show", places["DIR"], "--json").stdout)["problems"]
    assert any(problem in each for each in found)


def test_create_repairs_it(places: dict[str, Path]) -> None:
    arguments = ("create", "--dir", places["DIR"], "--dns-name", "a.svc")
    celvet_certs(*arguments)
    (places["DIR"] / "tls.key").write_bytes(b"garbage")
    assert "`tls.crt` or `tls.key` is damaged" in celvet_certs(*arguments).stdout
    assert celvet_certs("show", places["DIR"]).exit_code == 0


@contextmanager
def api_in_background(api: ApiServer, directory: Path) -> Iterator[Path]:
    """The API server in another thread, since the command runs its own event loop."""
    started, stop = threading.Event(), asyncio.Event()
    found: list[tuple[asyncio.AbstractEventLoop, Path]] = []

    async def serve() -> None:
        async with api.serving(directory) as kubeconfig:
            found.append((asyncio.get_running_loop(), kubeconfig))
            started.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(300)
    loop, kubeconfig = found[0]
    try:
        yield kubeconfig
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(300)


class TestSecret:
    def test_create_publish_and_show(self, tmp_path: Path) -> None:
        """As a job does before a chart's webhook is installed."""
        api = ApiServer()
        api.configure("hooks", [HOOK])
        with api_in_background(api, tmp_path) as kubeconfig:
            where = ("--secret", "ns/name", "--kubeconfig", kubeconfig)
            name = ("--dns-name", "webhook.celvet.svc")
            created = celvet_certs("create", *where, *name, "--webhook-configuration", "hooks")
            assert created.exit_code == 0, created.output
            assert api.ca_bundle() == api.entry("ca.crt")
            shown = celvet_certs("show", *where)
            assert shown.exit_code == 0
            assert "chain     ok" in shown.stdout

    def test_a_new_authority_is_announced_by_who_publishes_it(self, tmp_path: Path) -> None:
        api = ApiServer()
        api.configure("hooks", [HOOK])
        with api_in_background(api, tmp_path) as kubeconfig:
            where = ("--secret", "ns/name", "--kubeconfig", kubeconfig)
            celvet_certs("create", *where, "--dns-name", "webhook.celvet.svc")
            rotated = celvet_certs("rotate", *where, "--authority")
            assert "signs next, not published yet" in rotated.stdout
            publishing = ("--webhook-configuration", "hooks")
            rotated = celvet_certs("rotate", *where, "--authority", *publishing)
            assert "signs next, published since" in rotated.stdout

    @pytest.mark.parametrize(
        ("fault", "message"),
        [
            (None, "celvet certs: there is no Secret `ns/name`\n"),
            (Fault.FORBIDDEN, "celvet certs: cannot get Secret `ns/name`: 403 of RBAC\n"),
        ],
    )
    def test_what_fails_is_one_line(
        self, tmp_path: Path, fault: Fault | None, message: str
    ) -> None:
        api = ApiServer()
        api.fault = lambda _request: fault
        with api_in_background(api, tmp_path) as kubeconfig:
            result = celvet_certs("show", "--secret", "ns/name", "--kubeconfig", kubeconfig)
        assert result.exit_code == 3
        assert result.stderr == message


def test_help_needs_neither_cryptography_nor_kubernetes() -> None:
    """`celvet --help` loads the module for its summary."""
    program = (
        "import sys, celvet.certs.cli.command\n"
        "print([name for name in ('cryptography', 'lightkube', 'asyncio') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_missing_extra_is_reported(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "celvet.certs.cli.one_shot", None)
    result = celvet_certs("show", places["FILES"])
    assert result.exit_code == 3
    assert result.stderr.endswith("is not installed: install `celvet[webhook]`\n")
