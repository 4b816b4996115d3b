"""kubectl against one simulated cluster."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from typing import Any

from sim.errors import SimulationError
from sim.state import ClusterState
from tools import paths


def run(cluster: ClusterState, *arguments: str, stdin: str | None = None) -> str:
    """Standard output of kubectl.

    Raises SimulationError with kubectl's words.
    """
    done = _run(cluster, arguments, stdin)
    if done.returncode != 0:
        raise SimulationError(f"{cluster.name}: kubectl {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def succeeds(cluster: ClusterState, *arguments: str) -> bool:
    return _run(cluster, ("--request-timeout=5s", *arguments), None).returncode == 0


def apply(cluster: ClusterState, objects: Iterable[dict[str, Any]]) -> None:
    """Server-side apply; objects that exist already are brought to what is given."""
    run(cluster, "apply", "--server-side", "--force-conflicts", "-f", "-", stdin=_list(objects))


def create(cluster: ClusterState, objects: Iterable[dict[str, Any]]) -> None:
    """Create objects that do not exist, with their status where the kind takes it."""
    run(cluster, "create", "-f", "-", stdin=_list(objects))


def get(cluster: ClusterState, *arguments: str) -> list[dict[str, Any]]:
    """Items of `kubectl get ARGUMENTS`."""
    return json.loads(run(cluster, "get", *arguments, "-o", "json"))["items"]


def _list(objects: Iterable[dict[str, Any]]) -> str:
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)})


def _run(cluster: ClusterState, arguments: Iterable[str], stdin: str | None) -> subprocess.CompletedProcess[str]:
    cache = cluster.folder / "kubectl-cache"
    command = [paths.binary("kubectl"), "--kubeconfig", cluster.kubeconfig, "--cache-dir", cache, *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
