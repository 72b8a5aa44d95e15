from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.certs.virtual_time import VirtualTime


@pytest.fixture(autouse=True)
def _scrubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the caller's cluster or proxies reaches a test."""
    for name in ("KUBECONFIG", "KUBERNETES_SERVICE_HOST", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    for scheme in ("http", "https", "all", "no"):
        monkeypatch.delenv(f"{scheme}_proxy", raising=False)
        monkeypatch.delenv(f"{scheme}_proxy".upper(), raising=False)


@pytest.fixture
def time() -> VirtualTime:
    return VirtualTime()


@pytest.fixture(scope="session")
def go_client(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Runs the Go client; its last line, `ok` or what crypto/x509 says."""
    if shutil.which("go") is None:
        pytest.skip("no Go tool chain to verify with crypto/x509")
    binary = tmp_path_factory.mktemp("go") / "client"
    source = Path(__file__).parent / "goclient" / "main.go"
    subprocess.run(["go", "build", "-o", binary, source], check=True, cwd=source.parent)

    def run(*arguments: object) -> str:
        command = [str(binary), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    return run
