"""The namespaces that the node lives in: its own mounts, network, processes, names. Nothing of them is the machine's."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from sim import addresses, processes
from sim.errors import SimulationError
from sim.node import built, plan
from sim.node.plan import RealNode
from sim.state import ClusterState, State
from tools import paths

FOLDERS = ("upper", "work", "merged", "containerd", "kubelet", "logs", "shared", "etc")
START_SECONDS = 20
NAMESPACES = ("mount", "net", "pid", "uts", "ipc")


@dataclass(frozen=True)
class Space:
    """`pid` is its process 1, as the machine numbers it: as long as that lives, so does everything in it."""

    state: State
    cluster: ClusterState
    pid: int

    def command(self, *words: str | Path) -> list[str]:
        """A command that runs in the node."""
        entered = [f"--{namespace}" for namespace in NAMESPACES]
        own = ["env", "HOME=/root", "TMPDIR=/tmp"]  # the simulation's folders are not there
        return ["nsenter", f"--target={self.pid}", *entered, "--root", "--wd=/", *own, *map(str, words)]

    def near(self, *words: str | Path) -> list[str]:
        """A command that shares the node's network and else is of this machine."""
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", *map(str, words)]

    def start(self, command: Sequence[str | Path], name: str) -> subprocess.Popen[bytes]:
        folder = plan.folder(self.cluster)
        part = plan.part(self.cluster.name, name)
        return processes.start(command, self.state, part, log=folder / f"{name}.log", cwd=folder)


def enter(state: State, cluster: ClusterState, node: RealNode) -> Space:
    """Make the namespaces, the file system and the way out.

    Raises SimulationError with what the part that failed said.
    """
    folder = plan.folder(cluster)
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    unshare = ["unshare", *(f"--{namespace}" for namespace in NAMESPACES), "--fork", "--kill-child"]
    script = folder / "enter.sh"
    script.write_text(resources.files("sim").joinpath("data/node/enter.sh").read_text(encoding="utf-8"))
    command = [*unshare, "sh", script, node.name, built.root(), folder, paths.bin_dir()]
    outer = processes.start(command, state, plan.part(cluster.name, "space"), log=folder / "space.log", cwd=folder)
    if not processes.wait_until(lambda: _first(outer.pid) is not None, outer, START_SECONDS):
        raise SimulationError(f"{node.name}: its namespaces cannot be made:\n{_end(folder / 'space.log')}")
    space = Space(state, cluster, _first(outer.pid) or 0)
    _connect(space)
    return space


def _first(outer: int) -> int | None:
    """Process 1 of the node, once it has moved into its file system and waits."""
    children = Path(f"/proc/{outer}/task/{outer}/children")
    try:
        pid = int(children.read_text().split()[0])
        waits = Path(f"/proc/{pid}/exe").readlink().name == "pause"
    except (OSError, IndexError):
        return None
    return pid if waits else None


def _connect(space: Space) -> None:
    """slirp4netns carries the node's connections as this machine's own: no interface, no rule, no setting of the machine changes."""
    command = [*built.program("slirp4netns"), "--configure", "--mtu=65520", f"--cidr={addresses.NETWORK}"]
    slirp = space.start([*command, str(space.pid), "tap0"], "slirp4netns")
    there = space.command("ip", "-4", "-o", "address", "show", "dev", "tap0")
    if not processes.wait_until(lambda: addresses.NODE in _output(there), slirp, START_SECONDS):
        log = plan.folder(space.cluster) / "slirp4netns.log"
        raise SimulationError(f"the node has no network:\n{_end(log)}")


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _end(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-15:])
