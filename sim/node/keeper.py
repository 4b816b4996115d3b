"""`python -m sim.node.keeper FOLDER CLUSTER`: the machine behind a real node. It boots when the cluster is there, and joins it.

It ends with whatever part of the node ends first, so that nobody waits for a node that is half dead; `sim up` starts it again.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from sim import addresses, control_plane, processes
from sim.clouds.api import Api, ApiError
from sim.errors import SimulationError
from sim.node import built, cgroups, plan, settings, space
from sim.node.plan import RealNode
from sim.node.space import Space
from sim.state import ClusterState, State

PROGRAM = "keeper"
SECONDS = 0.5
START_SECONDS = 60
READY = "/run/containerd/containerd.sock"


def keep(state: State, cluster: ClusterState, node: RealNode) -> None:
    """Boot the node and let it offer what it should, until a part of it ends.

    Raises SimulationError with what the part said.
    """
    while not control_plane.is_healthy(state, cluster):
        time.sleep(SECONDS)
    _say(f"{cluster.name} is there: booting {node.name}")
    settings.write(state, cluster, node)
    cgroups.make(state)
    running = _boot(space.enter(state, cluster, node), node)
    _say("every program runs")
    api = Api(cluster)
    while all(process.poll() is None for process in running.values()):
        try:
            offer(api, node)
        except (ApiError, OSError) as error:  # it is busy, or somebody else was quicker: look again
            _say(str(error))
        time.sleep(SECONDS)
    ended = next(name for name, process in running.items() if process.poll() is not None)
    raise SimulationError(f"{node.name}: {ended} has ended; see {plan.folder(cluster) / f'{ended}.log'}")


def offer(api: Api, node: RealNode) -> None:
    """What device plugins would have the kubelet say: resources without devices behind them.

    Raises ApiError.
    """
    path = f"/api/v1/nodes/{node.name}"
    there = api.get(path)
    if there is not None and not node.offered.items() <= there["status"].get("allocatable", {}).items():
        api.patch(f"{path}/status", {"status": {"capacity": node.offered, "allocatable": node.offered}})


def _boot(home: Space, node: RealNode) -> dict[str, subprocess.Popen[bytes]]:
    """Start the node's programs in the order in which they need each other."""
    python = [sys.executable, "-m"]
    layout = [built.images(), str(settings.REGISTRY_PORT)]
    running = {
        "registry": home.start(home.near(*python, "sim.node.registry", *layout), "registry"),
        "tunnel": home.start(home.near(*python, "sim.node.tunnel", plan.tunnel(home.state, home.cluster)), "tunnel"),
        "coredns": home.start(home.command("/opt/skyfleet/coredns", "-conf", "/etc/skyfleet/Corefile"), "coredns"),
        "containerd": home.start(home.command("containerd", "--config", "/etc/skyfleet/containerd.toml"), "containerd"),
    }
    socket = Path(f"/proc/{home.pid}/root{READY}")
    if not processes.wait_until(socket.exists, running["containerd"], START_SECONDS):
        raise SimulationError(f"containerd does not answer; see {plan.folder(home.cluster) / 'containerd.log'}")
    proxy = ["/opt/skyfleet/kube-proxy", "--config", "/etc/skyfleet/kube-proxy.yaml"]
    return running | {
        "kube-proxy": home.start(home.command(*proxy), "kube-proxy"),
        "kubelet": home.start(home.command(*_kubelet(node)), "kubelet"),
    }


def _kubelet(node: RealNode) -> list[str]:
    labels = ",".join(f"{key}={value}" for key, value in sorted(node.labels.items()))
    return [
        "/opt/skyfleet/kubelet",
        "--config=/etc/skyfleet/kubelet.yaml",
        "--kubeconfig=/etc/skyfleet/kubelet.kubeconfig",
        f"--hostname-override={node.name}",
        f"--node-ip={addresses.NODE}",
        f"--node-labels={labels}",
        "--v=2",
    ]


def start(state: State, node: RealNode) -> subprocess.Popen[bytes]:
    """Start it beside the simulation."""
    cluster = state.cluster(node.cluster)
    folder = plan.folder(cluster)
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "sim.node.keeper", str(state.root), cluster.name]
    return processes.start(command, state, plan.part(cluster.name, PROGRAM), log=folder / "keeper.log", cwd=folder)


def _say(text: str) -> None:
    print(text, flush=True)


def main(folder: str, name: str) -> None:
    state = State(Path(folder))
    node = plan.load(state)
    if node is None or node.cluster != name:
        return
    try:
        keep(state, state.cluster(name), node)
    except SimulationError as error:
        _say(f"error: {error}")
        processes.stop(state, plan.part(name))  # half a node is none
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
