"""What of this machine a real node might leave changed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sim.node import built

_SETTINGS = ("kernel", "net", "vm")
_CHANGES_BY_ITSELF = ("kernel/ns_last_pid", "kernel/random")
_SPACES = ("ipc", "mnt", "net", "pid", "uts")


@dataclass(frozen=True)
class Machine:
    interfaces: frozenset[str]
    chains: frozenset[str]
    """And rules, of both kinds of tables."""
    mounts: frozenset[str]
    settings: frozenset[str]
    """`net/ipv4/ip_forward=0`: everything below /proc/sys that a node's programs might write."""
    groups: frozenset[str]
    spaces: frozenset[str]
    """Namespaces in which a process lives."""

    def __str__(self) -> str:
        """How many of each."""
        return ", ".join(f"{len(values)} {name}" for name, values in vars(self).items())


def look() -> Machine:
    return Machine(
        interfaces=frozenset(path.name for path in Path("/sys/class/net").iterdir()),
        chains=frozenset(line for line in _chains() if not line.startswith("#")),
        mounts=frozenset(line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()),
        settings=frozenset(_settings()),
        groups=frozenset(str(path) for path in Path("/sys/fs/cgroup").rglob("*") if path.is_dir()),
        spaces=frozenset(_spaces()),
    )


def _chains() -> Iterator[str]:
    """As the node's own programs see them here: this machine need not have any."""
    for kind in ("nft", "legacy"):
        program = built.program(f"../sbin/xtables-{kind}-multi")
        done = subprocess.run([*program, "iptables-save"], capture_output=True, text=True, check=True)
        yield from done.stdout.splitlines()


def _settings() -> Iterator[str]:
    root = Path("/proc/sys")
    for path in (path for part in _SETTINGS for path in (root / part).rglob("*")):
        name = str(path.relative_to(root))
        if path.is_file() and path.stat().st_mode & 0o200 and not name.startswith(_CHANGES_BY_ITSELF):
            try:
                yield f"{name}={path.read_text().strip()}"
            except OSError:  # only to be written
                continue


def _spaces() -> Iterator[str]:
    for process in Path("/proc").glob("[0-9]*"):
        for space in _SPACES:
            try:
                yield str((process / "ns" / space).readlink())
            except OSError:  # it has ended
                continue
