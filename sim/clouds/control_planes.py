"""Clusters of a simulated cloud: a real control plane each, with nodes as its pools have them."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace

from sim import control_plane, kueue, nodes, ports, processes
from sim.clouds import keeping
from sim.clouds.ledger import exclusively
from sim.machines import ClusterSpec, NodeSpec
from sim.node import keeper, plan
from sim.state import ClusterState, State

CREDENTIAL = "credential.json"


def start(state: State, name: str, context: str) -> ClusterState:
    """A control plane without nodes, what waits beside it for Kueue to be installed, and the real node if it is to have one.

    Raises SimulationError when it does not start.
    """
    cluster = state.cluster(name)
    stop(state, name)
    with exclusively(state.clouds / "ports.lock"):
        ports.save(cluster.ports, ports.choose([*control_plane.PORTS, *kueue.PORTS], _taken(state)))
    control_plane.create(state, cluster, ClusterSpec(name, context), ports.load(cluster.ports))
    _write_credential(cluster)
    keeping.start(state, cluster)
    node = plan.load(state)
    if node is not None and node.cluster == name:
        keeper.start(state, node)
    return cluster


def stop(state: State, name: str) -> None:
    processes.stop(state, f"{name}/")
    shutil.rmtree(state.cluster(name).folder, ignore_errors=True)


def is_made(cluster: ClusterState) -> bool:
    """Whether a cloud made it."""
    return (cluster.folder / CREDENTIAL).exists()


def server(cluster: ClusterState) -> str:
    """Host and port of the API server."""
    return f"127.0.0.1:{ports.load(cluster.ports)['kube-apiserver']}"


def authority(cluster: ClusterState) -> str:
    """PEM of who signed the API server's certificate."""
    return (cluster.pki / "ca.crt").read_text()


def bring_nodes(state: State, name: str, pools: Callable[[], Sequence[NodeSpec]]) -> None:
    """Make the cluster's nodes what its pools say now; they are read when it is our turn."""
    cluster = state.cluster(name)
    with exclusively(state.clouds / f"{name}.lock"):
        nodes.bring_up(cluster, ClusterSpec(name, "", tuple(pools())))


def emptied(pool: NodeSpec) -> NodeSpec:
    """What is left of a pool that goes: its place among the others, from which nodes have their addresses."""
    return replace(pool, count=0)


def _taken(state: State) -> set[int]:
    return {port for name in state.cluster_names() for port in ports.load(state.cluster(name).ports).values()}


def _write_credential(cluster: ClusterState) -> None:
    """What the clouds' credential plugins hand out for this cluster."""
    credential = {
        "server": f"https://{server(cluster)}",
        "clientCertificateData": (cluster.pki / "admin.crt").read_text(),
        "clientKeyData": (cluster.pki / "admin.key").read_text(),
    }
    path = cluster.folder / CREDENTIAL
    path.touch(mode=0o600)
    path.write_text(json.dumps(credential))


def encoded(certificate: str) -> str:
    return base64.b64encode(certificate.encode()).decode()
