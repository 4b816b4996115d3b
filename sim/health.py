"""Whether a server on this machine answers."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from http import HTTPStatus

SECONDS = 5


def answers(url: str) -> bool:
    """Whether a GET of this http URL is answered with 200."""
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:  # noqa: S310 - we made the URL: http, 127.0.0.1
            return answer.status == HTTPStatus.OK
    except (urllib.error.URLError, OSError, http.client.HTTPException):  # not there yet
        return False
