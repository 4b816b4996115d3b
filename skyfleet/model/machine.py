"""Machines that providers offer, and what a node of each has left for pods."""

from functools import cache
from importlib import resources
from typing import Annotated

import yaml
from pydantic import Field

from skyfleet.model.base import Count, Frozen, Model, Positive


class Machine(Model):
    cpu: Positive
    memory_gib: Positive
    accelerator: str | None = None
    accelerators: Count = 0
    allocatable_cpu_millis: Positive
    allocatable_memory_mib: Positive


class Reserve(Model):
    """What the platform's own DaemonSets request on each node."""

    cpu_millis: Count
    memory_mib: Count


class Accelerator(Model):
    resource: Annotated[str, Field(description="the extended resource of the device plugin")]
    node_labels: Annotated[Frozen[str, str], Field(description="provider -> label=value by which SkyPilot knows it")]


class Catalogue(Model):
    """Facts about providers, from machines.yaml in this package."""

    accelerators: Frozen[str, Accelerator]
    machines: Frozen[str, Frozen[str, Machine]]
    daemonsets: Reserve

    def machine(self, provider: str, name: str) -> Machine | None:
        return self.machines.get(provider, {}).get(name)


@cache
def catalogue() -> Catalogue:
    text = resources.files("skyfleet").joinpath("data/machines.yaml").read_text(encoding="utf-8")
    return Catalogue.model_validate(yaml.safe_load(text), strict=False)
