"""The simulated H200 cluster with its real node, the shipped policy on the real API server, and what an engineer types."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, field
from typing import Any

import yaml

from addons.objects import SYSTEM_NAMESPACE
from demo import stage as demo_stage
from demo.launching import sky
from infra import repository
from sim import kubectl, nodes, ports, simulation
from sim.fleet import cluster_specs
from sim.machines import ClusterSpec
from sim.node import joining, plan
from sim.progress import Progress
from sim.state import ClusterState, State
from skyfleet.model import Fleet
from tests.e2e.waiting import PATIENCE_SECONDS, until
from tools import paths

CLUSTER = "nebius-eu-north1"
SEARCH = "engineer@acme.example"
RESEARCH = "ann@research.acme.example"
HELLO = str(paths.REPOSITORY / "examples/hello-h200.yaml")
TASKS = paths.REPOSITORY / "tests/rehearsal/tasks"
SERVER = paths.REPOSITORY / "tests/rehearsal/server"
SERVER_MEMORY_GB = 8
COMMAND_SECONDS = 600


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

    @property
    def fake_nodes(self) -> list[str]:
        """Those of the real node's pool."""
        pool = joining.choose(_clusters(self.fleet)).pool
        return [nodes.name(pool, index) for index in range(pool.count)]

    def sky(self, user: str, *arguments: str) -> Said:
        """A command of an engineer's, from the folder of the rehearsal's tasks."""
        self.shown.step("rehearsal", f"sky {' '.join(arguments)}")
        began = time.monotonic()
        status, output = sky(self.state, user, *arguments, cwd=TASKS, timeout_seconds=COMMAND_SECONDS)
        return Said(status, output, time.monotonic() - began)

    def pods_of(self, request: str) -> list[dict[str, Any]]:
        """The pods of a SkyPilot cluster, which its user calls so."""
        return self._named("pods", request)

    def workloads_of(self, request: str) -> list[dict[str, Any]]:
        return self._named("workloads", request)

    def why_waiting(self, request: str) -> str:
        """Kueue's words on a request without quota; empty when there is none."""
        found = [
            condition["message"]
            for workload in self.workloads_of(request)
            for condition in workload.get("status", {}).get("conditions", [])
            if condition["type"] == "QuotaReserved" and condition["status"] == "False"
        ]
        return "; ".join(found)

    def events_of(self, request: str, reason: str) -> list[str]:
        """What Kueue says of this request's Workloads."""
        found = kubectl.get(
            self.cluster,
            "events",
            "--namespace",
            self.namespace,
            f"--field-selector=reason={reason},involvedObject.kind=Workload",
        )
        return [one["message"] for one in found if one["involvedObject"]["name"].startswith(f"{request}-")]

    def _named(self, kind: str, request: str) -> list[dict[str, Any]]:
        made = kubectl.get(self.cluster, kind, "--namespace", self.namespace)
        return [one for one in made if one["metadata"]["name"].startswith(f"{request}-")]

    def wait_for_end_of(self, request: str, patience_seconds: float = PATIENCE_SECONDS) -> None:
        """Until no pod and no Workload is left; a finalizer that nobody lifts would keep them for ever."""
        until(lambda: self.pods_of(request) + self.workloads_of(request), lambda left: not left, patience_seconds)

    def clean(self, filesystem: str) -> None:
        """The clean-up that the cluster does by the clock, now."""
        (found,) = kubectl.get(
            self.cluster,
            "cronjobs",
            "--namespace",
            SYSTEM_NAMESPACE,
            f"--field-selector=metadata.name=clean-{filesystem}",
        )
        self.run_on_real_node(found["spec"]["jobTemplate"], f"real-clean-{filesystem}")

    def run_on_real_node(self, job: dict[str, Any], name: str) -> None:
        """A Job of the cluster's own as it would run on a CPU node."""
        self.shown.step("rehearsal", f"{name} on the real node")
        spec = copy.deepcopy(job["spec"])
        for generated in ("selector", "suspend", "manualSelector"):
            spec.pop(generated, None)
        spec["template"].pop("metadata", None)
        spec["template"]["spec"] |= {"nodeSelector": {plan.REAL: "true"}, "tolerations": [{"operator": "Exists"}]}
        made = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": name, "namespace": SYSTEM_NAMESPACE},
            "spec": spec,
        }
        kubectl.run(self.cluster, "delete", "job", name, "--namespace", SYSTEM_NAMESPACE, "--ignore-not-found")
        kubectl.create(self.cluster, [made])
        until(lambda: self._ended(name), bool)
        said = kubectl.run(self.cluster, "logs", "--namespace", SYSTEM_NAMESPACE, f"job/{name}")
        assert self._ended(name) == "Complete", said

    def _ended(self, job: str) -> str:
        (found,) = kubectl.get(
            self.cluster, "jobs", "--namespace", SYSTEM_NAMESPACE, f"--field-selector=metadata.name={job}"
        )
        ended = [
            one["type"]
            for one in found.get("status", {}).get("conditions", [])
            if one["type"] in {"Complete", "Failed"}
        ]
        return ended[0] if ended else ""

    def note(self, what: str, figure: str) -> None:
        self.report.append((what, figure))


def set_up(state: State, shown: Progress) -> Stage:
    """Everything that must be there before an engineer types `sky launch`; can be repeated."""
    began = time.monotonic()
    stage = Stage(state, repository.fleet(), shown)
    clusters = _clusters(stage.fleet)
    simulation.up(clusters, state, shown, real_node=True)
    demo_stage.pulumi_up(state, shown, CLUSTER)
    simulation.up(clusters, state, shown, real_node=True)  # waits for the node
    # What has accelerators is to run where something runs.
    kubectl.run(stage.cluster, "cordon", *stage.fake_nodes)
    _prepare_volumes(stage)
    _start_server(stage)
    stage.note("set-up: control plane, pulumi up, real node, API server", f"{time.monotonic() - began:.0f} s")
    return stage


def _start_server(stage: Stage) -> None:
    """As shipped, but that managed jobs are kept by the server itself: their controller's pod would need a real CPU node.

    It starts as many controllers as its memory allows, all at once; a small machine has fewer.
    """
    config = yaml.safe_load(demo_stage.SERVER_CONFIG.read_text(encoding="utf-8"))
    config["jobs"] = {"controller": {"consolidation_mode": True}}
    file = stage.state.root / "rehearsal-config.yaml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    settings = {"SKYPILOT_POD_MEMORY_GB_LIMIT": str(SERVER_MEMORY_GB)}
    settings["SKYFLEET_NETWORK_CHECK"] = f"http://127.0.0.1:{ports.load(stage.cluster.ports)['kueue-health']}/healthz"
    demo_stage.start_server(stage.state, stage.shown, file, SERVER, **settings)


def _clusters(fleet: Fleet) -> list[ClusterSpec]:
    return [spec for spec in cluster_specs(fleet) if spec.name == CLUSTER]


def _prepare_volumes(stage: Stage) -> None:
    """By the cluster's own jobs: those that `pulumi up` made have run on a fake node."""
    for job in kubectl.get(stage.cluster, "jobs", "--namespace", SYSTEM_NAMESPACE):
        name = job["metadata"]["name"]
        if name.startswith("prepare-"):
            stage.run_on_real_node(job, f"real-{name}")
