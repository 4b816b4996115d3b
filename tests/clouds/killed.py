"""`pulumi up`, killed when it has come to some moment."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Callable
from typing import Any

import psutil

from sim import environment, processes
from sim.state import State
from tests.clouds.clouds import Operator

Moment = Callable[[dict[str, Any]], bool]
"""Whether a state, as the engine keeps it on its way, is the one."""
SECONDS = 60


def pending(kind: str) -> Moment:
    """While something of this type is being made."""
    return lambda deployment: any(
        one["resource"]["type"].startswith(kind) for one in deployment.get("pending_operations") or []
    )


def after(seconds: float) -> Moment:
    until = time.monotonic() + seconds
    return lambda _: time.monotonic() >= until


def up_killed(operator: Operator, stack: str, moment: Moment) -> None:
    """SIGKILL to pulumi and all that it started but the cloud and what that started, which go on."""
    operator.pulumi(stack, "stack", "init")
    command = operator.command(stack, "up", "--yes", "--skip-preview")
    env = environment.pulumi_env(operator.state)
    engine = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + SECONDS
    while not moment(_deployment(operator, stack)):
        assert engine.poll() is None, "the up has ended before the moment came"
        assert time.monotonic() < until, "the moment does not come"
        time.sleep(0.05)
    _kill(operator.state, psutil.Process(engine.pid))
    engine.wait()


def _kill(state: State, engine: psutil.Process) -> None:
    """The engine first, so that it does not write down how the others end."""
    engine.suspend()
    clouds = {process.pid for process in processes.running(state)}
    others = [one for one in engine.children(recursive=True) if one.pid not in clouds]
    for process in (engine, *others):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()


def _deployment(operator: Operator, stack: str) -> dict[str, Any]:
    """The engine's checkpoint as it is on disk; empty while it is being written."""
    [file] = operator.state.pulumi_backend.glob(f".pulumi/stacks/*/{stack}.json")
    try:
        return json.loads(file.read_text())["checkpoint"]["latest"] or {}
    except (json.JSONDecodeError, KeyError):
        return {}
