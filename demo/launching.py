"""Plain `sky launch`, as an engineer types it."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from demo.scenes import Scene
from sim import skypilot
from sim.state import State
from tools import paths

_REJECTED = "UserRequestRejectedByPolicy: "
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Submission:
    """What `sky launch` said at once."""

    accepted: bool
    message: str
    """The policy's rejection; empty for a request that was accepted."""


class LaunchFailed(RuntimeError):  # noqa: N818 - it says what happened
    """`sky launch` failed for another reason than the policy."""


def launch(state: State, scene: Scene) -> Submission:
    """Submit without waiting for the machine.

    Raises:
        LaunchFailed: with SkyPilot's words.
    """
    file = paths.REPOSITORY / "examples" / f"{scene.file}.yaml"
    status, output = sky(state, scene.user, "launch", "--yes", "--async", "--cluster", scene.file, str(file))
    if status == 0:
        return Submission(accepted=True, message="")
    if _REJECTED not in output:
        raise LaunchFailed(f"sky launch {scene.file} failed:\n{output.strip()}")
    return Submission(accepted=False, message=output.partition(_REJECTED)[2].strip())


def down_all(state: State, user: str) -> None:
    """`sky down --all` of one user.

    Raises:
        LaunchFailed: with SkyPilot's words.
    """
    status, output = sky(state, user, "down", "--yes", "--all")
    if status != 0:
        raise LaunchFailed(f"sky down --all of {user} failed:\n{output.strip()}")


def sky(
    state: State, user: str, *arguments: str, cwd: Path | None = None, timeout_seconds: float | None = None
) -> tuple[int, str]:
    """Exit status, and what was said, without colours.

    Raises:
        subprocess.TimeoutExpired: it did not end in time.
    """
    env = skypilot.client_env(state, user)
    done = subprocess.run(
        ["sky", *arguments], env=env, cwd=cwd, capture_output=True, text=True, check=False, timeout=timeout_seconds
    )
    return done.returncode, _COLOURS.sub("", done.stdout + done.stderr)
