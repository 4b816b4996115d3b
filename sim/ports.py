"""Free ports, and the file that remembers which part has which."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterable
from pathlib import Path

# Below the range from which Linux takes ports of outgoing connections, so that none is taken between choice and use.
LOWEST, HIGHEST = 20000, 32000


def choose(names: Iterable[str], taken: Iterable[int] = ()) -> dict[str, int]:
    """A free port on every address of this machine for each name.

    Raises OSError when there are not enough.
    """
    candidates = iter(random.sample(range(LOWEST, HIGHEST), HIGHEST - LOWEST))  # checkouts must not follow each other
    avoid = set(taken)
    return {name: _next_free(candidates, avoid) for name in names}


def save(path: Path, ports: dict[str, int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(ports, indent=2) + "\n")


def load(path: Path) -> dict[str, int]:
    """Empty when there is no such file."""
    return json.loads(path.read_text()) if path.exists() else {}


def _next_free(candidates: Iterable[int], avoid: set[int]) -> int:
    for port in candidates:
        if port not in avoid and is_free(port):
            return port
    raise OSError(f"no free port between {LOWEST} and {HIGHEST}")


def is_free(port: int) -> bool:
    """Whether nobody listens on it, on any address."""
    with socket.socket() as probe:
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
