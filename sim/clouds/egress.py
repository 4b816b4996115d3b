"""The way from a simulated cluster's API server to Kueue's webhooks: their Service has an address, but there is no network behind it."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from pathlib import Path

CHUNK_BYTES = 65536
SECONDS = 10


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


def serve(path: Path, port: int) -> None:
    """Answer HTTP CONNECT on a socket by a connection to this port, whatever Service was meant; in the background.

    Kueue's webhook Service is the only one that the API server calls: visibility is withdrawn, nodes run nothing.
    """

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():  # the request and its headers say nothing that we do not know
                pass
            try:
                there = socket.create_connection(("127.0.0.1", port), SECONDS)
            except OSError:
                self.wfile.write(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")
                return
            there.settimeout(None)
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            with there:
                back = threading.Thread(target=_copy, args=(there, self.connection), daemon=True)
                back.start()
                _copy(self.connection, there)
                back.join()

    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    threading.Thread(target=_Server(str(path), Handler).serve_forever, daemon=True).start()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):  # one side has gone
        while chunk := source.recv(CHUNK_BYTES):
            target.sendall(chunk)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
