"""A SIMULATION of a model hub: as much of its protocol as `hf_hub_download` speaks, and a count of what it sent."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL_BYTES = 64 * 2**20
COMMIT = "5ab1e5ab1e5ab1e5ab1e5ab1e5ab1e5ab1e5ab1e"


class Hub(ThreadingHTTPServer):
    """Listens on this machine alone; every file of every model has the same length and its own content."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.sent_bytes: Counter[str] = Counter()
        """By the name of the file."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._head(weights(self._name()))

    def do_GET(self) -> None:
        content = weights(self._name())
        self._head(content)
        self.wfile.write(content)
        if isinstance(self.server, Hub):
            self.server.sent_bytes[self._name()] += len(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base class calls it
        """Say nothing: the count is what is looked at."""

    def _name(self) -> str:
        return self.path.rpartition("/")[2]

    def _head(self, content: bytes) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()


@cache
def weights(name: str) -> bytes:
    """Content of a file."""
    block = hashlib.sha256(name.encode()).digest()
    return block * (MODEL_BYTES // len(block))


@contextmanager
def open_hub() -> Generator[Hub]:
    hub = Hub()
    threading.Thread(target=hub.serve_forever, daemon=True).start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
