"""`python -m sim.node.tunnel SOCKET`, in the node's network: connections into it for those outside."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from sim import egress


def dial(host: str, port: int) -> socket.socket:
    return socket.create_connection((host, port), egress.SECONDS)


if __name__ == "__main__":
    egress.listening(Path(sys.argv[1]), dial).serve_forever()
