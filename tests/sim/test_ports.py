"""Ports are free, distinct and remembered."""

import socket
from pathlib import Path

from sim import ports


def test_chosen_ports_are_distinct_and_not_taken() -> None:
    """No port twice, none of those said to be taken, none outside the range."""
    taken = set(range(ports.LOWEST, ports.HIGHEST - 50))

    chosen = ports.choose([str(number) for number in range(20)], taken)

    assert len(set(chosen.values())) == 20
    assert all(ports.HIGHEST - 50 <= port < ports.HIGHEST for port in chosen.values())


def test_a_port_in_use_is_not_chosen() -> None:
    """A port that somebody listens on, on one address only, is skipped."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        used = listener.getsockname()[1]

        assert not ports.is_free(used)


def test_ports_are_remembered(tmp_path: Path) -> None:
    """What is saved is loaded; without a file there are none."""
    path = tmp_path / "cluster" / "ports.json"

    assert ports.load(path) == {}
    ports.save(path, {"etcd": 20001})
    assert ports.load(path) == {"etcd": 20001}
