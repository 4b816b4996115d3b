"""Google Cloud, simulated. Ids, outputs and labels as in clouds.md 2.1 to 2.5."""

from __future__ import annotations

from typing import Any

from sim.clouds import control_planes
from sim.clouds.cloud import Cloud, Description
from sim.clouds.kinds import Inputs, Kind, Outputs
from sim.clouds.ledger import Record
from sim.machines import NodeSpec, Taint
from skyfleet.model import Machine, catalogue
from skyfleet.model.cloud import gke_facts, identities

EFFECTS: dict[str, Any] = {
    "NO_SCHEDULE": "NoSchedule",
    "PREFER_NO_SCHEDULE": "PreferNoSchedule",
    "NO_EXECUTE": "NoExecute",
}
"""Google's words -> Kubernetes'."""
GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
"""Google puts it on every node with GPUs."""


class _Cluster:
    def create(self, cloud: Cloud, record: Record) -> Outputs:
        """Its context is what `gcloud container clusters get-credentials` would write."""
        context = f"gke_{cloud.project.name}_{record.inputs['location']}_{record.name}"
        cluster = control_planes.start(cloud.state, record.name, context)
        authority = control_planes.encoded(control_planes.authority(cluster))
        return {
            "endpoint": control_planes.server(cluster),
            "masterAuth": record.inputs.get("masterAuth", {}) | {"clusterCaCertificate": authority},
            "masterVersion": f"{record.inputs.get('minMasterVersion', '1.34')}.1-gke.1",
        }

    def update(self, cloud: Cloud, record: Record) -> Outputs:
        del cloud
        return record.outputs

    def delete(self, cloud: Cloud, record: Record) -> None:
        """Its node pools go with it."""
        control_planes.stop(cloud.state, record.name)
        with cloud.ledger.open() as records:
            for pool in [one for one in records.values() if one.inputs.get("cluster") == record.id]:
                del records[pool.id]


class _NodePool:
    def create(self, cloud: Cloud, record: Record) -> Outputs:
        return self.update(cloud, record)

    def update(self, cloud: Cloud, record: Record) -> Outputs:
        _bring_nodes(cloud, record)
        return {"version": "1.34.1-gke.1", "nodeCount": _count(record.inputs)}

    def delete(self, cloud: Cloud, record: Record) -> None:
        _bring_nodes(cloud, record, without=record.id)


def _bring_nodes(cloud: Cloud, record: Record, *, without: str = "") -> None:
    cluster = cloud.ledger.get(record.inputs["cluster"])
    if cluster is None:
        return

    def pools() -> list[NodeSpec]:
        there = [one for one in cloud.ledger.records(":NodePool") if one.inputs["cluster"] == record.inputs["cluster"]]
        return [control_planes.emptied(_nodes(one)) if one.id == without else _nodes(one) for one in there]

    control_planes.bring_nodes(cloud.state, cluster.name, pools)


def _nodes(record: Record) -> NodeSpec:
    node = record.inputs["nodeConfig"]
    machine = _machine(record.inputs)
    accelerator = catalogue().accelerators.get(machine.accelerator or "")
    stated = [Taint(one["key"], one["value"], EFFECTS[one["effect"]]) for one in node.get("taints", [])]
    own = [GPU_TAINT] if machine.accelerator else []
    return NodeSpec(
        pool=record.name,
        count=_count(record.inputs),
        labels=_labels(record, machine) | node.get("labels", {}),
        taints=tuple(dict.fromkeys([*stated, *own])),
        capacity_cpu_millis=machine.cpu * 1000,
        capacity_memory_mib=machine.memory_gib * 1024,
        allocatable_cpu_millis=machine.allocatable_cpu_millis,
        allocatable_memory_mib=machine.allocatable_memory_mib,
        accelerator_resource=accelerator.resource if accelerator else None,
        accelerators=machine.accelerators,
        ephemeral_storage_gib=node["diskSizeGb"],
    )


def _labels(record: Record, machine: Machine) -> dict[str, str]:
    """Those that Google sets by itself."""
    node = record.inputs["nodeConfig"]
    labels = {
        "node.kubernetes.io/instance-type": node["machineType"],
        "cloud.google.com/gke-nodepool": record.name,
        "cloud.google.com/gke-boot-disk": node["diskType"],
        "topology.kubernetes.io/region": "-".join(record.inputs["location"].split("-")[:2]),
    }
    if machine.accelerator:
        labels["cloud.google.com/gke-accelerator"] = gke_facts().accelerator_types[machine.accelerator]
        labels["cloud.google.com/gke-accelerator-count"] = str(machine.accelerators)
    if node.get("spot"):
        labels["cloud.google.com/gke-spot"] = "true"
    return labels


def _machine(inputs: Inputs) -> Machine:
    machine = catalogue().machine("gke", inputs["nodeConfig"]["machineType"])
    if machine is None:
        raise LookupError("refused before")
    return machine


def _count(inputs: Inputs) -> int:
    """A pool has its largest number of nodes from the start: an autoscaler is not simulated."""
    return inputs["autoscaling"]["totalMaxNodeCount"]


def _of_node_pool(inputs: Inputs) -> dict[str, int]:
    machine, count = _machine(inputs), _count(inputs)
    used = {"CPUS": count * machine.cpu}
    if machine.accelerator:
        used[f"NVIDIA_{machine.accelerator}_GPUS"] = count * machine.accelerators
    return used


def _of_filestore(inputs: Inputs) -> dict[str, int]:
    return {"FILESTORE_CAPACITY_GIB": inputs["fileShares"]["capacityGb"]}


def _kind(pulumi_type: str, **more: Any) -> Kind:
    """Its id follows from the project and the inputs."""
    template = identities()[pulumi_type].id or ""
    return Kind(lambda project, inputs: template.format_map({"project": project} | dict(inputs)), **more)


def _account(record: Record) -> Outputs:
    email = f"{record.inputs['accountId']}@{record.project}.iam.gserviceaccount.com"
    return {"email": email, "member": f"serviceAccount:{email}"}


def _addresses(record: Record) -> Outputs:
    return {"networks": [one | {"ipAddresses": ["192.0.2.2"]} for one in record.inputs["networks"]]}


MORE: dict[str, dict[str, Any]] = {
    "gcp:serviceaccount/account:Account": {"computed": _account, "unknown": ("email", "member")},
    "gcp:filestore/instance:Instance": {
        "computed": _addresses,
        "unknown": ("networks",),
        "usage": _of_filestore,
        "protected_by": "deletionProtectionEnabled",
    },
    "gcp:container/cluster:Cluster": {
        "unknown": ("endpoint", "masterAuth", "masterVersion"),
        "protected_by": "deletionProtection",
        "effect": _Cluster(),
    },
    "gcp:container/nodePool:NodePool": {"unknown": ("version",), "usage": _of_node_pool, "effect": _NodePool()},
}
"""Of those that do more than exist."""

GCP = Description(
    name="gcp",
    project_setting="project",
    checks_early=False,
    kinds={kind: _kind(kind, **MORE.get(kind, {})) for kind in identities() if kind.startswith("gcp:")},
)
