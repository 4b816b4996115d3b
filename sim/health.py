"""Whether a server on this machine answers."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from http import HTTPStatus

SECONDS = 5
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Past the proxy that the user's environment may name: it cannot reach this machine's 127.0.0.1."""


def answers(url: str) -> bool:
    """Whether a GET of this http URL is answered with 200."""
    try:
        with _DIRECT.open(url, timeout=SECONDS) as answer:
            return answer.status == HTTPStatus.OK
    except (urllib.error.URLError, OSError, http.client.HTTPException):  # not there yet
        return False
