"""A real control plane on this machine: etcd, API server, controller manager, scheduler and kwok, set up by kwokctl."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from sim import addresses, kubectl, processes, stages
from sim.errors import SimulationError
from sim.machines import ClusterSpec
from sim.state import ClusterState, State
from tools import paths

NAMESPACE = "skyfleet"
WAIT = "120s"
PORTS = {
    "etcd": "etcdPort",
    "etcd-peer": "etcdPeerPort",
    "kube-apiserver": "kubeApiserverPort",
    "kube-controller-manager": "kubeControllerManagerPort",
    "kube-scheduler": "kubeSchedulerPort",
    "kwok": "kwokControllerPort",
}
"""Our name of a port -> kwokctl's option."""
FAKE_NODES_ONLY = {
    "manage-all-nodes": "false",
    "manage-nodes-with-annotation-selector": "kwok.x-k8s.io/node=fake",
}
"""kwok's arguments: a real node beside the fake ones has a kubelet of its own."""
PROGRAMS = {"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"}


def part(cluster: str) -> str:
    return f"{cluster}/control-plane"


def is_healthy(state: State, cluster: ClusterState) -> bool:
    """Whether every program runs and the API server is ready."""
    programs = {process.program for process in processes.running(state, part(cluster.name))}
    return programs >= PROGRAMS and cluster.kubeconfig.exists() and kubectl.succeeds(cluster, "get", "--raw", "/readyz")


def create(state: State, cluster: ClusterState, spec: ClusterSpec, port: dict[str, int]) -> None:
    """Start the control plane and write its kubeconfig.

    Raises SimulationError with the end of kwokctl's output.
    """
    cluster.kwok_home.mkdir(parents=True, exist_ok=True)
    state.home.mkdir(parents=True, exist_ok=True)
    configuration = cluster.folder / "kwokctl.yaml"
    egress = cluster.folder / "egress.yaml"
    egress.write_text(yaml.safe_dump(_egress(egress_socket(state, cluster))))
    configuration.write_text(yaml.safe_dump_all([_configuration(port, egress, cluster.pki), *stages.documents()]))
    # No kubeconfig flag: kwokctl would name the context itself.
    command = [paths.binary("kwokctl"), "create", "cluster", "--name", cluster.name, "--kubeconfig", ""]
    command += ["--config", configuration, "--wait", WAIT]
    path = os.pathsep.join([str(paths.bin_dir()), os.environ["PATH"]])  # it looks for kubectl there
    environment = processes.environment(
        state, part(cluster.name), {"KWOK_WORKDIR": str(cluster.kwok_home), "PATH": path}
    )
    done = subprocess.run(command, env=environment, cwd=cluster.folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SimulationError(
            f"{cluster.name}: the control plane did not start; logs in {cluster.control_plane / 'logs'}\n"
            f"{(done.stdout + done.stderr)[-2000:]}"
        )
    _write_kubeconfig(cluster, spec, port["kube-apiserver"])


def merge_kubeconfigs(kubeconfigs: list[Path], into: Path) -> None:
    """One file with every context; the first is the current one."""
    files = [yaml.safe_load(path.read_text()) for path in kubeconfigs]
    merged: dict[str, Any] = {"apiVersion": "v1", "kind": "Config"}
    for key in ("clusters", "users", "contexts"):
        merged[key] = [entry for file in files for entry in file[key]]
    _write_private(into, merged | {"current-context": files[0]["current-context"] if files else ""})


def egress_socket(state: State, cluster: ClusterState) -> Path:
    """Where the API server asks for connections into the cluster, which has no network of its own."""
    return state.temporary / f"{hashlib.sha256(cluster.name.encode()).hexdigest()[:8]}.egress"


def _egress(socket: Path) -> dict[str, Any]:
    connection = {"proxyProtocol": "HTTPConnect", "transport": {"uds": {"udsName": str(socket)}}}
    return {
        "apiVersion": "apiserver.k8s.io/v1beta1",
        "kind": "EgressSelectorConfiguration",
        "egressSelections": [{"name": "cluster", "connection": connection}],
    }


def _configuration(port: dict[str, int], egress: Path, pki: Path) -> dict[str, Any]:
    binaries = {
        "etcdBinary": "etcd",
        "kubeApiserverBinary": "kube-apiserver",
        "kubeControllerManagerBinary": "kube-controller-manager",
        "kubeSchedulerBinary": "kube-scheduler",
        "kwokControllerBinary": "kwok",
        "kubectlBinary": "kubectl",
    }
    options: dict[str, Any] = {"runtime": "binary", "bindAddress": "127.0.0.1", "quietPull": True}
    options |= {option: str(paths.binary(name)) for option, name in binaries.items()}
    options |= {option: port[name] for name, option in PORTS.items()}
    options["kubeApiserverCertSANs"] = [addresses.SERVICE, addresses.HOST]
    hasty = {"name": "etcd", "extraArgs": [{"key": "unsafe-no-fsync", "value": "true"}]}  # its data is thrown away
    led = {"name": "kube-apiserver", "extraArgs": _arguments(_api_server(egress, pki))}
    fakes = {"name": "kwok-controller", "extraArgs": _arguments(FAKE_NODES_ONLY)}
    return {
        "apiVersion": "config.kwok.x-k8s.io/v1alpha1",
        "kind": "KwokctlConfiguration",
        "options": options,
        "componentsPatches": [hasty, led, fakes],
    }


def _api_server(egress: Path, pki: Path) -> dict[str, str]:
    """What it needs to reach nodes and to be reached by a real one."""
    return {
        "advertise-address": addresses.HOST,
        "egress-selector-config-file": str(egress),
        "kubelet-client-certificate": str(pki / "admin.crt"),
        "kubelet-client-key": str(pki / "admin.key"),
        "kubelet-preferred-address-types": "InternalIP",
    }


def _arguments(values: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in values.items()]


def _write_kubeconfig(cluster: ClusterState, spec: ClusterSpec, port: int) -> None:
    name = spec.context
    server = {"server": f"https://127.0.0.1:{port}", "certificate-authority-data": _encoded(cluster.pki / "ca.crt")}
    user = {
        "client-certificate-data": _encoded(cluster.pki / "admin.crt"),
        "client-key-data": _encoded(cluster.pki / "admin.key"),
    }
    context = {"cluster": name, "user": name, "namespace": NAMESPACE}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": server}],
        "users": [{"name": name, "user": user}],
        "contexts": [{"name": name, "context": context}],
        "current-context": name,
    }
    _write_private(cluster.kubeconfig, document)


def _write_private(path: Path, document: dict[str, Any]) -> None:
    path.touch(mode=0o600)
    path.write_text(yaml.safe_dump(document, sort_keys=False))


def _encoded(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()
