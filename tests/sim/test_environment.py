"""Pulumi and SkyPilot work on the simulation without the user's own settings."""

import os
import subprocess
from importlib import resources

import pytest

from sim import environment, ports, skypilot
from sim.state import State


def test_pulumi_does_not_see_the_users_kubeconfig(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cluster comes from the stack's configuration; the user's PULUMI_HOME and backend are not touched."""
    monkeypatch.setenv("KUBECONFIG", "/home/user/.kube/config")
    monkeypatch.setenv("PULUMI_HOME", "/home/user/.pulumi")

    found = environment.pulumi_env(state)

    assert "KUBECONFIG" not in found
    assert found["PULUMI_HOME"] == str(state.pulumi_home)
    assert found["PULUMI_BACKEND_URL"] == f"file://{state.pulumi_backend}"
    assert state.pulumi_backend.is_dir()


def test_the_shells_settings_work_in_a_shell(state: State) -> None:
    """What is printed can be evaluated, sets the same values, and spares the shell's folder for temporary files."""
    script = f'TMPDIR=mine; {environment.shell_exports(state)}; echo "$PULUMI_HOME|${{KUBECONFIG-unset}}|$TMPDIR"'

    said = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, check=True).stdout

    assert said == f"{state.pulumi_home}|unset|mine\n"


def test_a_client_has_none_of_the_users_skypilot_settings(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each user has a home and an id of their own, and talks to the simulation's server only."""
    monkeypatch.setenv("SKYPILOT_GLOBAL_CONFIG", "/home/user/.sky/config.yaml")
    monkeypatch.setenv("SKYPILOT_API_SERVER_ENDPOINT", "https://sky.acme.example")
    ports.save(state.skypilot / "ports.json", {"skypilot": 20002})

    ada, bob = skypilot.client_env(state, "ada"), skypilot.client_env(state, "bob")

    assert "SKYPILOT_GLOBAL_CONFIG" not in ada
    assert ada["SKYPILOT_API_SERVER_ENDPOINT"] == "http://127.0.0.1:20002"
    assert ada["HOME"] == str(state.skypilot / "clients" / "ada")
    assert len({ada["SKYPILOT_USER_ID"], bob["SKYPILOT_USER_ID"]}) == 2
    assert len({ada["HOME"], bob["HOME"], os.environ["HOME"]}) == 3


@pytest.mark.parametrize("port", [20000, 26580, 31999])
def test_skypilots_second_port_is_the_one_that_we_keep_free(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pins SkyPilot's own derivation: when it changes, servers of two checkouts may meet."""
    mp_queue = pytest.importorskip("sky.server.requests.queues.mp_queue", reason="SkyPilot is installed for the demo")
    monkeypatch.setenv("SKYPILOT_API_SERVER_LOCAL_PORT", str(port))

    assert skypilot.queue_port(port) == mp_queue.get_queue_manager_port()


@pytest.mark.parametrize("question", ["-V", "-h", "--version"])
def test_a_stand_in_says_what_it_is(question: str) -> None:
    """It answers the question whether it is there, and says that it is not the real program."""
    with resources.as_file(resources.files("sim").joinpath("data/bin/stand-in")) as program:
        answer = subprocess.run(["sh", program, question], capture_output=True, text=True, check=False)

    assert (answer.returncode, answer.stdout) == (
        0,
        "stand-in: stand-in of a Skyfleet simulation; it answers that it is here, and carries nothing\n",
    )


def test_a_stand_in_carries_nothing() -> None:
    """Used in earnest it fails, so that nobody takes silence for success."""
    with resources.as_file(resources.files("sim").joinpath("data/bin/stand-in")) as program:
        answer = subprocess.run(["sh", program, "-", "tcp:host:22"], capture_output=True, text=True, check=False)

    assert (answer.returncode, answer.stderr) == (
        1,
        "stand-in: stand-in of a Skyfleet simulation; simulated nodes have nothing to connect to\n",
    )
