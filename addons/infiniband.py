"""InfiniBand: what the exposure that a pool has chosen needs in the cluster.

`shared-device-plugin` needs the RDMA shared device plugin on the pool's nodes. `device-plugin` needs nothing, since the node image's own GPU
plugin hands the devices on; `host-path` needs nothing either, the admission guard lets its path through.
"""

import json

from addons.images import image
from addons.objects import Manifest, manifest_object
from skyfleet.model import Cluster
from skyfleet.nodes import POOL_LABEL
from skyfleet.requests import RDMA_SHARED_DEVICE

NAME = "rdma-shared-device-plugin"
NAMESPACE = "kube-system"
"""Where alone all clouds admit what is critical to a node."""

PODS_A_NODE = 63
"""How many pods of a node may have the devices at once."""
_LOOK_SECONDS = 300
"""How often it looks whether devices came or went."""
_MELLANOX = "15b3"


def infiniband(cluster: Cluster) -> list[Manifest]:
    pools = [
        pool.name
        for pool in cluster.pools
        if pool.infiniband is not None and pool.infiniband.exposure == "shared-device-plugin"
    ]
    return [_configuration(), _daemon_set(pools)] if pools else []


def _configuration() -> Manifest:
    """All devices of a node as one resource: a pod that asks for one gets them all, without a privilege."""
    prefix, _, resource = RDMA_SHARED_DEVICE.partition("/")
    devices = {
        "resourcePrefix": prefix,
        "resourceName": resource,
        "rdmaHcaMax": PODS_A_NODE,
        "selectors": {"vendors": [_MELLANOX], "linkTypes": ["infiniband"]},
    }
    text = json.dumps({"periodicUpdateInterval": _LOOK_SECONDS, "configList": [devices]}, indent=2)
    return manifest_object("v1", "ConfigMap", NAME, namespace=NAMESPACE, data={"config.json": f"{text}\n"})


def _daemon_set(pools: list[str]) -> Manifest:
    """Nobody waits for it while the stack comes up: one GPU node that is not ready must not hold back a change of quota."""
    labels = {"app": NAME}
    pod = {
        "priorityClassName": "system-node-critical",
        "hostNetwork": True,
        "automountServiceAccountToken": False,
        "affinity": _nodes_of(pools),
        "tolerations": [{"operator": "Exists"}],
        "containers": [
            {
                "name": "plugin",
                "image": image("rdma_shared_device_plugin"),
                "securityContext": {"privileged": True},
                "resources": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}},
                "volumeMounts": [
                    {"name": "device-plugin", "mountPath": "/var/lib/kubelet/device-plugins"},
                    {"name": "plugins-registry", "mountPath": "/var/lib/kubelet/plugins_registry"},
                    {"name": "config", "mountPath": "/k8s-rdma-shared-dev-plugin"},
                    {"name": "devices", "mountPath": "/dev"},
                ],
            }
        ],
        "volumes": [
            {"name": "device-plugin", "hostPath": {"path": "/var/lib/kubelet/device-plugins"}},
            {"name": "plugins-registry", "hostPath": {"path": "/var/lib/kubelet/plugins_registry"}},
            {"name": "config", "configMap": {"name": NAME}},
            {"name": "devices", "hostPath": {"path": "/dev"}},
        ],
    }
    spec = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}}
    return manifest_object(
        "apps/v1", "DaemonSet", NAME, namespace=NAMESPACE, annotations={"pulumi.com/skipAwait": "true"}, spec=spec
    )


def _nodes_of(pools: list[str]) -> Manifest:
    expression = {"key": POOL_LABEL, "operator": "In", "values": pools}
    term = {"matchExpressions": [expression]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}
