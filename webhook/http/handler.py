"""HTTP around the decision: reads a request, answers, counts, logs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from io import BytesIO
from time import perf_counter
from typing import Any, Protocol

from aiohttp import HttpVersion11, web

from celvet.record import replace
from celvet.webhook.decide.admission import AdmissionDecision, decide
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.decide.review import MalformedError, Review, peek
from celvet.webhook.http.answer import answer, json_response, refusal_response
from celvet.webhook.http.client_limits import Limits
from celvet.webhook.http.health import Health, health_response
from celvet.webhook.judgement import Judgement
from celvet.webhook.logs import LogThrottle
from celvet.webhook.memory_budget import SMALL_BODY
from celvet.webhook.metrics import Metrics
from celvet.webhook.queue import PriorityQueue, QueueFullError

_log = logging.getLogger(__name__)

_ACCEPTED = ("", "application/json", "application/octet-stream")
"""Content types; aiohttp gives the last if the header is missing."""


class Judge(Protocol):
    """What judges reviews, such as a pool of processes."""

    async def judge(self, body: bytes, review: Review, off: frozenset[str]) -> Judgement:
        """The judgement of the review in a body, without the rules `off`.

        `review` is the part of it that has already been read.
        """
        ...


class Webhook:
    """Answers requests; while `draining`, each connection gets one last answer.

    `policy` is called for each review, `decided` with each decision. `health` tells whether the
    server is ready.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a server
        self,
        judge: Judge,
        policy: Callable[[], AdmissionPolicy],
        metrics: Metrics,
        health: Health,
        limits: Limits,
        decided: Callable[[Review, AdmissionDecision], None] = lambda _review, _decision: None,
    ) -> None:
        self._judge = judge
        self._policy = policy
        self._metrics = metrics
        self._health = health
        self._limits = limits
        self._large_bodies = PriorityQueue(limits.large_bodies)
        self._decided = decided
        self._throttle = LogThrottle()
        self.draining = False
        self.active = 0

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer any request, also one that is no review."""
        match request.method, request.path:
            case "POST", "/validate":
                self.active += 1
                try:
                    response = await self._validate(request)
                finally:
                    self.active -= 1
            case "GET" | "HEAD", _:
                response = health_response(request, self._health) or _not_found(request)
            case _:
                response = _not_found(request)
        if self.draining:
            response.force_close()
        return response

    async def _validate(self, request: web.BaseRequest) -> web.Response:
        start = perf_counter()
        review: Review | None = None
        try:
            self._check_head(request)
            async with self._place(request):  # until the answer
                body = await self._body(request)
                # The head is enough for the queue: a judging process reads the rest of a large one.
                review = peek(body)
                review, decision = await self.decide(body, review)
            content = answer(review, decision)
        except MalformedError as error:
            return self._malformed_response(str(error), review.uid if review else "")
        except _RefusedError as error:
            self._metrics.count_error(error.reason)
            self._log_refusal("refused request", "", str(error))
            return error.response
        except (ConnectionError, asyncio.CancelledError):
            raise
        except Exception as error:
            return self._error_response(error, review.uid if review else "")
        self._record(review, decision, perf_counter() - start)
        self._decided(review, decision)
        return json_response(content)

    async def decide(self, body: bytes, review: Review) -> tuple[Review, AdmissionDecision]:
        """The decision on the review in a body, of which `review` is what `peek` reads.

        Raises what the judge raises, and `RuleCrashError`.
        """
        policy = self._policy()
        judgement = await self._judge.judge(body, review, policy.off(review.namespace))
        review = replace(review, dry_run=review.dry_run or judgement.dry_run)
        return review, decide(judgement, policy, review.namespace)

    def _check_head(self, request: web.BaseRequest) -> None:
        """Check the head before the body is read; raises `MalformedError`, `_RefusedError`."""
        if request.content_type not in _ACCEPTED:
            raise MalformedError(f"`Content-Type` must be `{_ACCEPTED[1]}`")
        if request.headers.get("Content-Encoding", "identity") != "identity":
            raise MalformedError("`Content-Encoding` must not be used")
        if (request.content_length or 0) > self._limits.body_bytes:
            raise _too_large(self._limits)

    @asynccontextmanager
    async def _place(self, request: web.BaseRequest) -> AsyncIterator[None]:
        """Wait for a place for a large body, or one of unknown length; raises `_RefusedError`.

        Addresses get equal shares of them: bodies that come slowly keep out only those of the same
        address, never all of those of an API server.
        """
        length = request.content_length or self._limits.body_bytes
        if length <= SMALL_BODY or not request.body_exists:
            yield
            return
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._limits.place_seconds):
                    await stack.enter_async_context(
                        self._large_bodies.turn(0, request.remote or "")
                    )
            except (TimeoutError, QueueFullError):
                raise _full() from None
            yield

    async def _body(self, request: web.BaseRequest) -> bytes:
        """The body; raises `_RefusedError`."""
        await _meet_expectation(request)
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                return await self._read(request)
        except TimeoutError:
            raise _RefusedError("slow", 408, "Timeout", "the body came too slowly") from None

    async def _read(self, request: web.BaseRequest) -> bytes:
        body = BytesIO()
        async for chunk in request.content.iter_any():
            body.write(chunk)
            if body.tell() > self._limits.body_bytes:
                raise _too_large(self._limits)
        return body.getvalue()

    def _malformed_response(self, reason: str, uid: str) -> web.Response:
        self._metrics.count_error("malformed")
        self._log_refusal("malformed request", uid, reason[:500])
        return refusal_response(400, "BadRequest", reason)

    def _log_refusal(self, message: str, uid: str, reason: str) -> None:
        """Log each reason once in a while; the metrics count all."""
        if self._throttle.allows(reason, asyncio.get_running_loop().time()):
            _log.warning(message, extra={"fields": {"uid": uid, "reason": reason}})

    def _error_response(self, error: Exception, uid: str) -> web.Response:
        self._metrics.count_error("internal")
        fields = {"uid": uid, "reason": f"{type(error).__name__}: {error}"[:500]}
        _log.error("internal error", exc_info=error, extra={"fields": fields})
        return refusal_response(500, "InternalError", f"internal error; see the log for uid {uid}")

    def _record(self, review: Review, decision: AdmissionDecision, seconds: float) -> None:
        self._metrics.count_review(
            review.kind, review.operation, decision.verdict, dry_run=review.dry_run, seconds=seconds
        )
        self._metrics.count_findings(decision.findings, decision.would_deny)
        if decision.failure_warning:
            self._metrics.count_error("unjudged")
        if not decision.complete:
            self._metrics.count_error("incomplete")
        level = (
            logging.INFO if decision.allowed and not decision.failure_warning else logging.WARNING
        )
        if _log.isEnabledFor(level):
            _log.log(level, "review", extra={"fields": _log_fields(review, decision, seconds)})


def _not_found(request: web.BaseRequest) -> web.Response:
    """The answer to another path, or to a method that a path does not have."""
    if request.path in ("/validate", "/healthz", "/readyz"):
        return refusal_response(405, "MethodNotAllowed", "this path does not allow the method")
    return refusal_response(404, "NotFound", "the only path is /validate")


async def _meet_expectation(request: web.BaseRequest) -> None:
    """Send `100 Continue` if the client waits for it (RFC 9110, 10.1.1); raises `_RefusedError`."""
    expectation = request.headers.get("Expect", "").lower()
    if not expectation or request.version < HttpVersion11:
        return
    if expectation != "100-continue":
        message = "`Expect` must be `100-continue`"
        raise _RefusedError("malformed", 417, "ExpectationFailed", message)
    await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    request.writer.output_size = 0


def _log_fields(review: Review, decision: AdmissionDecision, seconds: float) -> dict[str, Any]:
    """Fields of the log: names and the verdict, never other content of the object."""
    return {
        "uid": review.uid,
        "user": review.user,
        "operation": review.operation,
        "kind": str(review.kind),
        "namespace": review.namespace,
        "name": review.name,
        "dryRun": review.dry_run,
        "verdict": decision.verdict,
        "reason": decision.skip_reason,
        "complete": decision.complete,
        "rules": sorted({finding.rule for finding in decision.findings}),
        "wouldDeny": sorted({finding.rule for finding in decision.would_deny}),
        "seconds": round(seconds, 6),
    }


class _RefusedError(Exception):
    def __init__(self, reason: str, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.response = refusal_response(status, kind, message)
        self.response.force_close()


def _too_large(limits: Limits) -> _RefusedError:
    message = f"the body is larger than {limits.body_bytes} bytes"
    return _RefusedError("too-large", 413, "RequestEntityTooLarge", message)


def _full() -> _RefusedError:
    """API servers retry after the seconds in `Retry-After` (client-go's `with_retry.go`)."""
    error = _RefusedError("full", 429, "TooManyRequests", "too many bodies are being processed")
    error.response.headers["Retry-After"] = "1"
    return error
