"""Logs as JSON on standard error, one object per line."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any

_LIMIT = 1000
_LIMITS = {"trace": 10_000}
"""Characters of a string to log; clients may send megabytes."""

_QUOTED = re.compile(r":? (?:bytearray\()?b['\"].*")
"""What aiohttp quotes of a request, which may be a part of an object."""


class JSONFormatter(logging.Formatter):
    """Time, level, message, and the fields of `extra={"fields": ...}`."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as one line of JSON."""
        moment = datetime.fromtimestamp(record.created, UTC)
        entry: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return json.dumps(
            {key: _cut(value, _LIMITS.get(key, _LIMIT)) for key, value in entry.items()}
        )


class LogThrottle:
    """Lets a log line of each key pass once in 60 seconds, for 32 keys at most in that time.

    Clients choose what happens, and so how often it would be logged.
    """

    _INTERVAL = 60.0
    _MOST_KEYS = 32

    def __init__(self) -> None:
        self._logged: dict[str, float] = {}

    def allows(self, key: str, now: float) -> bool:
        """Whether to log a line of a key at a time, in seconds of any clock."""
        self._logged = {
            logged: then
            for logged, then in self._logged.items()
            if 0 <= now - then < self._INTERVAL
        }
        if key in self._logged or len(self._logged) >= self._MOST_KEYS:
            return False
        self._logged[key] = now
        return True


def _cut(value: Any, limit: int) -> Any:
    if not isinstance(value, str) or len(value) <= limit:
        return value
    return f"{value[: limit // 2]}... {len(value) - limit} more ...{value[-(limit - limit // 2) :]}"


def configure(level: str) -> None:
    """Log in this format from now on, from this level upwards."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JSONFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("aiohttp.server").addFilter(_InvalidHTTP())
    for noisy in ("aiohttp", "httpx", "httpx2", "httpcore", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


class _InvalidHTTP(logging.Filter):
    """Logs invalid HTTP, a client's mistake, without a traceback, each reason once in a while."""

    def __init__(self) -> None:
        super().__init__()
        self._throttle = LogThrottle()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log it."""
        if not record.exc_info:
            return True
        reason = " ".join(str(record.exc_info[1]).split())
        reason = _QUOTED.sub("", reason)[:200]
        record.fields = {"reason": reason}
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = None
        return self._throttle.allows(reason, record.created)
