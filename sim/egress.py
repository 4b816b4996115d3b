"""HTTP CONNECT on a Unix socket: how a simulated cluster's API server reaches what is in the cluster, which has no network of its own."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from collections.abc import Callable
from pathlib import Path

CHUNK_BYTES = 65536
SECONDS = 10

Dial = Callable[[str, int], socket.socket]
"""From the host and port that were asked for to a connection; an OSError says that there is none."""


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


def serve(path: Path, dial: Dial) -> None:
    """Answer in the background."""
    threading.Thread(target=listening(path, dial).serve_forever, daemon=True).start()


def listening(path: Path, dial: Dial) -> socketserver.BaseServer:
    """A server that is bound to the socket; the caller lets it serve."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            host, _, port = self.rfile.readline().split()[1].decode().rpartition(":")
            while self.rfile.readline().strip():  # the headers say nothing that we do not know
                pass
            try:
                there = dial(host.strip("[]"), int(port))
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
    return _Server(str(path), Handler)


def to_port(port: int) -> socket.socket:
    """A connection to this machine itself."""
    return socket.create_connection(("127.0.0.1", port), SECONDS)


def through(path: Path, host: str, port: int) -> socket.socket:
    """A connection that another server of this kind makes."""
    there = socket.socket(socket.AF_UNIX)
    there.settimeout(SECONDS)
    try:
        there.connect(str(path))
        there.sendall(f"CONNECT {host}:{port} HTTP/1.1\r\n\r\n".encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            more = there.recv(1)  # one by one: what follows is the connection's own
            if not more:
                raise ConnectionRefusedError(f"{path} ended the connection")
            answer += more
    except OSError:
        there.close()
        raise
    if b" 200 " not in answer:
        there.close()
        raise ConnectionRefusedError(f"{host}:{port} is not to be reached")
    return there


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):  # one side has gone
        while chunk := source.recv(CHUNK_BYTES):
            target.sendall(chunk)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
