"""The real node as `skyfleet sim up` asks for it: chosen, built, planned, and waited for."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sim import control_plane, kubectl, nodes, processes
from sim.errors import MachineError, SimulationError
from sim.machines import ClusterSpec
from sim.node import build, cgroups, keeper, needs, plan
from sim.node.plan import RealNode
from sim.progress import Progress
from sim.state import ClusterState, State
from tools import placed

READY_SECONDS = 180
PROVIDER = "nebius"
"""Whose shared file systems are folders of the node; Filestore would need an NFS server."""


def check() -> None:
    """Raise MachineError with everything that this machine lacks."""
    lacks = needs.lacks()
    missing = placed.missing("node")
    if missing:
        lacks.append(f"not built yet: {', '.join(missing)}; run `make node`")
    if lacks:
        raise MachineError("\n".join(lacks))


def choose(clusters: Sequence[ClusterSpec]) -> RealNode:
    """The first pool with accelerators of the first cluster that can have a real node.

    Raises SimulationError when there is none.
    """
    for cluster in clusters:
        if cluster.project is not None and cluster.project.cloud == PROVIDER:
            for pool in cluster.nodes:
                if pool.accelerator_resource:
                    return RealNode(cluster.name, pool)
    raise SimulationError(
        f"no {PROVIDER} cluster of the definition has a pool with accelerators; a real node joins such a one"
    )


def prepare(state: State, node: RealNode, shown: Progress) -> bool:
    """Build what is missing and plan the node: it boots with its cluster, or now if that is there; whether anything had to change.

    Raises SimulationError.
    """
    if build.missing():
        build.build(shown)
    changed = plan.load(state) != node
    if changed:
        remove(state)
        plan.save(state, node)
    cluster = state.cluster(node.cluster)
    if not control_plane.is_healthy(state, cluster):
        shown.done(build.PART, f"joins {node.cluster} as {node.name} when `pulumi up` has made that")
        return changed
    if not (_is_kept(state, node) and _is_ready(cluster)):
        _end(state, node)
        keeper.start(state, node)
        _wait(state, node, shown)
        changed = True
    shown.done(build.PART, f"{node.name} is ready in {node.cluster}")
    return changed


def _is_kept(state: State, node: RealNode) -> bool:
    """A node that died is Ready until the cluster misses it."""
    return bool(processes.running(state, plan.part(node.cluster, keeper.PROGRAM)))


def _is_ready(cluster: ClusterState) -> bool:
    return any(nodes.is_ready(one) for one in kubectl.get(cluster, "nodes", "-l", plan.REAL))


def _wait(state: State, node: RealNode, shown: Progress) -> None:
    """Until it is Ready.

    Raises SimulationError with the keeper's last words.
    """
    cluster = state.cluster(node.cluster)
    shown.step(build.PART, f"{node.name} boots and joins {node.cluster}")
    deadline = time.monotonic() + READY_SECONDS
    while not _is_ready(cluster):
        if not _is_kept(state, node) or time.monotonic() > deadline:
            log = plan.folder(cluster) / "keeper.log"
            words = "\n".join(log.read_text(errors="replace").splitlines()[-10:]) if log.exists() else "no log"
            raise SimulationError(f"{node.name} is not ready; the end of {log}:\n{words}")
        time.sleep(0.5)


def remove(state: State) -> bool:
    """End the node and what the machine has of it; whether there was one."""
    node = plan.load(state)
    if node is not None:
        _end(state, node)
    cgroups.remove(state)
    plan.forget(state)
    return node is not None


def _end(state: State, node: RealNode) -> None:
    """Its processes, what the machine has of them, and what the cluster knows of it: pods that it had are gone."""
    processes.stop(state, plan.part(node.cluster))
    cgroups.remove(state)
    cluster = state.cluster(node.cluster)
    if control_plane.is_healthy(state, cluster):
        kubectl.run(cluster, "delete", "node", node.name, "--ignore-not-found")
