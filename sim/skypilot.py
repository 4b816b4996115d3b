"""The real SkyPilot API server beside a simulation, apart from any other on this machine."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from sim import health, ports, processes
from sim.errors import MachineError, SimulationError
from sim.node import built
from sim.progress import Progress
from sim.state import State
from tools import paths

PART = "skypilot"
CLIENT = "client"
READY_SECONDS = 120
PORT_ATTEMPTS = 4
STAND_INS = {"socat": "socat", "nc": "nc.openbsd", "rsync": "rsync"}
"""Programs that SkyPilot asks for before it launches anything, and uses only to reach what runs on nodes; with their Debian names."""


def start(state: State, config: Path, shown: Progress, *, extra: Mapping[str, str] | None = None) -> str:
    """Start the API server with this configuration file and wait until it answers; returns its URL.

    One that runs with the same configuration and `extra` environment is left alone, another is replaced.
    Raises MachineError when SkyPilot is not installed, SimulationError when the server does not answer.
    """
    _check_installed()
    settings = config.read_text() + "".join(f"# {name}={value}\n" for name, value in sorted((extra or {}).items()))
    if is_ready(state) and _configuration(state).exists() and _configuration(state).read_text() == settings:
        shown.done("SkyPilot", "API server is up already")
        return url(state)
    shown.step("SkyPilot", "starting the API server")
    for attempt in range(1, PORT_ATTEMPTS + 1):
        stop(state)
        _forget_port(state)
        _lay_out(state, settings)
        if _serve(state, dict(extra or {})):
            shown.done("SkyPilot", f"API server answers at {url(state)}")
            return url(state)
        if not _needed_a_taken_port(state) or attempt == PORT_ATTEMPTS:
            break
        shown.step("SkyPilot", "a port that it needs is taken; starting on another")
    end = "\n".join(_log(state).read_text().splitlines()[-15:])
    raise SimulationError(f"SkyPilot's API server does not answer; the end of {_log(state)}:\n{end}")


def _serve(state: State, extra: Mapping[str, str]) -> bool:
    """Start the server; whether it answers in time."""
    command = [sys.executable, "-m", "sky.server.server", "--host=127.0.0.1", f"--port={_port(state)}"]
    _log(state).unlink(missing_ok=True)
    server = processes.start(
        command, state, PART, log=_log(state), cwd=state.skypilot, extra=_server_env(state) | dict(extra)
    )
    return processes.wait_until(lambda: is_ready(state), server, READY_SECONDS)


def _needed_a_taken_port(state: State) -> bool:
    """Somebody took a port of the server's between our choice and its start."""
    return "already in use" in _log(state).read_text()


def stop(state: State) -> int:
    """End the API server and its workers; returns how many processes there were."""
    return processes.stop(state, PART)


def is_ready(state: State) -> bool:
    if not _ports(state).exists():
        return False
    return health.answers(f"{url(state)}/api/health")


def url(state: State) -> str:
    """Where the server is; it must have been started once."""
    return f"http://127.0.0.1:{ports.load(_ports(state))['skypilot']}"


def client_env(state: State, user: str) -> dict[str, str]:
    """Complete environment for `sky` of this user, with a home of their own."""
    home = state.skypilot / "clients" / user
    home.mkdir(parents=True, exist_ok=True)
    own = {
        "SKYPILOT_API_SERVER_ENDPOINT": url(state),
        "SKYPILOT_USER": user,
        # As SkyPilot makes it from the name of user and machine: eight hexadecimal digits.
        "SKYPILOT_USER_ID": hashlib.sha256(user.encode()).hexdigest()[:8],
    }
    return _base_env(state, home) | processes.marks(state, CLIENT) | own


def _server_env(state: State) -> dict[str, str]:
    home = state.skypilot / "server"
    return _base_env(state, home) | {"SKYPILOT_GLOBAL_CONFIG": str(_configuration(state))}


def _base_env(state: State, home: Path) -> dict[str, str]:
    """What server and client share."""
    path = [str(paths.bin_dir()), str(Path(sys.prefix) / "bin"), os.environ.get("PATH", ""), str(_stand_ins(state))]
    own = [entry for entry in os.environ.get("no_proxy", os.environ.get("NO_PROXY", "")).split(",") if entry]
    no_proxy = ",".join([*own, "127.0.0.1", "localhost"])
    return processes.inherited() | {
        "HOME": str(home),
        "KUBECONFIG": str(state.kubeconfig),
        "NO_PROXY": no_proxy,
        "no_proxy": no_proxy,
        "PATH": os.pathsep.join(path),
        "SKYPILOT_API_SERVER_LOCAL_PORT": str(_port(state)),
        "SKYPILOT_DISABLE_USAGE_COLLECTION": "1",
        "SKY_RUNTIME_DIR": str(home),
        "TMPDIR": str(state.temporary),
    }


def _lay_out(state: State, settings: str) -> None:
    """Write what the server reads: configuration, catalogs (it would fetch them), stand-ins for what is not installed."""
    home = state.skypilot / "server"
    data = resources.files("sim").joinpath("data")
    with resources.as_file(data.joinpath("catalogs")) as catalogs:
        shutil.copytree(catalogs, home / ".sky" / "catalogs", dirs_exist_ok=True)
    _configuration(state).write_text(settings)
    _stand_ins(state).mkdir(parents=True, exist_ok=True)
    for program, packaged in STAND_INS.items():
        stand_in = _stand_ins(state) / program
        stand_in.write_text(_carrier(packaged) or data.joinpath("bin/stand-in").read_text(encoding="utf-8"))
        stand_in.chmod(0o755)


def _carrier(packaged: str) -> str | None:
    """A script that runs the real program out of a real node's file system, if one is built."""
    if not (built.root() / "usr/bin" / packaged).exists():
        return None
    return f'#!/bin/sh\nexec {shlex.join(built.program(packaged))} "$@"\n'


def _check_installed() -> None:
    if importlib.util.find_spec("sky") is None:
        raise MachineError(f"SkyPilot is not installed for {sys.executable}; run `make setup` and use .venv/bin/python")


def _port(state: State) -> int:
    if not _ports(state).exists():
        ports.save(_ports(state), {"skypilot": _choose_port()})
    return ports.load(_ports(state))["skypilot"]


def _choose_port() -> int:
    """A free port whose queue port, where any outgoing connection of this machine may sit, is free as well."""
    while not ports.is_free(queue_port(port := ports.choose(["skypilot"])["skypilot"])):
        pass
    return port


def queue_port(port: int) -> int:
    """The second port that a server on `port` listens on (sky/server/requests/queues/mp_queue.py of 0.14.1)."""
    return 50000 + (11 + port - 46580) % 10000


def _forget_port(state: State) -> None:
    _ports(state).unlink(missing_ok=True)


def _ports(state: State) -> Path:
    return state.skypilot / "ports.json"


def _configuration(state: State) -> Path:
    return state.skypilot / "config.yaml"


def _stand_ins(state: State) -> Path:
    """Last on PATH, so that the machine's own programs come first."""
    return state.skypilot / "bin"


def _log(state: State) -> Path:
    return state.skypilot / "server.log"
