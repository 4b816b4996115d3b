"""Everything that must run before an engineer can type `sky launch`."""

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from sim import environment, simulation, skypilot
from sim.errors import SimulationError
from sim.fleet import cluster_specs
from sim.progress import Progress
from sim.state import State
from skyfleet.model import Fleet
from tools import paths

SERVER_CONFIG = paths.REPOSITORY / "policy" / "server-config.yaml"


def raise_curtain(state: State, fleet: Fleet, shown: Progress) -> None:
    """Clouds, `pulumi up` of every stack, then the API server with the policy's wheel. Each part is left alone if it is there.

    Raises:
        SimulationError: with the words of the part that did not start.
        MachineError: this machine lacks something; said before any work.
    """
    simulation.up(cluster_specs(fleet), state, shown)
    pulumi_up(state, shown)
    start_server(state, shown)


def start_server(state: State, shown: Progress, config: Path = SERVER_CONFIG, *beside: Path, **extra: str) -> None:
    """The API server with the shipped configuration and the policy's wheel, for the clusters that are there.

    `beside` are more folders of Python modules, `extra` more variables of its environment.

    Raises:
        SimulationError: with the words of the part that did not start.
    """
    simulation.write_kubeconfig(state)
    shown.step("policy", "building the wheel")
    policy = install_policy(state)
    shown.done("policy", f"{policy.wheel.name}, {policy.wheel.stat().st_size / 1024:.0f} KiB, unpacked for the server")
    modules = os.pathsep.join(str(folder) for folder in (policy.folder, *beside))
    skypilot.start(state, config, shown, extra={"PYTHONPATH": modules, **extra})


def pulumi_up(state: State, shown: Progress, *stacks: str) -> None:
    """`make up` of these stacks, or of all, against the simulation: the same command, another project folder and backend."""
    shown.step("pulumi", f"pulumi up of {', '.join(stacks) or 'every stack'}")
    command = [sys.executable, "-m", "infra.up", "--project", str(state.project), *stacks]
    done = subprocess.run(
        command, env=environment.pulumi_env(state), cwd=paths.REPOSITORY, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SimulationError(f"pulumi up failed:\n{done.stderr.strip()}")
    shown.done("pulumi", "; ".join(done.stderr.split("\n")).strip("; "))


@dataclass(frozen=True)
class InstalledPolicy:
    wheel: Path
    folder: Path
    """For PYTHONPATH: what the wheel holds, and nothing else of this repository."""


def install_policy(state: State) -> InstalledPolicy:
    """Build the wheel as it is shipped and unpack it, so that the server runs what others would install.

    Raises:
        SimulationError: with the builder's words.
    """
    target = state.skypilot / "policy"
    shutil.rmtree(target, ignore_errors=True)
    command = ["uv", "build", "--quiet", "--wheel", "--no-build-isolation", "--python", sys.executable]
    done = subprocess.run(
        [*command, "--out-dir", str(target), str(paths.REPOSITORY / "policy")],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SimulationError(f"the policy's wheel cannot be built:\n{done.stderr.strip()}")
    wheel = next(target.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target / "installed")
    return InstalledPolicy(wheel, target / "installed")
