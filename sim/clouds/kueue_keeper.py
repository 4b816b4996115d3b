"""`python -m sim.clouds.kueue_keeper FOLDER CLUSTER`: what a node would do for Kueue's Deployment.

Pods on simulated nodes run nothing. So the manager runs here, with the configuration that the chart installed, as the chart's
ServiceAccount; what differs is what a process beside a cluster must have otherwise: ports, one instance, no visibility API. It makes its
certificate and registers it itself, as there, and the API server reaches its Service through us (egress.py). Pods of the Deployment become
ready when the manager is; so whoever waits for the Deployment, as Helm does, finds what it would find on real nodes.
"""

from __future__ import annotations

import base64
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import yaml

from sim import addresses, control_plane, egress, kueue, kueue_config, ports, processes
from sim.clouds import device_plugins
from sim.clouds.api import Api, ApiError
from sim.node import plan
from sim.state import ClusterState, State

NAMESPACE = "kueue-system"
CONFIGMAP = f"/api/v1/namespaces/{NAMESPACE}/configmaps/kueue-manager-config"
CONFIG_KEY = "controller_manager_config.yaml"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
SECRET = f"/api/v1/namespaces/{NAMESPACE}/secrets/kueue-webhook-server-cert"
TYPES = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices"
IDENTITY = f"system:serviceaccount:{NAMESPACE}:kueue-controller-manager"
GROUPS = ["system:serviceaccounts", f"system:serviceaccounts:{NAMESPACE}", "system:authenticated"]
RUNNING = "skyfleet.dev/process"
"""Annotation of a pod whose program runs; see the stage `pod-ready-kueue`."""
SECONDS = 0.5


class Keeper:
    def __init__(self, state: State, cluster: ClusterState, api: Api) -> None:
        self._state = state
        self._cluster = cluster
        self._port = ports.load(cluster.ports)
        self._api = api
        self._manager: subprocess.Popen[bytes] | None = None
        self._configuration = ""

    def look(self) -> None:
        """Bring the world a step towards the chart: start the manager, lead the API server to it, then let its pods be ready.

        Raises ApiError.
        """
        configmap = self._api.get(CONFIGMAP)
        if configmap is None:
            self._end_manager()
            return
        self._withdraw_visibility()
        if self._manager is None and not self._has_types():  # it would exit
            return
        self._keep_manager(configmap["data"][CONFIG_KEY])
        self._mount_certificate()
        if kueue.is_ready(self._port):
            self._release_pods()

    def _has_types(self) -> bool:
        types = [one for one in self._api.items(TYPES) if one["spec"]["group"] == "kueue.x-k8s.io"]
        return bool(types) and all(map(_is_established, types))

    def _keep_manager(self, configuration: str) -> None:
        if configuration != self._configuration:
            self._end_manager()
        if self._manager is None or self._manager.poll() is not None:
            self._configuration = configuration
            _say("starting the manager")
            self._manager = kueue.start(
                self._state,
                self._cluster,
                lambda _: _beside(yaml.safe_load(configuration), self._port, _certificates(self._cluster)),
                self._kubeconfig(),
            )

    def _end_manager(self) -> None:
        if self._manager is not None:
            processes.stop(self._state, kueue.part(self._cluster.name))
            self._manager = None

    def _kubeconfig(self) -> Path:
        """The administrator's, acting as the chart's ServiceAccount: what its roles do not allow fails here as there."""
        document = yaml.safe_load(self._cluster.kubeconfig.read_text())
        document["users"][0]["user"] |= {"as": IDENTITY, "as-groups": GROUPS}
        path = self._cluster.kueue / "kubeconfig"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(yaml.safe_dump(document, sort_keys=False))
        return path

    def _mount_certificate(self) -> None:
        """What a kubelet does with the Secret that the manager itself fills."""
        data: dict[str, str] = (self._api.get(SECRET) or {}).get("data") or {}
        folder = _certificates(self._cluster)
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in data.items():
            place, certificate = folder / name, base64.b64decode(content)
            if not place.exists() or place.read_bytes() != certificate:
                place.touch(mode=0o600)
                place.write_bytes(certificate)

    def _withdraw_visibility(self) -> None:
        """Nothing serves it here, and an API that does not answer disturbs everybody's discovery."""
        for one in self._api.items(API_SERVICES):
            if one["spec"].get("service", {}).get("namespace") == NAMESPACE:
                self._api.delete(f"{API_SERVICES}/{one['metadata']['name']}")

    def _release_pods(self) -> None:
        for pod in self._api.items(f"{PODS}?labelSelector=control-plane%3Dcontroller-manager"):
            if RUNNING not in pod["metadata"].get("annotations", {}):
                self._api.patch(f"{PODS}/{pod['metadata']['name']}", {"metadata": {"annotations": {RUNNING: "true"}}})


def _beside(installed: dict[str, Any], port: dict[str, int], certificates: Path) -> dict[str, Any]:
    """The chart's configuration for a process beside the cluster."""
    own = kueue_config.beside(port["kueue-webhook"], port["kueue-health"], certificates)
    merged = {key: value | own.get(key, {}) if isinstance(value, dict) else value for key, value in installed.items()}
    return own | merged


def _certificates(cluster: ClusterState) -> Path:
    return cluster.kueue / "webhook-certificates"


def _is_established(kind: dict[str, Any]) -> bool:
    conditions = kind.get("status", {}).get("conditions") or []  # null in one that was just made
    return any(one["type"] == "Established" and one["status"] == "True" for one in conditions)


def _way_in(state: State, cluster: ClusterState) -> egress.Dial:
    """To the real node and its pods through its tunnel, and to Kueue's webhooks, which run beside the cluster.

    Theirs is the only Service that the API server calls: visibility is withdrawn.
    """
    webhooks = ports.load(cluster.ports)["kueue-webhook"]
    tunnel = plan.tunnel(state, cluster)

    def dial(host: str, port: int) -> socket.socket:
        return egress.through(tunnel, host, port) if addresses.is_inside(host) else egress.to_port(webhooks)

    return dial


def _say(text: str) -> None:
    print(text, flush=True)


def main(folder: str, name: str) -> None:
    state = State(Path(folder))
    cluster = state.cluster(name)
    egress.serve(control_plane.egress_socket(state, cluster), _way_in(state, cluster))
    api = Api(cluster)
    keeper = Keeper(state, cluster, api)
    while True:
        try:
            keeper.look()
            device_plugins.look(api)
        except (ApiError, OSError) as error:  # it starts, or somebody else was quicker: look again
            _say(str(error))
        time.sleep(SECONDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
