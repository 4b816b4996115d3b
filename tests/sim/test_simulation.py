"""Real control planes with a real Kueue come up, stay as they are, and go without a trace."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sim import kubectl, processes, simulation, status
from sim.machines import ClusterSpec
from sim.progress import Progress
from sim.state import State
from tests.sim import gangs
from tests.sim.clusters import GPU_POOL, cluster

pytestmark = pytest.mark.e2e

CLUSTERS = (cluster("north"), cluster("south"))
UP = """
import sys
from pathlib import Path
from sim import simulation
from sim.progress import Progress
from sim.state import State
from tests.sim.clusters import cluster
with Progress() as shown:
    simulation.up([cluster("north")], State(Path(sys.argv[1])), shown)
"""


def up(state: State, *clusters: ClusterSpec) -> bool:
    with Progress() as shown:
        return simulation.up(clusters, state, shown)


def down(state: State) -> bool:
    with Progress() as shown:
        return simulation.down(state, shown)


def pids(state: State) -> dict[str, dict[str, int]]:
    return {cluster.name: cluster.processes for cluster in status.of(state)}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    state = State(tmp_path_factory.mktemp("simulation") / "sim")
    up(state, *CLUSTERS)
    yield state
    down(state)


@pytest.fixture
def running_again(running: State) -> Iterator[State]:
    """For a test that changes the simulation: it is put back afterwards."""
    yield running
    up(running, *CLUSTERS)


def test_every_part_of_every_cluster_is_up(running: State) -> None:
    """Control plane, Kueue and all nodes, under the definition's names."""
    found = [
        (one.name, one.context, one.healthy, one.kueue_ready, one.nodes, one.nodes_ready) for one in status.of(running)
    ]

    assert found == [
        ("north", "context-of-north", True, True, 2, 2),
        ("south", "context-of-south", True, True, 2, 2),
    ]


def test_no_two_clusters_share_a_port(running: State) -> None:
    """Each part of each cluster listens on a port of its own."""
    used = [port for one in status.of(running) for port in one.ports.values()]

    assert len(used) == len(set(used)) == 16


def test_nothing_listens_to_other_machines(running: State) -> None:
    """Everything listens on 127.0.0.1, so that a laptop in a cafe serves nobody."""
    used = {port for one in status.of(running) for port in one.ports.values()}
    listening = [
        line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"
    ]
    listening += [
        line.split()[1] for line in Path("/proc/net/tcp6").read_text().splitlines()[1:] if line.split()[3] == "0A"
    ]
    ours = {address for address, _, port in (entry.partition(":") for entry in listening) if int(port, 16) in used}

    assert ours == {"0100007F"}


def test_the_merged_kubeconfig_has_every_context(running: State) -> None:
    """SkyPilot reads all clusters from one file; each context's namespace is the tenants'."""
    asked = ["config", "get-contexts", "--no-headers", "--kubeconfig", str(running.kubeconfig)]
    rows = kubectl.run(running.cluster("north"), *asked).replace("*", " ").splitlines()

    assert [row.split() for row in rows] == [
        ["context-of-north", "context-of-north", "context-of-north", "skyfleet"],
        ["context-of-south", "context-of-south", "context-of-south", "skyfleet"],
    ]


def test_up_again_changes_nothing(running: State) -> None:
    """The same processes serve the same clusters."""
    before = pids(running)

    assert not up(running, *CLUSTERS)
    assert pids(running) == before


def test_the_machines_etc_is_as_it_was(running: State) -> None:
    """Kueue found its certificate in an /etc that only it sees."""
    kueue = pids(running)["north"]["kueue"]

    assert Path(f"/proc/{kueue}/root/etc/kueue/metrics/certs/tls.crt").exists()
    assert not Path("/etc/kueue").exists()


def test_a_changed_pool_replaces_its_nodes_and_nothing_else(running_again: State) -> None:
    """A node more, and half of the accelerators on each; the control plane goes on."""
    before = pids(running_again)
    changed = replace(CLUSTERS[0], nodes=(replace(GPU_POOL, count=3, accelerators=4),))

    assert up(running_again, changed, CLUSTERS[1])

    nodes = kubectl.get(running_again.cluster("north"), "nodes")
    assert [node["status"]["allocatable"]["nvidia.com/gpu"] for node in nodes] == ["4", "4", "4"]
    assert pids(running_again) == before


