"""An interrupted command can be repeated, and when the simulation is down the machine is as it was. Last, since it ends the stage."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest

from sim import kubectl, processes
from sim.node import plan
from sim.state import State
from tests.rehearsal.conftest import KEPT
from tests.rehearsal.machine import Machine, look
from tests.rehearsal.stage import Stage
from tools import paths

pytestmark = pytest.mark.e2e


def test_an_up_that_was_killed_while_the_node_booted_can_be_repeated(stage: Stage) -> None:
    """Also after the node's programs died: the cluster takes a dead node for ready for a while."""
    processes.stop(stage.state, plan.part(stage.cluster.name))
    _kill("up", "--real-node", state=stage.state, when="boots and joins")

    began = time.monotonic()
    done = subprocess.run(_skyfleet("up", "--real-node"), env=_env(stage.state), cwd=paths.REPOSITORY, check=False)
    stage.note("`sim up` after one that was killed", f"{time.monotonic() - began:.0f} s")
    assert done.returncode == 0
    (node,) = kubectl.get(stage.cluster, "nodes", "-l", plan.REAL)
    ready = {one["type"]: one["status"] for one in node["status"]["conditions"]}["Ready"]
    assert ready == "True"
    stage.clean("scratch")


def test_a_down_that_was_killed_can_be_repeated_and_leaves_the_machine_as_it_was(
    stage: Stage, machine_before: Machine
) -> None:
    """No process, interface, chain, mount, kernel setting, control group or namespace more or less than before."""
    if os.environ.get(KEPT):
        pytest.skip(f"{KEPT} is set: the simulation stays")
    during = look()
    _kill("down", state=stage.state, when="ending its processes")

    subprocess.run(_skyfleet("down"), env=_env(stage.state), cwd=paths.REPOSITORY, check=True)

    after = look()
    stage.note("machine before", str(machine_before))
    stage.note("machine with a real node", str(during))
    stage.note("machine after `sim down`", str(after))
    assert during.spaces > machine_before.spaces, "it would see a node"
    for one in fields(Machine):
        assert getattr(after, one.name) ^ getattr(machine_before, one.name) == set(), one.name
    assert processes.running(stage.state) == []
    assert not any(folder.exists() for folder in stage.state.folders)


def _kill(*arguments: str, state: State, when: str) -> None:
    """Start a command and kill it as soon as it says this."""
    started = subprocess.Popen(
        _skyfleet(*arguments), env=_env(state), cwd=paths.REPOSITORY, stderr=subprocess.PIPE, text=True
    )
    assert started.stderr is not None
    for line in started.stderr:
        if when in line:
            break
    started.send_signal(signal.SIGKILL)
    assert started.wait() == -signal.SIGKILL, f"{arguments} has ended before it could be killed"


def _skyfleet(*arguments: str) -> list[str]:
    return [str(Path(sys.prefix) / "bin" / "skyfleet"), "sim", *arguments]


def _env(state: State) -> dict[str, str]:
    return {**os.environ, "SKYFLEET_SIM_STATE": str(state.root)}
