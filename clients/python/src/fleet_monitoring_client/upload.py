from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

import httpx

from .api_error import ApiError, refusal_of
from .transport import Pause, backoff

VERSION = {"Tus-Resumable": "1.0.0"}
MAX_FAILURES = 8
#: Statuses after which the offset is asked for again: another attempt with the ticket goes on, or has ended.
ANOTHER_ATTEMPT = (409, 423)


class Ticket(TypedDict):
    """The ticket that an operation such as ``/checkin/image/create`` answers."""

    file_id: int
    url: str
    fields: dict[str, str]


class Interrupted(Exception):
    """An upload that may work the next time."""


def upload_file(ticket: Ticket, content: bytes, *, http: httpx.Client, pause: Pause) -> int:
    """Uploads a file by the protocol tus 1.0, in which the server knows how much of it has arrived; returns its id."""
    headers = VERSION | {"Authorization": f"Bearer {ticket['fields'].get('token', '')}"}
    for failures in range(MAX_FAILURES + 1):
        if failures > 0:
            pause(backoff(failures))
        try:
            answer = _ask(http, "HEAD", ticket["url"], headers)
            offset = int(answer.headers["Upload-Offset"])
            if offset < len(content):
                position = {"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
                _ask(http, "PATCH", ticket["url"], headers | position, content[offset:])
            return ticket["file_id"]
        except Interrupted as interruption:
            if failures == MAX_FAILURES:
                raise interruption.__cause__ or interruption
    raise AssertionError("the last attempt returns or raises")


def _ask(http: httpx.Client, method: str, url: str, headers: Mapping[str, str], body: bytes = b"") -> httpx.Response:
    try:
        response = http.request(method, url, headers=dict(headers), content=body)
    except httpx.TransportError as error:
        raise Interrupted from error
    if response.is_success:
        return response
    refusal: ApiError = refusal_of("upload", response)
    is_temporary = response.status_code >= 500 or response.status_code in (429, *ANOTHER_ATTEMPT)
    if is_temporary:
        raise Interrupted from refusal
    raise refusal
