"""Nebius, simulated. Names, ids and labels as in clouds.md 1.1 to 1.4."""

from __future__ import annotations

import re
import secrets
from typing import Any

from sim.clouds import control_planes
from sim.clouds.cloud import Cloud, Description
from sim.clouds.kinds import Inputs, Kind, Outputs
from sim.clouds.ledger import Record
from sim.machines import NodeSpec, Taint
from skyfleet.model import Machine, catalogue
from skyfleet.model.cloud import identities

EFFECTS: dict[str, Any] = {
    "NO_SCHEDULE": "NoSchedule",
    "PREFER_NO_SCHEDULE": "PreferNoSchedule",
    "NO_EXECUTE": "NoExecute",
}
"""Nebius' words -> Kubernetes'."""


class _Cluster:
    def create(self, cloud: Cloud, record: Record) -> Outputs:
        """A Nebius cluster's context is called as the cluster."""
        cluster = control_planes.start(cloud.state, record.name, record.name)
        server = f"https://{control_planes.server(cluster)}"
        endpoints = {"privateEndpoint": server}
        if "publicEndpoint" in record.inputs["controlPlane"].get("endpoints", {}):
            endpoints["publicEndpoint"] = server
        auth = {"clusterCaCertificate": control_planes.authority(cluster)}
        return {"status": {"state": "RUNNING", "controlPlane": {"endpoints": endpoints, "auth": auth}}}

    def update(self, cloud: Cloud, record: Record) -> Outputs:
        del cloud
        return record.outputs

    def delete(self, cloud: Cloud, record: Record) -> None:
        """Its node groups go with it."""
        control_planes.stop(cloud.state, record.name)
        with cloud.ledger.open() as records:
            for group in [one for one in records.values() if one.inputs.get("parentId") == record.id]:
                del records[group.id]


class _NodeGroup:
    def create(self, cloud: Cloud, record: Record) -> Outputs:
        return self.update(cloud, record)

    def update(self, cloud: Cloud, record: Record) -> Outputs:
        _bring_nodes(cloud, record)
        return {"status": {"state": "RUNNING", "readyNodeCount": _count(record.inputs)}}

    def delete(self, cloud: Cloud, record: Record) -> None:
        _bring_nodes(cloud, record, without=record.id)


def _bring_nodes(cloud: Cloud, record: Record, *, without: str = "") -> None:
    cluster = cloud.ledger.get(record.inputs["parentId"])
    if cluster is None:
        return

    def pools() -> list[NodeSpec]:
        groups = [
            one
            for one in cloud.ledger.records(":Mk8sV1NodeGroup")
            if one.inputs["parentId"] == record.inputs["parentId"]
        ]
        return [control_planes.emptied(_nodes(one)) if one.id == without else _nodes(one) for one in groups]

    control_planes.bring_nodes(cloud.state, cluster.name, pools)


def _nodes(record: Record) -> NodeSpec:
    template = record.inputs["template"]
    machine = _machine(record.inputs)
    accelerator = catalogue().accelerators.get(machine.accelerator or "")
    return NodeSpec(
        pool=record.name,
        count=_count(record.inputs),
        labels=_labels(record, machine) | template.get("metadata", {}).get("labels", {}),
        taints=tuple(Taint(one["key"], one["value"], EFFECTS[one["effect"]]) for one in template.get("taints", [])),
        capacity_cpu_millis=machine.cpu * 1000,
        capacity_memory_mib=machine.memory_gib * 1024,
        allocatable_cpu_millis=machine.allocatable_cpu_millis,
        allocatable_memory_mib=machine.allocatable_memory_mib,
        accelerator_resource=accelerator.resource if accelerator else None,
        accelerators=machine.accelerators,
        ephemeral_storage_gib=template["bootDisk"]["sizeGibibytes"],
    )


def _labels(record: Record, machine: Machine) -> dict[str, str]:
    """Those that Nebius sets by itself."""
    template = record.inputs["template"]
    labels = {
        "node.kubernetes.io/instance-type": template["resources"]["platform"],
        "nebius.com/resource-preset": template["resources"]["preset"],
        "nebius.com/node-group-id": record.id,
        "nebius.com/group-name": record.name,
    }
    if machine.accelerator:
        labels["nebius.com/gpu-name"] = machine.accelerator
    if "gpuSettings" in template:
        labels["nebius.com/driverful"] = "true"
    if "preemptible" in template:
        labels["nebius.com/preemptible"] = "true"
    if "gpuCluster" in template:
        labels["topology.nebius.com/gpu-cluster-id"] = template["gpuCluster"]["id"]
    return labels


def _machine(inputs: Inputs) -> Machine:
    asked = inputs["template"]["resources"]
    machine = catalogue().machine("nebius", f"{asked['platform']}/{asked['preset']}")
    if machine is None:
        raise LookupError("refused before")
    return machine


def _count(inputs: Inputs) -> int:
    """An autoscaled group has its largest number from the start: an autoscaler is not simulated."""
    return inputs["fixedNodeCount"] if "fixedNodeCount" in inputs else inputs["autoscaling"]["maxNodeCount"]


def _of_node_group(inputs: Inputs) -> dict[str, int]:
    """Reserved GPUs do not use up the quota."""
    machine, count = _machine(inputs), _count(inputs)
    used = {"compute.instance.count": count}
    if machine.accelerator and inputs["template"].get("reservationPolicy", {}).get("policy") != "STRICT":
        used[f"compute.instance.gpu.{machine.accelerator.lower()}"] = count * machine.accelerators
    return used


def _of_filesystem(inputs: Inputs) -> dict[str, int]:
    return {f"compute.filesystem.size.{inputs['type'].lower().replace('_', '-')}": inputs["sizeGibibytes"]}


def _of_gpu_cluster(_: Inputs) -> dict[str, int]:
    return {"compute.gpucluster.count": 1}


def _kind(pulumi_type: str, **more: Any) -> Kind:
    """Its id is made of a word for its type and a random number; within its parent no other has the same."""
    prefix = re.sub(r"V\d+", "", pulumi_type.rpartition(":")[2]).lower()
    return Kind(
        identify=lambda _project, _inputs: f"{prefix}-e00{secrets.token_hex(8)}",
        scope=("parentId", *identities()[pulumi_type].same),
        **more,
    )


MORE: dict[str, dict[str, Any]] = {
    "nebius:index/computeV1GpuCluster:ComputeV1GpuCluster": {"usage": _of_gpu_cluster},
    "nebius:index/computeV1Filesystem:ComputeV1Filesystem": {
        "usage": _of_filesystem,
        "protected_by": "forbidDeletion",
    },
    "nebius:index/mk8sV1Cluster:Mk8sV1Cluster": {"unknown": ("status",), "effect": _Cluster()},
    "nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup": {
        "unknown": ("status",),
        "usage": _of_node_group,
        "effect": _NodeGroup(),
    },
}
"""Of those that do more than exist."""

NEBIUS = Description(
    name="nebius",
    project_setting="parentId",
    checks_early=True,
    kinds={kind: _kind(kind, **MORE.get(kind, {})) for kind in identities() if kind.startswith("nebius:")},
)
