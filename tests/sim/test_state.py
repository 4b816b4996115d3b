"""One folder holds everything, and two commands do not work on it at once."""

import tempfile
from pathlib import Path

import pytest

from sim import lock, processes, simulation
from sim.errors import SimulationError
from sim.progress import Progress
from sim.state import State


def test_temporary_files_are_inside_where_sockets_fit(tmp_path: Path) -> None:
    """A short path keeps its own tmp; a long one, whose sockets could not be bound, gets one outside, its own all the same."""
    short, long = State(Path("/srv/skyfleet/.sim")), State(tmp_path / ("x" * 80) / ".sim")

    assert short.temporary == Path("/srv/skyfleet/.sim/tmp")
    assert len(str(long.temporary)) <= 60
    assert long.temporary != State(tmp_path / ("y" * 80) / ".sim").temporary


def test_the_environment_names_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """$SKYFLEET_SIM_STATE is made absolute, so that processes find it from anywhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SKYFLEET_SIM_STATE", "elsewhere")

    assert State.default().root == tmp_path / "elsewhere"


def test_a_process_of_the_simulation_sees_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its TMPDIR is ours, and a socket that one makes another must find."""
    long = State(tmp_path / ("x" * 80) / ".sim")
    there = long.temporary
    monkeypatch.setattr(tempfile, "tempdir", str(there))

    assert long.temporary == there


def test_a_second_command_is_told_to_wait(state: State) -> None:
    """While one command works, another says so instead of breaking it."""
    with lock.hold(state), pytest.raises(SimulationError) as told, lock.hold(state):
        pass

    assert str(told.value) == (
        f"another `skyfleet sim` command is at work in {state.root}; wait for it or stop it, then run this again"
    )


def test_down_without_a_simulation_does_nothing(state: State) -> None:
    """It says that there was nothing, and leaves no folder."""
    with Progress() as shown:
        assert not simulation.down(state, shown)
    assert not state.root.exists()


def test_down_removes_the_temporary_folder_outside_too(tmp_path: Path) -> None:
    """Nothing of the simulation remains, wherever it was."""
    state = State(tmp_path / ("x" * 80) / ".sim")
    with lock.hold(state):
        (state.temporary / "left behind").touch()

    with Progress() as shown:
        assert simulation.down(state, shown)
    assert [folder for folder in state.folders if folder.exists()] == []


def test_down_ends_processes_whose_folder_was_deleted(state: State, tmp_path: Path) -> None:
    """`rm -r .sim` does not hide what runs."""
    processes.start(["sleep", "300"], state, "north/kueue", log=tmp_path / "log", cwd=tmp_path)

    with Progress() as shown:
        assert simulation.down(state, shown)
    assert processes.running(state) == []
