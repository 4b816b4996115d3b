"""What a cloud's API refuses, by the inputs that Pulumi sends: limits of single fields, and fields that do not go together.

The simulated clouds refuse by it, and the tests hold the program's own graphs to it, since a recorded graph alone proves nothing about an API.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from skyfleet.model import Machine, catalogue
from skyfleet.model.cloud import Limit, gke_facts, limits, nebius_facts

Inputs = Mapping[str, Any]
FabricOf = Callable[[str], str | None]
"""From a GPU cluster's id to its fabric; None for one that is not known (yet)."""


def refusals(pulumi_type: str, inputs: Inputs, *, region: str = "", fabric_of: FabricOf = lambda _: None) -> list[str]:
    """Every reason to refuse a resource, as `path: sentence`. `region` is the project's on Nebius, where no resource states one."""
    found = [
        f"{path}: {said}"
        for path, limit in limits().get(pulumi_type, {}).items()
        for value in _values(inputs, path.split("."))
        for said in _beyond(limit, value)
    ]
    if pulumi_type.endswith(":Mk8sV1NodeGroup"):
        found += _node_group(inputs, fabric_of)
    elif pulumi_type.endswith(":ComputeV1GpuCluster"):
        found += _gpu_cluster(inputs, region)
    elif pulumi_type.endswith(":NodePool"):
        found += _node_pool(inputs)
    elif pulumi_type.endswith("filestore/instance:Instance"):
        found += _filestore(inputs)
    return found


def _values(value: Any, path: list[str]) -> Iterator[Any]:
    """What stands at a path, in every item of the lists on the way."""
    if isinstance(value, list) and path:
        for item in value:
            yield from _values(item, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _values(value[path[0]], path[1:])


def _beyond(limit: Limit, value: Any) -> Iterator[str]:
    if limit.items is not None and len(value) > limit.items:
        yield f"has {len(value)} items, at most {limit.items} are allowed"
    if limit.one_of is not None and value not in limit.one_of:
        yield f"is {value!r}, it must be one of {', '.join(str(one) for one in limit.one_of)}"
    if limit.minimum is not None and value < limit.minimum:
        yield f"is {value}, it must be at least {limit.minimum}"
    if limit.maximum is not None and value > limit.maximum:
        yield f"is {value}, it must be at most {limit.maximum}"
    if limit.pattern is not None and not re.fullmatch(limit.pattern, str(value)):
        yield f"is {value!r}, which does not have the form {limit.pattern}"


def _node_group(inputs: Inputs, fabric_of: FabricOf) -> Iterator[str]:
    if ("fixedNodeCount" in inputs) == ("autoscaling" in inputs):
        yield "fixedNodeCount: give it or autoscaling, and not both"
    template: Inputs = inputs.get("template", {})
    asked: Inputs = template.get("resources", {})
    name = f"{asked.get('platform')}/{asked.get('preset')}"
    machine = catalogue().machine("nebius", name)
    if machine is None:
        yield f"template.resources: there is no platform and preset {name}"
        return
    if "gpuSettings" in template and not machine.accelerators:
        yield f"template.gpuSettings: {name} has no GPU"
    if "preemptible" in template and template.get("reservationPolicy", {}).get("policy") == "STRICT":
        yield "template.reservationPolicy: preemptible machines are not taken from a reservation"
    if "gpuCluster" in template:
        yield from _in_gpu_cluster(name, machine, fabric_of(template["gpuCluster"]["id"]))


def _in_gpu_cluster(name: str, machine: Machine, fabric: str | None) -> Iterator[str]:
    facts = nebius_facts()
    if machine.accelerators < facts.accelerators_in_gpu_cluster:
        yield (
            f"template.gpuCluster: {name} cannot join a GPU cluster, which takes presets with "
            f"{facts.accelerators_in_gpu_cluster} GPUs"
        )
    fitting = {one for regions in facts.fabrics.get(machine.accelerator or "", {}).values() for one in regions}
    if fabric is not None and fabric not in fitting:
        yield f"template.gpuCluster: {machine.accelerator} is not on fabric {fabric}"


def _gpu_cluster(inputs: Inputs, region: str) -> Iterator[str]:
    fabric = inputs.get("infinibandFabric")
    there = sorted({one for regions in nebius_facts().fabrics.values() for one in regions.get(region, ())})
    if fabric not in there:
        yield f"infinibandFabric: {region} has no fabric {fabric}, only {', '.join(there) or 'none'}"


def _node_pool(inputs: Inputs) -> Iterator[str]:
    node: Inputs = inputs.get("nodeConfig", {})
    name = str(node.get("machineType"))
    machine = catalogue().machine("gke", name)
    if machine is None:
        yield f"nodeConfig.machineType: there is no machine type {name}"
        return
    yield from _guest_accelerators(node, name, machine)
    if node.get("reservationAffinity", {}).get("consumeReservationType") == "SPECIFIC_RESERVATION":
        if node.get("spot"):
            yield "nodeConfig.reservationAffinity: spot machines are not taken from a reservation"
        if not inputs.get("nodeLocations"):
            yield "nodeLocations: a reservation is in one zone, name it"
    scaling: Inputs = inputs.get("autoscaling", {})
    if {"minNodeCount", "maxNodeCount"} & scaling.keys() and {
        "totalMinNodeCount",
        "totalMaxNodeCount",
    } & scaling.keys():
        yield "autoscaling: limits for each zone and in total exclude each other"


def _guest_accelerators(node: Inputs, name: str, machine: Machine) -> Iterator[str]:
    offered = [(gke_facts().accelerator_types.get(machine.accelerator or ""), machine.accelerators)]
    asked = [(one.get("type"), one.get("count")) for one in node.get("guestAccelerators", [])]
    if asked != (offered if machine.accelerators else []):
        has = f"{offered[0][1]} {offered[0][0]}" if machine.accelerators else "no accelerator"
        yield f"nodeConfig.guestAccelerators: {name} has {has}"


def _filestore(inputs: Inputs) -> Iterator[str]:
    name = str(inputs.get("tier"))
    tier = gke_facts().filestore.get(name)
    if tier is None:
        yield f"tier: there is no tier {name}, only {', '.join(gke_facts().filestore)}"
        return
    size = inputs.get("fileShares", {}).get("capacityGb", 0)
    if not tier.minimum_gib <= size <= tier.maximum_gib:
        yield f"fileShares.capacityGb: is {size}, {name} takes {tier.minimum_gib} to {tier.maximum_gib}"
    location = str(inputs.get("location"))
    if tier.regional != (location.count("-") == 1):
        yield f"location: {name} needs a {'region' if tier.regional else 'zone'}, {location} is none"
    if name.startswith("BASIC") and inputs.get("protocol") == "NFS_V4_1":
        yield f"protocol: {name} knows NFS_V3 only"
