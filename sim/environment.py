"""Environment in which Pulumi works on a simulation and nothing of it reaches the user's own."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from sim.state import State
from tools import paths

UNSET = ("KUBECONFIG",)
"""Taken out: a program must find its cluster in the stack's configuration, not in the user's contexts."""

NOT_FOR_A_SHELL = ("TMPDIR",)
"""A shell outlives the simulation, and would be left without a folder for temporary files."""


def pulumi_env(state: State) -> dict[str, str]:
    """Complete environment for `pulumi` and the Automation API; makes the folders that it names."""
    _link_plugins(state.pulumi_home / "plugins")
    for folder in (state.pulumi_backend, state.temporary):
        folder.mkdir(parents=True, exist_ok=True)
    return {name: value for name, value in os.environ.items() if name not in UNSET} | pulumi_settings(state)


def pulumi_settings(state: State) -> dict[str, str]:
    """What `pulumi_env` sets."""
    return {
        "PATH": os.pathsep.join([*map(str, _programs(state)), os.environ.get("PATH", "")]),
        "PULUMI_HOME": str(state.pulumi_home),
        "PULUMI_BACKEND_URL": state.pulumi_backend.as_uri(),
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_CREDENTIAL_STORE": "plaintext",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        "PULUMI_DISABLE_REGISTRY_RESOLVE": "true",
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_SUPPRESS_NEO_LINK": "true",
        "TMPDIR": str(state.temporary),
    }


def _programs(state: State) -> tuple[Path, ...]:
    return state.bin, paths.bin_dir(), Path(sys.prefix) / "bin"


def shell_exports(state: State) -> str:
    """The same for a shell: `eval "$(skyfleet sim env)"`."""
    pulumi_env(state)
    settings = {name: value for name, value in pulumi_settings(state).items() if name not in NOT_FOR_A_SHELL}
    exports = [f"export {name}={shlex.quote(value)}" for name, value in settings.items()]
    return "\n".join([*exports, *(f"unset {name}" for name in UNSET)])


def _link_plugins(folder: Path) -> None:
    """Offer our plugins; the folders are real because Pulumi overlooks linked ones."""
    for binary in sorted(paths.plugins().glob("*/pulumi-resource-*")):
        link = folder / binary.parent.name / binary.name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not (link.is_symlink() and link.readlink() == binary):
            link.unlink(missing_ok=True)
            link.symlink_to(binary)
