"""What is launched, by whom, and what should come of it: the files in examples/, as an engineer would submit them."""

from dataclasses import dataclass
from typing import Literal

Ending = Literal["admitted", "preempted", "rejected"]


@dataclass(frozen=True)
class Scene:
    file: str
    """In examples/, without its ending; also the name of the SkyPilot cluster."""
    user: str
    story: str
    ending: Ending = "admitted"


SCENES = (
    Scene("train-h200", "engineer@acme.example", "two nodes of 8 H200, one gang"),
    Scene("dev-l4", "eve@search.acme.example", "a development environment on one L4"),
    Scene("preprocess-cpu", "rob@research.acme.example", "work without accelerator"),
    Scene("forced-provider", "engineer@acme.example", "the same, forced to Nebius"),
    Scene(
        "rejected-dev-two-gpus", "engineer@acme.example", "a development environment with two accelerators", "rejected"
    ),
    Scene("rejected-unknown-team", "engineer@acme.example", "a team that nobody defined", "rejected"),
)
"""Submitted one after the other on empty clusters."""

FULL_CLUSTER = (
    Scene("batch-gang", "rob@research.acme.example", "batch work takes the last two H200 nodes", "preempted"),
    Scene("production-gang", "ria@research.acme.example", "production work of the same team needs two"),
)
"""Then the H200 pool is full: the second preempts the first."""
