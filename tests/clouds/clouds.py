"""A simulation with clouds, and what an operator does with it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from sim import environment, kubectl, processes, simulation
from sim.clouds import programs
from sim.clouds.ledger import Ledger, Record
from sim.fleet import cluster_specs
from sim.progress import Progress
from sim.state import ClusterState, State
from skyfleet.load import load
from tools import paths

CLOUD_SECONDS = 60
"""How long a cloud may take to end what it has begun."""
QUIET = Progress(Console(quiet=True))


@dataclass(frozen=True)
class Operator:
    state: State

    def prepare(self) -> None:
        """The clouds of the shipped definition, with nothing in them."""
        fleet = load(Path(paths.REPOSITORY / "fleet")).fleet
        assert fleet is not None
        simulation.up(cluster_specs(fleet), self.state, QUIET)

    def pulumi(self, stack: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """`pulumi ARGUMENTS --stack STACK`; `more` is further environment."""
        env = environment.pulumi_env(self.state) | more
        return subprocess.run(self.command(stack, *arguments), env=env, capture_output=True, text=True, check=False)

    def command(self, stack: str, *arguments: str) -> list[str]:
        return ["pulumi", "--cwd", str(self.state.project), "--non-interactive", *arguments, "--stack", stack]

    def up(self, stack: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        self.pulumi(stack, "stack", "init")
        return self.pulumi(stack, "up", "--yes", "--skip-preview", *arguments)

    def recover(self, stack: str) -> subprocess.CompletedProcess[str]:
        """After a kill: wait for the cloud, lift the lock, adopt what was made and not written down, forget what was not made.

        A release of Helm's that is half installed cannot be adopted: its record goes, the next install takes its objects over.
        """
        processes.wait_until(lambda: not processes.running(self.state, programs.PART), None, CLOUD_SECONDS)
        self.pulumi(stack, "cancel", "--yes")
        exported = json.loads(self.pulumi(stack, "stack", "export").stdout)
        deployment = exported["deployment"]
        for operation in deployment.pop("pending_operations", None) or []:
            resource = operation["resource"]
            identifier = self._made(stack, resource) if operation["type"] == "creating" else None
            if identifier is not None:
                deployment["resources"].append(resource | {"id": identifier, "outputs": resource["inputs"]})
        state = self.state.root / f"{stack}.recovered.json"
        state.write_text(json.dumps(exported))
        self.pulumi(stack, "stack", "import", "--file", str(state))
        return self.pulumi(stack, "refresh", "--yes", "--skip-preview")

    def _made(self, stack: str, resource: dict[str, Any]) -> str | None:
        """The id of what an interrupted operation has made, if it has."""
        kind, inputs = resource["type"], resource["inputs"]
        cluster = self.state.cluster(stack)
        if kind.startswith("kubernetes:helm"):
            record = ["--namespace", inputs["namespace"], "--selector", f"owner=helm,name={inputs['name']}"]
            kubectl.run(cluster, "delete", "secret", *record)
            return None
        if kind.startswith("kubernetes:"):
            return _object(cluster, inputs)
        same = [one for one in self.exists(kind.partition(":")[0]) if one.type == kind]
        return next((one.id for one in same if _is_alike(one.inputs, inputs)), None)

    def drift(self, stack: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "infra.drift", "--project", str(self.state.project), stack]
        env = environment.pulumi_env(self.state) | {"COLUMNS": "500"}
        return subprocess.run(command, env=env, cwd=paths.REPOSITORY, capture_output=True, text=True, check=False)

    def exists(self, cloud: str) -> list[Record]:
        """What is in a cloud."""
        return Ledger(self.state, cloud).records()


def _object(cluster: ClusterState, manifest: dict[str, Any]) -> str | None:
    metadata = manifest["metadata"]
    namespace = ["--namespace", metadata["namespace"]] if "namespace" in metadata else []
    group = manifest["apiVersion"].partition("/")
    kind = manifest["kind"].lower() if not group[1] else f"{manifest['kind'].lower()}.{group[2]}.{group[0]}"
    there = kubectl.succeeds(cluster, "get", kind, metadata["name"], *namespace)
    return "/".join([*namespace[1:], metadata["name"]]) if there else None


def _is_alike(made: dict[str, Any], asked: dict[str, Any]) -> bool:
    """By what says which one it is; secrets are not readable in the state."""
    keys = (
        "name",
        "parentId",
        "memberId",
        "resourceId",
        "role",
        "accountId",
        "location",
        "cluster",
        "managedZone",
        "type",
    )
    return all(made.get(key) == asked.get(key) for key in keys)


def said(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout + done.stderr
