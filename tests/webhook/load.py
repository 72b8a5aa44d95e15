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

    `clients` counts those still running, `connections` those of the steady ones. `trusted`
    gives the trusted CAs in PEM when a connection is made. With `ended`, a refused
    connection ends a client and is not a failure. With `distinct`, all objects differ.
    """

    def __init__(self, port: int, trusted: Callable[[], bytes]) -> None:
        self._port = port
        self._trusted = trusted
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.ended = False
        self.distinct = False
        self.failures: list[str] = []
        self.answers = 0
        self.connections = 0
        self.clients = 0

    @contextmanager
    def running(self, steady: int, fresh: int) -> Iterator[Load]:
        kept = [True] * steady + [False] * fresh
        threads = [
            threading.Thread(target=self._send, args=(each, number), daemon=True)
            for number, each in enumerate(kept)
        ]
        self.clients = len(threads)
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(30)

    def more(self, count: int) -> None:
        """Wait for so many more answers."""
        goal, deadline = self.answers + count, time.monotonic() + 60
        while self.answers < goal:
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
                    with self._lock:
                        self.clients -= 1
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
        return http.client.HTTPSConnection("localhost", self._port, context=context, timeout=20)

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
        with self._lock:
            self.answers += 1

    def _failed(self, error: Exception) -> None:
        self.failures.append(f"{type(error).__name__}: {error}")
