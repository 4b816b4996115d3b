"""Kubeconfigs as the stacks put them out, for those who work on the clusters."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from sim import environment
from sim.clouds import control_planes
from sim.errors import SimulationError
from sim.state import ClusterState, State


def of_stack(cluster: ClusterState) -> Path:
    """Where a cluster's kubeconfig for its users is: what the stack put out, or of one that no cloud made, the administrator's."""
    return cluster.folder / "stack-kubeconfig" if control_planes.is_made(cluster) else cluster.kubeconfig


def fetch(state: State) -> None:
    """Keep what the stacks put out for the clusters that clouds have made since we last looked.

    Raises SimulationError with Pulumi's words.
    """
    made = [cluster for cluster in map(state.cluster, state.cluster_names()) if control_planes.is_made(cluster)]
    missing = [cluster for cluster in made if not of_stack(cluster).exists()]
    with ThreadPoolExecutor(max(len(missing), 1)) as pool:
        outputs = pool.map(partial(_outputs, state), [cluster.name for cluster in missing])
        for cluster, put_out in zip(missing, outputs, strict=True):
            if "kubeconfig" in put_out:  # else `pulumi up` has not ended yet
                _write(of_stack(cluster), _absolute(state, json.loads(put_out["kubeconfig"])))


def _outputs(state: State, stack: str) -> dict[str, Any]:
    command = ["pulumi", "--cwd", str(state.project), "stack", "output", "--json", "--stack", stack]
    env = environment.pulumi_env(state)
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise SimulationError(f"{stack}: pulumi stack output failed:\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def _absolute(state: State, document: dict[str, Any]) -> dict[str, Any]:
    """The credential plugins by their place, so that a program finds them without our PATH."""
    for entry in document["users"]:
        plugin = entry["user"]["exec"]
        plugin["command"] = str(state.bin / plugin["command"])
    return document


def _write(path: Path, document: dict[str, Any]) -> None:
    path.touch(mode=0o600)
    path.write_text(yaml.safe_dump(document, sort_keys=False))
