from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from .api_error import refusal_of

#: Waits for some seconds.
Pause = Callable[[float], None]

#: Statuses of proxies and of services that are away for a moment.
TEMPORARY = (502, 503, 504)
TOO_MANY = 429
#: Last parts of the paths of operations that only read.
READING = re.compile(r"^(batch_)?(get|list|read|count|download|search)(_.*)?$")
OTHER_READING = ("fetch", "nothing", "optimize", "preview.jpg", "pull", "retrieve", "show", "status", "try", "vapid")


class Transport:
    """Sends calls over HTTP and repeats those that may be repeated."""

    def __init__(
        self, base_url: str, headers: Mapping[str, str], *, http: httpx.Client, pause: Pause, retries: int
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._headers = dict(headers)
        self._http = http
        self._pause = pause
        self._retries = retries

    def ask(
        self, path: str, parameters: Mapping[str, Any], hash: str | None, idempotency_key: str | None = None
    ) -> httpx.Response:
        """The response of an operation, which is a success.

        A call above a rate (429) had no effect and is repeated; one whose answer was lost, or that found a service away,
        is repeated if the operation only reads or the call has an idempotency key.
        """
        headers = dict(self._headers)
        if hash is not None:
            headers["Authorization"] = f"Bearer {hash}"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        may_repeat = is_reading(path) or idempotency_key is not None
        for attempt in range(1, self._retries + 2):
            is_last = attempt > self._retries
            response = None
            try:
                response = self._http.post(self.base_url + path, json=dict(parameters), headers=headers)
            except httpx.TransportError:
                if is_last or not may_repeat:
                    raise
            if response is not None:
                if response.is_success:
                    return response
                is_temporary = response.status_code in TEMPORARY and may_repeat
                if is_last or not (is_temporary or response.status_code == TOO_MANY):
                    raise refusal_of(path, response)
            self._pause(retry_after(response) or backoff(attempt))
        raise AssertionError("the last attempt returns or raises")


def is_reading(path: str) -> bool:
    """Whether an operation only reads, so that a call whose answer was lost may be repeated."""
    last = path.rpartition("/")[2]
    return READING.match(last) is not None or last in OTHER_READING


def retry_after(response: httpx.Response | None) -> float | None:
    text = response.headers.get("Retry-After", "") if response is not None else ""
    return float(text) if text.isdigit() else None


def backoff(attempt: int) -> float:
    """Seconds before the given attempt, the first being 1: doubled each time, at most 30, and never the same for all."""
    return float(min(0.5 * 2**attempt, 30) * (0.5 + random.random() / 2))
