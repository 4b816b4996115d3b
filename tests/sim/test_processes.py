"""The simulation's processes are exactly those that carry its mark."""

import subprocess
import sys
from pathlib import Path

import pytest

from sim import processes
from sim.state import State

SLEEP = ["sleep", "300"]


@pytest.fixture(autouse=True)
def folder(state: State) -> None:
    state.root.mkdir()


def start(state: State, part: str, command: list[str]) -> int:
    return processes.start(command, state, part, log=state.root / "log", cwd=state.root).pid


def test_only_marked_processes_of_this_simulation_are_listed(state: State, tmp_path: Path) -> None:
    """Neither an unmarked process nor one of another simulation is ours."""
    other = State(tmp_path / "other")
    other.root.mkdir()
    pid = start(state, "north/kueue", SLEEP)
    start(other, "north/kueue", SLEEP)
    with subprocess.Popen(SLEEP) as unmarked:
        found = processes.running(state)
        unmarked.kill()
    processes.stop(other)

    assert found == [processes.Process(pid, "north/kueue", "sleep")]


def test_stop_ends_children_whose_parent_is_gone(state: State) -> None:
    """A process that outlived its parent is still ours, as after a crash of `up`."""
    start(state, "north/control-plane", ["sh", "-c", "sleep 300 & sleep 300 & exit 0"])
    processes.wait_until(lambda: [p.program for p in processes.running(state)] == ["sleep", "sleep"], None, 5)

    assert processes.stop(state) == 2
    assert processes.running(state) == []


def test_stop_of_a_part_leaves_the_others(state: State) -> None:
    """A part's name ends with the slash, so `north` is not `north-2`."""
    start(state, "north/kueue", SLEEP)
    kept = start(state, "north-2/kueue", SLEEP)

    processes.stop(state, "north/")

    assert [process.pid for process in processes.running(state)] == [kept]


def test_what_ignores_sigterm_may_clean_up_after_the_others(state: State) -> None:
    """Python's resource tracker ignores SIGTERM and tidies when its parent is gone; it must not be killed before."""
    tidied = state.root / "tidied"
    program = state.root / "tracker.py"
    program.write_text(f"""
import os, pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
parent = os.getppid()
print("ready", flush=True)
while os.getppid() == parent: time.sleep(0.01)
pathlib.Path({str(tidied)!r}).touch()
""")
    start(state, "skypilot", ["sh", "-c", f"{sys.executable} {program} & sleep 300"])
    processes.wait_until(lambda: "ready" in (state.root / "log").read_text(), None, 10)

    processes.stop(state)

    assert tidied.exists()


def test_a_process_that_ignores_everything_is_killed(state: State) -> None:
    """Ignoring SIGTERM without ending is no way to stay."""
    start(state, "skypilot", ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 300; done"])
    processes.wait_until(lambda: "ready" in (state.root / "log").read_text(), None, 10)

    processes.stop(state)

    assert processes.running(state) == []


def test_the_mark_survives_a_process_that_renames_itself(state: State) -> None:
    """SkyPilot's workers change their title, which by default overwrites the environment that others see."""
    pytest.importorskip("setproctitle", reason="comes with SkyPilot")
    rename = (
        "import setproctitle, time; setproctitle.setproctitle('x' * 4000); print('ready', flush=True); time.sleep(300)"
    )
    pid = start(state, "skypilot", [sys.executable, "-c", rename])
    processes.wait_until(lambda: "ready" in (state.root / "log").read_text(), None, 10)

    assert [process.pid for process in processes.running(state)] == [pid]


def test_started_processes_do_not_get_the_terminals_signals(state: State) -> None:
    """Ctrl-C in the terminal of `up` goes to its session, and must not end what it has started."""
    pid = start(state, "north/kueue", SLEEP)

    session = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[3])

    assert session == pid
