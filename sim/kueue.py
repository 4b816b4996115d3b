"""A real Kueue manager beside a simulated control plane, as a process of this machine."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from sim import health, kubectl, kueue_config, processes, webhooks
from sim.errors import SimulationError
from sim.state import ClusterState, State
from tools import paths, prerequisites

READY_SECONDS = 120
PORTS = ("kueue-webhook", "kueue-health")
NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kueue-system"}}


def part(cluster: str) -> str:
    return f"{cluster}/kueue"


def is_ready(port: dict[str, int]) -> bool:
    """Whether the manager on this health port has its certificates and serves webhooks."""
    return health.answers(f"http://127.0.0.1:{port['kueue-health']}/readyz")


def create(state: State, cluster: ClusterState, port: dict[str, int]) -> None:
    """Install Kueue's types, start its manager, wait for it and register its webhooks.

    Raises SimulationError when the manager does not become ready.
    """
    kubectl.run(cluster, "apply", "--server-side", "-f", str(paths.share("kueue-crds")))
    kubectl.run(cluster, "wait", "--for=condition=Established", "crd", "--all", "--timeout=120s")  # else it exits
    kubectl.apply(cluster, [NAMESPACE])
    manager = start(
        state,
        cluster,
        lambda certificates: kueue_config.configuration(
            webhook_port=port["kueue-webhook"], health_port=port["kueue-health"], certificates=certificates
        ),
        cluster.kubeconfig,
    )
    if not processes.wait_until(lambda: is_ready(port), manager, READY_SECONDS):
        raise SimulationError(f"{cluster.name}: Kueue is not ready; the end of {_log(cluster)}:\n{_end(_log(cluster))}")
    kubectl.apply(cluster, webhooks.registrations(port["kueue-webhook"], cluster.pki / "ca.crt"))


def start(
    state: State, cluster: ClusterState, configured: Callable[[Path], dict[str, Any]], kubeconfig: Path
) -> subprocess.Popen[bytes]:
    """Start the manager; `configured` makes its configuration from the folder of its certificates."""
    etc = _etc(cluster)
    configuration = cluster.kueue / "config.yaml"
    configuration.write_text(yaml.safe_dump(configured(etc / "kueue" / "metrics" / "certs")))
    # Kueue opens /etc/kueue/metrics/certs even with metrics off. It gets an /etc of its own; the machine's stays as it is.
    enter = [
        *prerequisites.private_mounts(),
        "sh",
        "-c",
        'mount --bind "$1" /etc && shift && exec "$@"',
        "sh",
        str(etc),
    ]
    manager = [
        paths.binary("kueue"),
        "--config",
        configuration,
        "--kubeconfig",
        kubeconfig,
        "--zap-log-level=2",
    ]
    return processes.start([*enter, *manager], state, part(cluster.name), log=_log(cluster), cwd=cluster.kueue)


def _etc(cluster: ClusterState) -> Path:
    """The manager's /etc: nothing but the certificate that it serves with."""
    etc = cluster.kueue / "etc"
    certificates = etc / "kueue" / "metrics" / "certs"
    certificates.mkdir(parents=True, exist_ok=True)
    for ending in ("crt", "key"):  # kwokctl makes it valid for 127.0.0.1
        shutil.copyfile(cluster.pki / f"admin.{ending}", certificates / f"tls.{ending}")
    return etc


def _log(cluster: ClusterState) -> Path:
    return cluster.kueue / "kueue.log"


def _end(log: Path) -> str:
    return "\n".join(log.read_text().splitlines()[-15:])
