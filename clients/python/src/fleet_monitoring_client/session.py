from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Login:
    """Login and password of a user."""

    login: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class Hash:
    """The hash of a session or an API key."""

    hash: str = field(repr=False)


Credentials = Login | Hash


class Session:
    """The hash of the current session. One sign-in serves all threads that wait for it."""

    def __init__(self, credentials: Credentials, sign_in: Callable[[Login], str]) -> None:
        self._credentials = credentials
        self._sign_in = sign_in
        self._hash: str | None = None
        self._lock = threading.Lock()

    def hash(self) -> str:
        """The hash to call with; signs in for the first call."""
        if isinstance(self._credentials, Hash):
            return self._credentials.hash
        with self._lock:
            if self._hash is None:
                self._hash = self._sign_in(self._credentials)
            return self._hash

    def renew(self, refused: str) -> bool:
        """Whether a call that was refused with this hash may be repeated with another one."""
        if isinstance(self._credentials, Hash):
            return False
        with self._lock:
            # Another thread may have signed in meanwhile: then its hash is used.
            if self._hash == refused:
                self._hash = None
        return True
