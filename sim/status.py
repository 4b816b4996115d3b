"""How a simulation is."""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from sim import control_plane, kubectl, kueue, nodes, ports, processes
from sim.state import ClusterState, State


@dataclass(frozen=True)
class ClusterStatus:
    name: str
    context: str
    healthy: bool
    """Every program of the control plane runs and the API server is ready."""
    kueue_ready: bool
    nodes: int
    nodes_ready: int
    kubeconfig: str
    ports: dict[str, int]
    processes: dict[str, int]
    """Program -> process id."""


def of(state: State) -> list[ClusterStatus]:
    """Status of every cluster that has files or processes in the simulation."""
    return [_cluster(state, state.cluster(name)) for name in state.cluster_names()]


def _cluster(state: State, cluster: ClusterState) -> ClusterStatus:
    healthy = control_plane.is_healthy(state, cluster)
    found = kubectl.get(cluster, "nodes", "-l", nodes.SIMULATED) if healthy else []
    port = ports.load(cluster.ports)
    return ClusterStatus(
        name=cluster.name,
        context=yaml.safe_load(cluster.kubeconfig.read_text())["current-context"]
        if cluster.kubeconfig.exists()
        else "",
        healthy=healthy,
        kueue_ready=bool(port) and kueue.is_ready(port),
        nodes=len(found),
        nodes_ready=sum(nodes.is_ready(node) for node in found),
        kubeconfig=str(cluster.kubeconfig),
        ports=port,
        processes={process.program: process.pid for process in processes.running(state, f"{cluster.name}/")},
    )
