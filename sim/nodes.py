"""Node objects as the real ones have them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from typing import Any

from sim import kubectl
from sim.machines import ClusterSpec, NodeSpec
from sim.state import ClusterState

SIMULATED = "skyfleet.dev/simulated"
FINGERPRINT = "skyfleet.dev/fingerprint"
READY_TIMEOUT = "120s"


def bring_up(cluster: ClusterState, spec: ClusterSpec) -> bool:
    """Make the cluster's nodes what `spec` says, and wait for them; whether any had to change.

    A node whose description changed is made anew: capacity cannot be applied to one that exists.
    """
    wanted = {node["metadata"]["name"]: node for node in for_cluster(spec)}
    there = {node["metadata"]["name"]: _fingerprint_of(node) for node in kubectl.get(cluster, "nodes", "-l", SIMULATED)}
    stale = [name for name, fingerprint in there.items() if fingerprint != _fingerprint_of(wanted.get(name))]
    new = [node for name, node in wanted.items() if name not in there or name in stale]
    if stale:
        kubectl.run(cluster, "delete", "node", *stale)
    if new:
        kubectl.create(cluster, new)
    if wanted:
        kubectl.run(cluster, "wait", "--for=condition=Ready", "node", "-l", SIMULATED, f"--timeout={READY_TIMEOUT}")
    return bool(stale or new)


def for_cluster(cluster: ClusterSpec) -> list[dict[str, Any]]:
    """Manifests of every node of the cluster."""
    pools = enumerate(cluster.nodes)
    return [
        _node(name(pool, index), _address(number, index), pool) for number, pool in pools for index in range(pool.count)
    ]


def name(pool: NodeSpec, index: int) -> str:
    return f"{pool.pool}-{index}"


def _address(pool_number: int, index: int) -> str:
    """An address of its own for every node; nothing listens there."""
    return f"10.{128 + pool_number}.{index // 250}.{index % 250 + 1}"


def _node(node: str, address: str, pool: NodeSpec) -> dict[str, Any]:
    own = {
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": node,
        "kubernetes.io/os": "linux",
        SIMULATED: "true",
    }
    annotations = {"kwok.x-k8s.io/node": "fake", FINGERPRINT: _fingerprint(pool)}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": node, "labels": own | pool.labels, "annotations": annotations},
        "spec": {"taints": [vars(taint) for taint in pool.taints]},
        "status": {
            "addresses": [{"type": "InternalIP", "address": address}, {"type": "Hostname", "address": node}],
            "capacity": _resources(pool, pool.capacity_cpu_millis, pool.capacity_memory_mib),
            "allocatable": _resources(pool, pool.allocatable_cpu_millis, pool.allocatable_memory_mib),
        },
    }


def _resources(pool: NodeSpec, cpu_millis: int, memory_mib: int) -> dict[str, str]:
    resources = {
        "cpu": f"{cpu_millis}m",
        "memory": f"{memory_mib}Mi",
        "ephemeral-storage": f"{pool.ephemeral_storage_gib}Gi",
        "pods": str(pool.pods),
    }
    if pool.accelerator_resource:
        resources[pool.accelerator_resource] = str(pool.accelerators)
    return resources | {name: str(count) for name, count in pool.devices.items()}


def _fingerprint(pool: NodeSpec) -> str:
    description = json.dumps(asdict(replace(pool, count=1)), sort_keys=True)
    return hashlib.sha256(description.encode()).hexdigest()[:16]


def _fingerprint_of(node: dict[str, Any] | None) -> str | None:
    return node["metadata"]["annotations"].get(FINGERPRINT) if node else None


def is_ready(node: dict[str, Any]) -> bool:
    conditions = node.get("status", {}).get("conditions", [])
    return any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions)
