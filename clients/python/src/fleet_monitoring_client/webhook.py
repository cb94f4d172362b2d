from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

#: How far the time of a message may be from now, in seconds: older ones may be repetitions by an attacker.
TOLERANCE_SECONDS = 300


class WebhookError(Exception):
    """A message that this installation has not signed, or that is too old."""


def verify_webhook(
    body: bytes, headers: Mapping[str, str], secrets: str | Sequence[str], *, now: Callable[[], float] = time.time
) -> dict[str, Any]:
    """The event of a delivery after its signature was verified (Standard Webhooks 1.0).

    ``body`` is the body as received, ``secrets`` the ``whsec_…`` secrets that are valid at present. Raises
    ``WebhookError``.
    """
    received = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = received.get("webhook-id", ""), received.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(now() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookError("The time of the message is missing, or too far from now.")
    signed = f"{message_id}.{timestamp}.".encode() + body
    shown = [one.removeprefix("v1,") for one in received.get("webhook-signature", "").split() if one.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = base64.b64encode(hmac.new(_key_of(secret), signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected.encode(), one.encode()) for one in shown):
            event: dict[str, Any] = json.loads(body)
            return event
    raise WebhookError("No signature of the message fits.")


def _key_of(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise ValueError("A secret is whsec_ and base64.") from error
