"""A cluster is bootstrapped while celvet is upgraded, rotates its certificate, and lacks memory.

    CELVET_E2E=~/.cache/celvet-e2e python -m tests.e2e.test_load

creates 2,000 objects in a minute, and prints what became of them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.e2e.cluster import Cluster
from tests.e2e.control_plane import control_plane
from tests.e2e.crds import definitions
from tests.e2e.load import Load, LoadResult, namespaces
from tests.e2e.pod import NAME
from tests.e2e.release import Release
from tests.e2e.test_certificates import rotate
from tests.webhook.serving import children

_COUNT = 500


def _kill_judging_processes(release: Release) -> None:
    """End one in each pod as the kernel does if memory is short."""
    for pod in release.pods.values():
        judging = [pid for child in children(pod.pid) for pid in children(child)]
        with suppress(ProcessLookupError):
            os.kill(judging[0], signal.SIGKILL)


def _replace_pods(release: Release) -> None:
    """A rolling upgrade: each new pod is ready before an old one goes."""
    release.upgrade(**_VALUES, workers=4)
    for old, new in ((0, 2), (1, 3)):
        release.start(f"{NAME}-{new}")
        release.stop(f"{NAME}-{old}")


# An object that no pod judges is an error of the API server here, not stored unchecked.
_VALUES = {"webhook": {"failurePolicy": "Fail"}, "shutdownDelay": 3}


def bootstrap(release: Release, count: int, seconds: float = 0.0) -> LoadResult:
    """Create objects while everything else happens to the two pods."""
    load = Load(release.cluster)
    disturbances: tuple[Callable[[], None], ...] = (
        lambda: rotate(release.cluster),
        lambda: _kill_judging_processes(release),
        lambda: _replace_pods(release),
        lambda: _kill_judging_processes(release),
    )

    async def main() -> None:
        creating = asyncio.create_task(load.create(count, seconds))
        for disturb in disturbances:
            before = len(load.result.seconds)
            while not creating.done() and len(load.result.seconds) < before + count // 20:
                await asyncio.sleep(0.02)
            await asyncio.to_thread(disturb)
        load.ended = True
        await creating

    asyncio.run(main())
    return load.result


def test_a_bootstrap_loses_nothing(cluster: Cluster, tmp_path: Path) -> None:
    cluster.good("apply", "--server-side", "-f-", given=namespaces())
    with Release.installed(cluster, tmp_path, **_VALUES) as release:
        release.serve(replicas=2)
        result = bootstrap(release, _COUNT)
        assert result.clean, (str(result), result.failed[:3], result.wrong[:3], release.log())
        assert "Traceback" not in release.log()


def main() -> None:
    programs = Path(os.environ["CELVET_E2E"])
    with tempfile.TemporaryDirectory() as name, control_plane(programs, Path(name)) as kubeconfig:
        cluster = Cluster(programs, kubeconfig)
        cluster.good("apply", "--server-side", "-f-", given=definitions())
        cluster.good("wait", "--for=condition=Established", "crd", "--all", "--timeout=300s")
        cluster.good("apply", "--server-side", "-f-", given=namespaces())
        (Path(name) / "release").mkdir()
        with Release.installed(cluster, Path(name) / "release", **_VALUES) as release:
            release.serve(replicas=2)
            result = bootstrap(release, 2000, 60.0)
            print(result, *result.failed[:3], *result.wrong[:3], sep="\n")
            sys.exit(not result.clean)


if __name__ == "__main__":
    main()
