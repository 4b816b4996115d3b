"""The simulated H200 cluster with its real node, the shipped policy on the real API server, and what an engineer types."""

from __future__ import annotations

import copy
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from demo import stage as demo_stage
from sim import kubectl, nodes, ports, simulation, skypilot
from sim.fleet import cluster_specs
from sim.node import plan
from sim.progress import Progress
from sim.state import ClusterState, State
from skyfleet.load import load
from skyfleet.model import Fleet
from tests.e2e.waiting import until
from tools import paths

CLUSTER = "nebius-eu-north1"
SEARCH = "engineer@acme.example"
RESEARCH = "ann@research.acme.example"
TASKS = paths.REPOSITORY / "tests/rehearsal/tasks"
SERVER = paths.REPOSITORY / "tests/rehearsal/server"
SYSTEM = "skyfleet-system"
COMMAND_SECONDS = 600
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

Pod = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """What a command came to."""

    status: int
    output: str
    seconds: float


@dataclass
class Stage:
    state: State
    fleet: Fleet
    shown: Progress
    report: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """What `make rehearse` prints at its end."""

    @property
    def cluster(self) -> ClusterState:
        return self.state.cluster(CLUSTER)

    @property
    def namespace(self) -> str:
        return self.fleet.organization.namespace

    def sky(self, user: str, *arguments: str, **environment: str) -> Said:
        """A command of an engineer's, from the folder of the rehearsal's tasks."""
        self.shown.step("rehearsal", f"sky {' '.join(arguments)}")
        began = time.monotonic()
        env = skypilot.client_env(self.state, user) | environment
        done = subprocess.run(
            ["sky", *arguments],
            env=env,
            cwd=TASKS,
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_SECONDS,
        )
        seconds = time.monotonic() - began
        return Said(done.returncode, _COLOURS.sub("", done.stdout + done.stderr), seconds)

    def kubectl(self, *arguments: str) -> str:
        return kubectl.run(self.cluster, "--namespace", self.namespace, *arguments)

    def objects(self, kind: str, *arguments: str) -> list[dict[str, Any]]:
        return kubectl.get(self.cluster, kind, "--namespace", self.namespace, *arguments)

    def pods_of(self, request: str) -> list[Pod]:
        """Of a SkyPilot cluster as its user calls it; the head first."""
        of_request = [pod for pod in self.objects("pods") if _name_of(pod).startswith(f"{request}-")]
        return sorted(of_request, key=_name_of)

    def workloads_of(self, request: str) -> list[dict[str, Any]]:
        return [one for one in self.objects("workloads") if _name_of(one).startswith(f"{request}-")]

    def wait_for_end_of(self, request: str) -> None:
        """Until no pod and no Workload is left; a finalizer that nobody lifts would keep them for ever."""
        left = until(
            lambda: [_name_of(one) for one in [*self.pods_of(request), *self.workloads_of(request)]],
            lambda names: not names,
        )
        assert left == []

    def inside(self, request: str, script: str) -> str:
        """Standard output of a shell in the task's container."""
        name = self.pods_of(request)[0]["metadata"]["name"]
        return self.kubectl("exec", name, "--container", "ray-node", "--", "bash", "-c", script)

    def run_on_real_node(self, job: dict[str, Any], name: str) -> str:
        """A Job of the cluster's own as it would run on a CPU node; what it said."""
        self.shown.step("rehearsal", f"{name} on the real node")
        spec = copy.deepcopy(job["spec"])
        for generated in ("selector", "suspend", "manualSelector"):
            spec.pop(generated, None)
        spec["template"].pop("metadata", None)
        spec["template"]["spec"] |= {"nodeSelector": {plan.REAL: "true"}, "tolerations": [{"operator": "Exists"}]}
        made = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": SYSTEM}, "spec": spec}
        kubectl.run(self.cluster, "delete", "job", name, "--namespace", SYSTEM, "--ignore-not-found")
        kubectl.create(self.cluster, [made])
        until(lambda: self._ended(name), bool)
        said = kubectl.run(self.cluster, "logs", "--namespace", SYSTEM, f"job/{name}")
        assert self._ended(name) == "Complete", said
        return said

    def _ended(self, job: str) -> str:
        (found,) = kubectl.get(self.cluster, "jobs", "--namespace", SYSTEM, f"--field-selector=metadata.name={job}")
        ended = [
            one["type"]
            for one in found.get("status", {}).get("conditions", [])
            if one["type"] in {"Complete", "Failed"}
        ]
        return ended[0] if ended else ""

    def note(self, what: str, figure: str) -> None:
        self.report.append((what, figure))


def _name_of(made: dict[str, Any]) -> str:
    return made["metadata"]["name"]


def set_up(state: State, shown: Progress) -> Stage:
    """Everything that must be there before an engineer types `sky launch`; what is there already is left alone."""
    began = time.monotonic()
    fleet = load(Path(paths.REPOSITORY / "fleet")).fleet
    assert fleet is not None
    specs = [spec for spec in cluster_specs(fleet) if spec.name == CLUSTER]
    simulation.up(specs, state, shown, real_node=True)
    demo_stage.pulumi_up(state, shown, CLUSTER)
    simulation.up(specs, state, shown, real_node=True)  # waits for the node
    simulation.write_kubeconfig(state)
    stage = Stage(state, fleet, shown)
    (pool,) = (pool for spec in specs for pool in spec.nodes if pool.accelerator_resource)
    for index in range(pool.count):  # what has accelerators is to run where something runs
        kubectl.run(stage.cluster, "cordon", nodes.name(pool, index))
    for job in kubectl.get(stage.cluster, "jobs", "--namespace", SYSTEM):
        name = job["metadata"]["name"]
        if name.startswith("prepare-"):
            stage.run_on_real_node(job, f"real-{name}")
    _start_server(stage)
    stage.note("set-up: control plane, pulumi up, real node, API server", f"{time.monotonic() - began:.0f} s")
    return stage


def _start_server(stage: Stage) -> None:
    """With the shipped configuration and the policy's wheel; its managed jobs run in the server itself."""
    policy = demo_stage.install_policy(stage.state)
    config = yaml.safe_load(demo_stage.SERVER_CONFIG.read_text(encoding="utf-8"))
    config["jobs"] = {"controller": {"consolidation_mode": True}}
    file = stage.state.root / "rehearsal-config.yaml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    answers = f"http://127.0.0.1:{ports.load(stage.cluster.ports)['kueue-health']}/healthz"
    extra = {"PYTHONPATH": f"{policy.folder}:{SERVER}", "SKYFLEET_NETWORK_CHECK": answers}
    skypilot.start(stage.state, file, stage.shown, extra=extra)
