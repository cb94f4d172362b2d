from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import httpx


@dataclass(frozen=True)
class ParameterError:
    """Where a parameter is wrong, and why."""

    parameter: str
    error: str


@dataclass
class ApiError(Exception):
    """A call that the API has refused. Test ``code``: descriptions may change."""

    path: str
    #: The code of the API; 0 when something else than the API answered.
    code: int
    description: str
    #: The HTTP status.
    status: int
    #: The wrong parameters, for code 7.
    errors: list[ParameterError] = field(default_factory=list)
    #: Names the call in the logs of the installation.
    request_id: str = ""
    #: All members of the answer, such as ``entities`` of code 247.
    answer: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        details = ", ".join(f"{one.parameter} {one.error}" for one in self.errors)
        return f"{self.path}: {self.code} {self.description}" + (f" ({details})" if details else "")


def refusal_of(path: str, response: httpx.Response) -> ApiError:
    """Reads the refusal out of a response; code 0 for an answer that is none of the API."""
    try:
        answer = json.loads(response.content)
    except ValueError:
        answer = {}
    return to_api_error(path, answer if isinstance(answer, dict) else {}, response)


def to_api_error(path: str, answer: dict[str, Any], response: httpx.Response | None = None) -> ApiError:
    status = answer.get("status")
    reason = status if isinstance(status, dict) else {}
    http_status = response.status_code if response is not None else 0
    return ApiError(
        path=path,
        code=int(reason.get("code", 0)),
        description=str(reason.get("description", f"HTTP status {http_status}")),
        status=http_status,
        errors=[ParameterError(str(one["parameter"]), str(one["error"])) for one in answer.get("errors", [])],
        request_id=response.headers.get("X-Request-Id", "") if response is not None else "",
        answer=answer,
    )
