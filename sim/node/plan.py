"""Which real node a simulation has, and where it is to be found."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from sim.control_plane import egress_socket
from sim.machines import NodeSpec, Taint
from sim.state import ClusterState, State

GANG = 2
"""Nodes of its pool that it stands for, so that a gang of two whole nodes fits on the one machine."""
REAL = "skyfleet.dev/real-node"
"""Label of the node."""


@dataclass(frozen=True)
class RealNode:
    """A node that joins a cluster as one of a pool's."""

    cluster: str
    pool: NodeSpec

    @property
    def name(self) -> str:
        return f"{self.pool.pool}-real"

    @property
    def labels(self) -> dict[str, str]:
        return self.pool.labels | {REAL: "true"}

    @property
    def cpu_millis(self) -> int:
        return GANG * self.pool.capacity_cpu_millis

    @property
    def memory_mib(self) -> int:
        return GANG * self.pool.capacity_memory_mib

    @property
    def offered(self) -> dict[str, str]:
        """Resources that device plugins would offer: there are no devices behind them."""
        accelerators = (
            {self.pool.accelerator_resource: GANG * self.pool.accelerators} if self.pool.accelerator_resource else {}
        )
        return {name: str(count) for name, count in (accelerators | self.pool.devices).items()}


def save(state: State, node: RealNode) -> None:
    _file(state).parent.mkdir(parents=True, exist_ok=True)
    _file(state).write_text(json.dumps(asdict(node), indent=1))


def load(state: State) -> RealNode | None:
    """The node that was asked for, if one was."""
    if not _file(state).exists():
        return None
    read = json.loads(_file(state).read_text())
    pool = read["pool"]
    taints = tuple(Taint(**taint) for taint in pool["taints"])
    return RealNode(read["cluster"], NodeSpec(**(pool | {"taints": taints})))


def forget(state: State) -> None:
    _file(state).unlink(missing_ok=True)


def folder(cluster: ClusterState) -> Path:
    return cluster.folder / "node"


def shared(cluster: ClusterState, filesystem: str) -> Path:
    """The folder that stands for a shared file system."""
    return folder(cluster) / "shared" / filesystem


def cgroup(state: State) -> str:
    """Under which the kubelet puts its pods, in every hierarchy."""
    return f"/skyfleet-{state.id}"


def part(cluster: str, program: str = "") -> str:
    """Of the simulation: one of the node's programs, or all of them."""
    return f"{cluster}/node/{program}"


def tunnel(state: State, cluster: ClusterState) -> Path:
    """Socket at which connections into the node are to be had; paths of sockets are short."""
    return egress_socket(state, cluster).with_suffix(".node")


def _file(state: State) -> Path:
    return state.root / "real-node.json"
