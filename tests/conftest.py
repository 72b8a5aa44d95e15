"""Fixtures and settings for all tests: environment, marks, and hypothesis.

A test in one of the folders below, or with the fixture `outside`, is `slow`: it starts a process,
opens a socket or needs git. Any other test that tries to is an error. A few are marked `slow` since
their input is as large as celvet takes, or since they read all of its code.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

_HERE = Path(__file__).parent
_LEAKS = (
    *("CI", "GITHUB_ACTIONS", "GITLAB_CI", "CELVET_DEBUG"),
    *("TERM", "COLUMNS", "NO_COLOR", "FORCE_COLOR"),
)
_SLOW_FOLDERS = {
    *(
        "certs",
        "charts",
        "cli",
        "docs",
        "e2e",
        "agent",
        "hooks",
        "lsp",
        "playground",
        "package",
        "site",
        "soak",
        "webhook",
    )
}
_OUTSIDE = {"subprocess.Popen", "os.fork", "os.posix_spawn", "socket.bind", "socket.connect"}
"""Audit events of actions that only a slow test may take."""

_WHOLE = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("whole", _WHOLE)
_SAME = hypothesis.settings(_WHOLE, derandomize=True)
hypothesis.settings.register_profile("usual", _SAME, max_examples=40)
hypothesis.settings.register_profile("quick", _SAME, max_examples=5)


def _is_quick(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "not slow")


def pytest_configure(config: pytest.Config) -> None:
    """Try properties on new examples in `make fuzz` alone, and on the fewest in `make quick`.

    In `make test` they are the same each time: a change is not refused for what it did not touch.
    The environment of the caller does not leak in, and no test leaves a cache behind, or finds one.
    Under `nohup` or `&`, processes inherit that signals are ignored; the tests send them.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for name in _LEAKS:
        os.environ.pop(name, None)
    os.environ["CELVET_NO_CACHE"] = "1"
    usual = "quick" if _is_quick(config) else "usual"
    hypothesis.settings.load_profile(config.getoption("hypothesis_profile") or usual)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the slow folders of `make quick` before their modules are imported."""
    slow = collection_path.parent == _HERE and collection_path.name in _SLOW_FOLDERS
    return (slow and _is_quick(config)) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests, and hide a variable of the Makefile, which modules have read by now."""
    os.environ.pop("CELVET_E2E_CACHE", None)
    for item in items:
        folder = item.path.relative_to(_HERE).parts[0]
        if folder in _SLOW_FOLDERS or "outside" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the folder that is not collected; pytest lists each skipped test with its reason."""
    if "CELVET_E2E" not in os.environ:
        terminalreporter.write_line("SKIPPED tests/e2e: needs a real API server (`make e2e`)")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Keep a test that is not slow within this process; a fixture for each would take time."""
    _refused.update(() if item.get_closest_marker("slow") else _OUTSIDE)
    try:
        return (yield)
    finally:
        _refused.clear()


_refused: set[str] = set()


def _refuse(event: str, _: object) -> None:
    if event in _refused:
        raise RuntimeError(
            f"{event} in a test that is not slow: let it use the fixture `outside`, or put it into"
            f" one of the folders in {__file__}"
        )


sys.addaudithook(_refuse)


@pytest.fixture
def outside() -> None:
    """Lets a test start processes and open sockets, which makes it slow."""


@pytest.fixture
def python(outside: None) -> Callable[[str], str]:
    """Runs code in a fresh interpreter, which must succeed; gives what it prints."""

    def run(code: str) -> str:
        ran = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    return run
