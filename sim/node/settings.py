"""Configuration of the node's programs, from the templates in sim/data/node."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import yaml

from sim import addresses, ports
from sim.node import plan, size
from sim.node.plan import RealNode
from sim.state import ClusterState, State

PAUSE_IMAGE = "registry.k8s.io/pause:3.10"
REGISTRY_PORT = 5000
SHARED = ("caches", "scratch")
"""File systems that would be mounted into the node from the cloud."""
FILES = {
    "containerd.toml": "containerd.toml",
    "kubelet.yaml": "kubelet.yaml",
    "kube-proxy.yaml": "kube-proxy.yaml",
    "bridge.conflist": "cni/bridge.conflist",
    "Corefile": "Corefile",
    "registry.toml": "registries/_default/hosts.toml",
}
"""Template -> place under the node's /etc/skyfleet."""


def write(state: State, cluster: ClusterState, node: RealNode) -> None:
    """Everything that the node's programs read."""
    etc = plan.folder(cluster) / "etc"
    for filesystem in SHARED:
        plan.shared(cluster, filesystem).mkdir(parents=True, exist_ok=True)
    values = {
        "cgroup": plan.cgroup(state),
        "name": node.name,
        "node_address": addresses.NODE,
        "outer_dns": addresses.DNS,
        "pause_image": PAUSE_IMAGE,
        "pod_cidr": addresses.PODS,
        "registry": f"http://127.0.0.1:{REGISTRY_PORT}",
        "taints": json.dumps([asdict(taint) for taint in node.pool.taints]),
    }
    for template, place in FILES.items():
        text = resources.files("sim").joinpath("data/node", template).read_text(encoding="utf-8")
        _write(etc / place, Template(text).substitute(values))
    _write(etc / "resolv.conf", f"nameserver {addresses.DNS}\n")
    size.write(plan.folder(cluster) / "machine", node)
    shutil.copyfile(cluster.pki / "ca.crt", etc / "ca.crt")
    _write_private(etc / "kubelet.kubeconfig", _kubeconfig(cluster, f"system:node:{node.name}", "system:nodes"))
    _write_private(etc / "kube-proxy.kubeconfig", _kubeconfig(cluster, "system:kube-proxy"))
    # CoreDNS has no role of its own from the start; this one may read what it reads.
    _write_private(etc / "coredns.kubeconfig", _kubeconfig(cluster, "system:kube-controller-manager"))


def _kubeconfig(cluster: ClusterState, user: str, *groups: str) -> dict[str, Any]:
    """The administrator's, acting as somebody with fewer rights: what a node may not do fails here as there."""
    document = yaml.safe_load(cluster.kubeconfig.read_text())
    port = ports.load(cluster.ports)["kube-apiserver"]
    document["clusters"][0]["cluster"]["server"] = f"https://{addresses.HOST}:{port}"
    document["users"][0]["user"] |= {"as": user, "as-groups": [*groups, "system:authenticated"]}
    return document


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _write_private(path: Path, document: dict[str, Any]) -> None:
    path.touch(mode=0o600)
    path.write_text(yaml.safe_dump(document, sort_keys=False))
