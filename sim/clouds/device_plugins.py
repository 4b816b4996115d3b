"""What a kubelet does when the RDMA shared device plugin runs on its node: the node offers its devices."""

from __future__ import annotations

import json
from typing import Any

from addons.infiniband import NAME, NAMESPACE
from sim.clouds.api import Api

PODS = f"/api/v1/namespaces/{NAMESPACE}/pods?labelSelector=app%3D{NAME}&fieldSelector=status.phase%3DRunning"
CONFIGMAP = f"/api/v1/namespaces/{NAMESPACE}/configmaps/{NAME}"
NODES = "/api/v1/nodes"


def look(api: Api) -> None:
    """Make nodes offer what the plugin's configuration says, where a pod of it runs.

    Raises ApiError.
    """
    running = {pod["spec"]["nodeName"] for pod in api.items(PODS)}
    configmap = api.get(CONFIGMAP) if running else None
    if configmap is None:
        return
    offered = _offered(configmap)
    for node in api.items(NODES):
        name, allocatable = node["metadata"]["name"], node["status"]["allocatable"]
        if name in running and not offered.items() <= allocatable.items():
            api.patch(f"{NODES}/{name}/status", {"status": {"capacity": offered, "allocatable": offered}})


def _offered(configmap: dict[str, Any]) -> dict[str, str]:
    devices = json.loads(configmap["data"]["config.json"])["configList"]
    return {f"{one['resourcePrefix']}/{one['resourceName']}": str(one["rdmaHcaMax"]) for one in devices}
