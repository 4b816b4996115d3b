"""Connections into a cluster go through a socket, byte by byte, and end when either side does."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import egress


class _Echo(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        while line := self.rfile.readline():
            self.wfile.write(line.upper())


@pytest.fixture
def echo() -> Iterator[int]:
    """Port of a server on this machine."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_a_connection_carries_bytes_both_ways_until_one_side_ends(tmp_path: Path, echo: int) -> None:
    """What follows the answer to CONNECT is all the far side's own."""
    path = tmp_path / "egress"
    egress.serve(path, lambda _, port: egress.to_port(port))

    with egress.through(path, "10.66.0.100", echo) as there:
        there.sendall(b"hello\n")
        assert there.recv(100) == b"HELLO\n"
        there.sendall(b"more\n")
        there.shutdown(socket.SHUT_WR)
        assert there.recv(100) == b"MORE\n"
        assert there.recv(100) == b""


def test_the_far_side_is_asked_for_by_host_and_port(tmp_path: Path, echo: int) -> None:
    """An IPv6 address is in brackets on the way, and without them on arrival."""
    asked: list[tuple[str, int]] = []

    def dial(host: str, port: int) -> socket.socket:
        asked.append((host, port))
        return egress.to_port(echo)

    egress.serve(tmp_path / "egress", dial)
    egress.through(tmp_path / "egress", "10.244.0.7", 8080).close()
    egress.through(tmp_path / "egress", "[fd00::7]", 53).close()

    assert asked == [("10.244.0.7", 8080), ("fd00::7", 53)]


def test_where_nobody_listens_the_connection_is_refused_by_name(tmp_path: Path) -> None:
    """As a program would have it without the socket between."""

    def dial(host: str, port: int) -> socket.socket:
        raise ConnectionRefusedError(f"{host}:{port}")

    egress.serve(tmp_path / "egress", dial)

    with pytest.raises(ConnectionRefusedError, match=r"10\.66\.0\.100:1 is not to be reached"):
        egress.through(tmp_path / "egress", "10.66.0.100", 1)


def test_a_socket_that_another_left_is_taken_over(tmp_path: Path, echo: int) -> None:
    """A simulation that was killed could not remove it."""
    path = tmp_path / "egress"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))

    egress.serve(path, lambda _, port: egress.to_port(port))

    egress.through(path, "10.66.0.100", echo).close()