def test_a_part_that_died_is_started_again(running_again: State) -> None:
    """Kueue is gone: `status` says so, and `up` starts it and only it."""
    before = pids(running_again)
    os.kill(before["north"]["kueue"], signal.SIGKILL)
    processes.wait_until(lambda: "kueue" not in pids(running_again)["north"], None, 5)

    assert [one.kueue_ready for one in status.of(running_again)] == [False, True]
    assert up(running_again, *CLUSTERS)
    assert [one.kueue_ready for one in status.of(running_again)] == [True, True]
    assert pids(running_again)["north"] | {"kueue": 0} == before["north"] | {"kueue": 0}


def test_a_cluster_that_left_the_definition_goes(running_again: State) -> None:
    """Its processes end and its folder is removed; the other one stays as it is."""
    before = pids(running_again)

    assert up(running_again, CLUSTERS[0])
    assert pids(running_again) == {"north": before["north"]}


def test_a_deleted_gang_ends(running: State) -> None:
    """Pods of an admitted gang that are deleted go, as on real nodes, and free their quota."""
    north = running.cluster("north")
    gangs.open_queue(north, accelerators=16)
    gangs.submit(north, "whole", pods=2, accelerators=8)
    gangs.wait_for(north, {"whole": "Running"}, pods=2)

    kubectl.run(north, "delete", "pod", "--all", "-n", gangs.NAMESPACE, "--timeout=30s")

    gangs.submit(north, "next", pods=2, accelerators=8)
    gangs.wait_for(north, {"next": "Running"}, pods=2)


def test_a_preempted_gang_ends(running: State) -> None:
    """A gang of higher priority gets the nodes of a lower one, whose pods go although Kueue holds a finalizer on them."""
    south = running.cluster("south")
    gangs.open_queue(south, accelerators=16)
    gangs.submit(south, "low", pods=2, accelerators=8, priority="batch")
    gangs.wait_for(south, {"low": "Running"}, pods=2)

    gangs.submit(south, "high", pods=2, accelerators=8, priority="production")

    gangs.wait_for(south, {"high": "Running"}, pods=2)


def test_down_leaves_no_process_and_no_file(state: State) -> None:
    """Neither a process with the simulation's mark nor a folder of it; a second `down` finds nothing."""
    up(state, cluster("north"))
    assert len(processes.running(state)) == 6

    assert down(state)

    assert processes.running(state) == []
    assert [folder for folder in state.folders if folder.exists()] == []
    assert not down(state)


@pytest.mark.parametrize("seconds", [0.7, 2.5, 5.0])
def test_an_interrupted_up_can_be_repeated(state: State, seconds: float) -> None:
    """Ctrl-C, whatever it hits, leaves something that the next `up` completes."""
    _start_and_send(state, signal.SIGINT, seconds)

    up(state, cluster("north"))

    assert [(one.healthy, one.kueue_ready, one.nodes_ready) for one in status.of(state)] == [(True, True, 2)]


@pytest.mark.parametrize("seconds", [0.7, 2.5, 5.0])
def test_down_after_a_crash_leaves_nothing(state: State, seconds: float) -> None:
    """`up` is killed outright; what it had started is found without it."""
    _start_and_send(state, signal.SIGKILL, seconds)

    down(state)
    time.sleep(1)  # a program that kwokctl was about to start would be there by now

    assert processes.running(state) == []
    assert [folder for folder in state.folders if folder.exists()] == []


def _start_and_send(state: State, number: signal.Signals, seconds: float) -> None:
    """Run `up` in a terminal session of its own, and send a signal to all of it after some seconds."""
    command = [sys.executable, "-c", UP, str(state.root)]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL) as starting:
        time.sleep(seconds)
        os.killpg(starting.pid, number)


def test_two_simulations_do_not_meet(running: State, state: State) -> None:
    """The same cluster in another checkout has its own ports and processes, and its `down` ends only its own."""
    before = pids(running)
    up(state, cluster("north"))
    both = {*pids(running)["north"].values()} & {*pids(state)["north"].values()}
    down(state)

    assert both == set()
    assert pids(running) == before
    assert shutil.which("kwokctl") is None or not Path.home().joinpath(".kwok").exists()
