"""Kubeconfigs as the stacks put them out, for those who work on the clusters."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
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


def fetch(state: State, stacks: Sequence[str]) -> None:
    """Keep what the stacks put out.

    Raises SimulationError with Pulumi's words.
    """
    made = [name for name in stacks if control_planes.is_made(state.cluster(name))]
    with ThreadPoolExecutor(max(len(made), 1)) as pool:
        for name, document in zip(made, pool.map(lambda name: _output(state, name), made), strict=True):
            path = of_stack(state.cluster(name))
            path.touch(mode=0o600)
            path.write_text(yaml.safe_dump(_absolute(state, document), sort_keys=False))


def _output(state: State, stack: str) -> dict[str, Any]:
    command = ["pulumi", "--cwd", str(state.project), "stack", "output", "kubeconfig", "--stack", stack]
    done = subprocess.run(
        command, env=environment.pulumi_env(state), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode != 0:
        raise SimulationError(f"{stack}: pulumi stack output kubeconfig failed:\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def _absolute(state: State, document: dict[str, Any]) -> dict[str, Any]:
    """The credential plugins by their place, so that a program finds them without our PATH."""
    for entry in document["users"]:
        plugin = entry["user"]["exec"]
        plugin["command"] = str(state.bin / plugin["command"])
    return document
