"""The SkyPilot admin policy of a Skyfleet.

`admin_policy: skyfleet_policy.FleetPolicy` in SkyPilot's configuration; `explain_task` says what it would do.
SkyPilot is imported only where it is needed, so that the rules can be read and tested without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skyfleet_policy._version import __version__

if TYPE_CHECKING:
    from skyfleet_policy.admission import FleetPolicy
    from skyfleet_policy.explain import explain_task

__all__ = ["FleetPolicy", "__version__", "explain_task"]

_HOMES = {"FleetPolicy": "skyfleet_policy.admission", "explain_task": "skyfleet_policy.explain"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  # only who asks pays for it

    return getattr(import_module(_HOMES[name]), name)
