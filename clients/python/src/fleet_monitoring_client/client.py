from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx

from .api_error import ApiError
from .live import LiveMessage, read_live
from .models import ReportTrackerGenerateRequest, ReportTrackerRetrieveResponse
from .operations import Operations
from .session import Credentials, Login, Session
from .transport import Pause, Transport
from .upload import Ticket, upload_file

#: No hash, or one that has ended.
UNKNOWN_CALLER = (3, 4)
PAGE_SIZE = 500
REPORT_PAUSE_SECONDS = 1
TIMEOUT_SECONDS = 60


class FleetClient(Operations):
    """Calls the API of an installation as one user. Threads may share a client."""

    def __init__(
        self,
        base_url: str,
        credentials: Credentials | None = None,
        *,
        iso_datetime: bool = True,
        retries: int = 4,
        http: httpx.Client | None = None,
        pause: Pause = time.sleep,
    ) -> None:
        """``base_url`` is the address of the API, such as ``https://fleet.example.com/api-v2``.

        ``iso_datetime``: dates as ISO 8601 with an offset, in both directions; else as the user's local time.
        """
        self._http = http or httpx.Client(timeout=TIMEOUT_SECONDS)
        self._pause = pause
        headers = {"FMS-ISO-DateTime": "true"} if iso_datetime else {}
        self._transport = Transport(base_url, headers, http=self._http, pause=pause, retries=retries)
        self._session = Session(credentials, self._sign_in) if credentials is not None else None

    def __enter__(self) -> FleetClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def report(self, parameters: ReportTrackerGenerateRequest) -> ReportTrackerRetrieveResponse:
        """Orders a report, waits until it is ready, and returns it."""
        report_id = self.call("/report/tracker/generate", parameters)["id"]
        while self.call("/report/tracker/status", {"report_id": report_id})["percent_ready"] < 100:
            self._pause(REPORT_PAUSE_SECONDS)
        return self.call("/report/tracker/retrieve", {"report_id": report_id})

    def upload(self, ticket: Ticket, content: bytes) -> int:
        """Uploads a file for a ticket that was made for exactly its size; returns the file's id.

        An upload that breaks off goes on where it stopped.
        """
        return upload_file(ticket, content, http=self._http, pause=self._pause)

    def live(self, requests: list[dict[str, Any]]) -> Iterator[LiveMessage]:
        """The messages of a subscription to live states, until the loop is left.

        After an interruption it connects and subscribes again: the first messages then are all states.
        """
        if self._session is None:
            raise TypeError("A subscription needs credentials.")
        url = "ws" + self._transport.base_url.removeprefix("http") + "/event/subscription"
        return read_live(url, self._session, requests, self._pause)

    def _ask(self, path: str, parameters: Mapping[str, Any] | None, idempotency_key: str | None) -> httpx.Response:
        given = parameters or {}
        if self._session is None:
            return self._transport.ask(path, given, None, idempotency_key)
        hash = self._session.hash()
        try:
            return self._transport.ask(path, given, hash, idempotency_key)
        except ApiError as refusal:
            if refusal.code not in UNKNOWN_CALLER or not self._session.renew(hash):
                raise
        return self._transport.ask(path, given, self._session.hash(), idempotency_key)

    def _items(self, path: str, parameters: Mapping[str, Any] | None) -> Iterator[Any]:
        given = dict(parameters or {})
        limit = int(given.get("limit") or PAGE_SIZE)
        offset = int(given.get("offset") or 0)
        while True:
            page = self._ask(path, given | {"limit": limit, "offset": offset}, None).json()["list"]
            yield from page
            if len(page) < limit:
                return
            offset += len(page)

    def _sign_in(self, login: Login) -> str:
        answer = self._transport.ask("/user/auth", {"login": login.login, "password": login.password}, None)
        return str(answer.json()["hash"])
