"""Client of the fleet monitoring API: typed calls, lists page by page, reports, uploads, live states."""

from .api_error import ApiError, ParameterError
from .client import FleetClient
from .session import Credentials, Hash, Login
from .upload import Ticket
from .webhook import WebhookError, verify_webhook

__all__ = [
    "ApiError",
    "Credentials",
    "FleetClient",
    "Hash",
    "Login",
    "ParameterError",
    "Ticket",
    "WebhookError",
    "verify_webhook",
]
