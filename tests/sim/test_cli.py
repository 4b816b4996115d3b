"""What `skyfleet sim` prints for people and for programs."""

import json

import pytest
from typer.testing import CliRunner

from sim import cli
from sim.state import State

APP = cli.build(lambda _: [])


@pytest.fixture(autouse=True)
def nothing_there(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYFLEET_SIM_STATE", str(state.root))


def test_status_without_a_simulation_says_how_to_start_one() -> None:
    """Nothing is wrong where nothing was started."""
    result = CliRunner().invoke(APP, ["status"])

    assert (result.exit_code, result.stdout) == (0, "There is no simulation; start one with `skyfleet sim up`.\n")


def test_status_for_programs_is_json_in_any_case() -> None:
    """No cluster is an empty list, not prose."""
    result = CliRunner().invoke(APP, ["status", "--format", "json"])

    assert json.loads(result.stdout) == []


def test_down_without_a_simulation_says_so() -> None:
    """Ending what is not there is no mistake."""
    result = CliRunner().invoke(APP, ["down"])

    assert (result.exit_code, result.stdout) == (0, "There is no simulation to end.\n")
