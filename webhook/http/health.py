"""Probes: whether the server lives and is ready, in words for people if they ask for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from aiohttp import web

from celvet.record import record


@record
class HealthCheck:
    """The state of a part of the server: what is wrong, empty if nothing is.

    One that is not `needed` does not keep the server from being ready.
    """

    problem: str = ""
    needed: bool = True


Health = Callable[[], Mapping[str, HealthCheck]]
"""The checks by the names of the parts, as of now."""


def health_response(request: web.BaseRequest, health: Health) -> web.Response | None:
    """The answer to a probe; None for another path.

    `?verbose` lists all parts, as `readyz` of an API server does
    (`staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go`).
    """
    if request.path == "/healthz":
        return web.Response(text="ok")
    if request.path != "/readyz":
        return None
    checks = health()
    problem = next(
        (check.problem for check in checks.values() if check.needed and check.problem), ""
    )
    text = problem or "ok"
    if "verbose" in request.query:
        lines = [f"{_mark(check)}{name} {check.problem or 'ok'}" for name, check in checks.items()]
        text = "\n".join([*lines, f"readyz check {'failed' if problem else 'passed'}", ""])
    return web.Response(text=text, status=503 if problem else 200)


def _mark(check: HealthCheck) -> str:
    if not check.problem:
        return "[+]"
    return "[-]" if check.needed else "[!]"


class Callers:
    """Counts the handshakes that failed since the last review.

    A webhook that nobody reaches looks like one without work.
    API servers send no client certificate unless their `AdmissionConfiguration` names one, and with
    `failurePolicy: Ignore` they store objects unchecked when a handshake fails.
    """

    def __init__(self) -> None:
        self._failures = 0
        self._reason = ""

    def note_review(self) -> None:
        """A caller was answered."""
        self._failures = 0

    def note_failure(self, reason: str) -> None:
        """Count a handshake that failed, and keep its reason."""
        self._failures += 1
        self._reason = reason

    @property
    def problem(self) -> str:
        """What is wrong; empty if nothing is known to be."""
        if not self._failures:
            return ""
        times = "1 handshake" if self._failures == 1 else f"{self._failures} handshakes"
        advice = _ADVICE.get(self._reason, "look at the caBundle of the webhook configuration")
        return f"{times} failed since the last review, the last one with `{self._reason}`: {advice}"


_ADVICE = {
    "peer did not return a certificate": (
        "the API server needs an AdmissionConfiguration with a certificate, see docs/webhook.md"
    ),
    "certificate verify failed": "--client-ca-file has not signed the client's certificate",
}
"""What to do, by the reason as OpenSSL words it."""
