from __future__ import annotations

import hashlib
import inspect
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.certs.virtual_time import VirtualTime
from tests.certs.virtual_time import run as run_coroutine

_GO_SOURCE = Path(__file__).parent / "goclient" / "main.go"
_BUILD = Path(__file__).parents[2] / "build"


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an asynchronous test in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    run_coroutine(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(autouse=True)
def _scrubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the caller's cluster and proxies from the tests."""
    for name in ("KUBECONFIG", "KUBERNETES_SERVICE_HOST", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    for scheme in ("http", "https", "all", "no"):
        monkeypatch.delenv(f"{scheme}_proxy", raising=False)
        monkeypatch.delenv(f"{scheme}_proxy".upper(), raising=False)


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    """Threads take turns fifty times as often: more interleavings, and less waiting for a turn."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 50)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture
def time() -> VirtualTime:
    return VirtualTime()


@pytest.fixture(scope="session")
def go_client(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Runs the Go client; its last line, `ok` or what crypto/x509 says.

    The binary is kept in `build/` until its source changes: with an empty cache, Go
    compiles its TLS library for half a minute.
    """
    binary = _BUILD / f"goclient-{hashlib.sha256(_GO_SOURCE.read_bytes()).hexdigest()[:16]}"
    if not binary.exists():
        if shutil.which("go") is None:
            pytest.skip("no Go tool chain to verify with crypto/x509")
        _build(tmp_path_factory.mktemp("go") / "client", binary)

    def run(*arguments: object) -> str:
        command = [str(binary), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    return run


def _build(scratch: Path, binary: Path) -> None:
    """Compile the client and move it in place at once: workers build at the same time."""
    command = ["go", "build", "-o", str(scratch), str(_GO_SOURCE)]
    subprocess.run(
        command, check=True, cwd=_GO_SOURCE.parent, env={**os.environ, "CGO_ENABLED": "0"}
    )
    binary.parent.mkdir(exist_ok=True)
    temporary = binary.with_name(f"{binary.name}.{os.getpid()}")
    shutil.copy2(scratch, temporary)
    temporary.replace(binary)
