"""Clients that send reviews without pause, and their failures."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.webhook.reviews import kustomization, review


class Load:
    """Each client is a thread; `steady` ones keep their connection, the others make new ones.

    `connections` counts those of the steady ones. `trusted` gives the trusted CAs in PEM when a
    client is made. With `ended`, a refused connection ends a client and is not a failure. With
    `distinct`, all objects differ.
    """

    def __init__(self, port: int, trusted: Callable[[], bytes]) -> None:
        self._port = port
        self._trusted = trusted
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.ended = False
        self.distinct = False
        self.failures: list[str] = []
        self._answers: list[int] = []
        self.connections = 0

    @contextmanager
    def running(self, steady: int, fresh: int) -> Iterator[Load]:
        kept = [True] * steady + [False] * fresh
        threads = [
            threading.Thread(target=self._send, args=(each, number), daemon=True)
            for number, each in enumerate(kept)
        ]
        self._answers = [0] * len(threads)
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(300)

    def more(self, count: int) -> None:
        """Wait for so many more answers to each client.

        The second one to a client that makes new connections is verified by what was trusted when
        the wait began, or later.
        """
        goals, deadline = [each + count for each in self._answers], time.monotonic() + 300
        while any(answers < goal for answers, goal in zip(self._answers, goals, strict=True)):
            assert time.monotonic() < deadline, self.failures[:3]
            time.sleep(0.005)

    def _send(self, keep: bool, number: int) -> None:
        client = self._client()
        turn = 0
        while not self._stop.is_set():
            turn += 1
            try:
                self._connect(client, keep)
                self._request(client, number, turn)
            except ConnectionRefusedError as error:
                if self.ended:
                    return
                self._failed(error)
            except Exception as error:
                self._failed(error)
                client.close()
            if not keep:
                client.close()
                client = self._client()

    def _client(self) -> http.client.HTTPSConnection:
        context = ssl.create_default_context(cadata=self._trusted().decode())
        return http.client.HTTPSConnection("localhost", self._port, context=context, timeout=100)

    def _connect(self, client: http.client.HTTPSConnection, keep: bool) -> None:
        if client.sock is None:
            client.connect()
            with self._lock:
                self.connections += keep

    def _request(self, client: http.client.HTTPSConnection, number: int, turn: int) -> None:
        text = f"status.n{number} == {turn if self.distinct else turn % 50}"
        body = json.dumps(review(kustomization(text))).encode()
        client.request("POST", "/validate", body, {"Content-Type": "application/json"})
        answer = client.getresponse()
        content = answer.read()
        if answer.status != 200 or b'"allowed": true' not in content:
            raise AssertionError(f"{answer.status}: {content[:200]!r}")
        self._answers[number] += 1

    def _failed(self, error: Exception) -> None:
        self.failures.append(f"{type(error).__name__}: {error}")
