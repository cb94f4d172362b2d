from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from .api_error import to_api_error
from .session import Session
from .transport import Pause, backoff

#: The server sends a heartbeat every 30 seconds: a longer silence means a lost connection.
MAX_SILENCE_SECONDS = 75
#: How long a left loop waits for the server to say goodbye.
CLOSE_SECONDS = 1


@dataclass(frozen=True)
class LiveMessage:
    """An event of the socket; ``data`` is that of the request's kind."""

    event: str
    data: Any
    user_time: str | None = None


def read_live(url: str, session: Session, requests: list[dict[str, Any]], pause: Pause) -> Iterator[LiveMessage]:
    """Messages of connections, one connection after the other, until the loop is left."""
    failures = 0
    while True:
        if failures > 0:
            pause(backoff(failures))
        failures += 1
        hash = session.hash()
        for message in _messages_of(url, {"action": "subscribe", "hash": hash, "requests": requests}):
            failures = 0
            kind = message.get("type")
            if kind == "error":
                refusal = to_api_error("/event/subscription", message)
                if refusal.code not in (3, 4) or not session.renew(hash):
                    raise refusal
                break
            if message.get("event") == "logout" and not session.renew(hash):
                raise RuntimeError("The session has ended.")
            if kind == "event":
                yield LiveMessage(str(message["event"]), message.get("data"), message.get("user_time"))


def _messages_of(url: str, subscription: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The JSON messages of a socket; ends with the connection, whatever ends it."""
    try:
        with connect(url, close_timeout=CLOSE_SECONDS) as socket:
            socket.send(json.dumps(subscription))
            while True:
                frame = socket.recv(timeout=MAX_SILENCE_SECONDS)
                # Frames that are no JSON are the handshake and heartbeats.
                if isinstance(frame, str) and frame.startswith("{"):
                    yield json.loads(frame)
    except (ConnectionClosed, InvalidHandshake, OSError):
        # TimeoutError is an OSError: a silent connection is lost, too.
        return
