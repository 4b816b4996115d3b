"""How fake nodes and the pods on them behave: kwok's own stages, with ours for the end of a pod."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml

from tools import paths

KWOK_STAGES = (
    "node/fast/node-initialize.yaml",
    "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
    "pod/fast/pod-ready.yaml",
    "pod/fast/pod-complete.yaml",
)


def documents() -> list[dict[str, Any]]:
    """Every Stage of a simulated cluster; kwok takes these instead of its defaults."""
    folder = paths.share("kwok-stages")
    theirs = [yaml.safe_load((folder / name).read_text()) for name in KWOK_STAGES]
    ours = resources.files("sim").joinpath("data/stages.yaml").read_text()
    return [*theirs, *yaml.safe_load_all(ours)]
