"""CRDs of an API server: listed in pages, watched, kept while it fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from celvet.certs.clock import Clock
from celvet.certs.stores.cluster import Cluster
from celvet.webhook.crds import store
from celvet.webhook.crds.store import CrdStore
from celvet.webhook.crds.watcher import CrdWatcher
from celvet.webhook.metrics import Metrics
from tests.certs.api_server import Fault
from tests.webhook.crd_server import CrdServer, crd

WIDGET, GADGET = crd("Widget", phase="string"), crd("Gadget", ready="boolean")


class Watched:
    """A watcher of a server; its `pauses` take no time."""

    def __init__(self, kubeconfig: Path, directory: Path, watch_seconds: float) -> None:
        self.crds = CrdStore()
        self.pauses: list[float] = []
        clock = replace(Clock(), sleep=self._pause)
        source = Cluster.connect(kubeconfig).definitions()
        self.metrics = metrics = Metrics()
        self.watcher = CrdWatcher(source, self.crds, metrics, clock, watch_seconds)

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await asyncio.sleep(0.001)

    def kinds(self) -> set[str]:
        return {kind.kind for kind in self.crds.kinds}

    async def until(self, reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(300):
            while not reached():
                await asyncio.sleep(0.002)


def run(
    directory: Path,
    main: Callable[[CrdServer, Watched], Awaitable[None]],
    watch_seconds: float = 600,
) -> None:
    @asynccontextmanager
    async def watched(api: CrdServer) -> AsyncIterator[Watched]:
        async with api.serving(directory) as kubeconfig:
            made = Watched(kubeconfig, directory, watch_seconds)
            task = asyncio.create_task(made.watcher.run())
            try:
                yield made
            finally:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def limited() -> None:
        api = CrdServer()
        for each in (WIDGET, *(crd(f"Other{number}") for number in range(50))):
            await api.apply(each)
        async with watched(api) as found:
            await main(api, found)

    asyncio.run(asyncio.wait_for(limited(), 600))


def records(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [each for each in caplog.records if each.name == "celvet.webhook.crds.watcher"]


def test_read_in_pages_then_watched(tmp_path: Path) -> None:
    async def main(api: CrdServer, found: Watched) -> None:
        await found.until(lambda: len(found.kinds()) == 51)
        assert api.pages == 3
        await api.apply(GADGET)
        await found.until(lambda: "Gadget" in found.kinds())
        before = dict(found.crds.kinds)
        await api.apply(crd("Gadget", ready="string"))
        await found.until(lambda: found.crds.kinds != before)
        await api.delete(WIDGET)
        await found.until(lambda: "Widget" not in found.kinds())
        assert (api.pages, found.pauses) == (3, [])
        text = found.metrics.exposition().decode()
        assert "celvet_crds 51.0" in text
        assert "celvet_crds_errors_total 0.0" in text
        assert "celvet_crds_update_timestamp_seconds 1." in text

    run(tmp_path, main)


@pytest.mark.parametrize("fault", [each for each in Fault if each is not Fault.LOST_ANSWER])
def test_crds_stay_while_the_server_fails(
    tmp_path: Path, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    async def main(api: CrdServer, found: Watched) -> None:
        await found.until(lambda: len(found.kinds()) == 51)
        await api.watching.wait()
        api.fault = lambda _request: fault
        api.break_watches()
        await found.until(lambda: len(found.pauses) >= 5)
        assert len(found.kinds()) == 51
        assert "celvet_crds_errors_total 0.0" not in found.metrics.exposition().decode()
        await api.apply(GADGET)
        api.fault = lambda _request: None
        await found.until(lambda: "Gadget" in found.kinds())

    run(tmp_path, main)
    messages = [each.getMessage() for each in records(caplog)]
    assert 1 <= len(messages) <= 3
    assert all("CustomResourceDefinitions" in each and "\n" not in each for each in messages)


def test_after_a_version_that_is_too_old_the_crds_are_listed_again(tmp_path: Path) -> None:
    async def main(api: CrdServer, found: Watched) -> None:
        api.too_old = True
        await found.until(lambda: len(found.pauses) == 1)
        await api.apply(GADGET)
        await found.until(lambda: "Gadget" in found.kinds())
        assert (api.pages, len(found.pauses)) == (6, 1)

    run(tmp_path, main)


def test_a_silent_watch_ends(tmp_path: Path) -> None:
    async def main(api: CrdServer, found: Watched) -> None:
        await found.until(lambda: api.pages >= 9)
        assert found.pauses == []

    run(tmp_path, main, watch_seconds=0.05)


def test_crds_beyond_the_limits_are_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store, "MAX_KINDS", 3)

    async def main(api: CrdServer, found: Watched) -> None:
        await found.until(lambda: len(found.kinds()) == 3)
        await api.watching.wait()
        await api.apply(GADGET)
        await found.until(lambda: len(records(caplog)) == 2)
        await api.apply(crd("Gadget", ready="string"))

    run(tmp_path, main)
    counts = [each.__dict__["fields"]["count"] for each in records(caplog)]
    assert counts == [48, 49]


def test_a_defect_does_not_end_the_watcher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def main(api: CrdServer, found: Watched) -> None:
        await api.watching.wait()
        with monkeypatch.context() as patched:
            patched.setattr(found.crds, "publish", lambda _kinds: 1 / 0)
            await api.apply(GADGET)
            await found.until(lambda: len(found.pauses) >= 2)
            assert "Gadget" not in found.kinds()
        await found.until(lambda: "Gadget" in found.kinds())

    run(tmp_path, main)
    assert any("ZeroDivisionError" in each.getMessage() for each in records(caplog))
