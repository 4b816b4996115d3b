"""A request as the rules see it: plain values, no SkyPilot. Rules never change one; they return another."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from skyfleet_policy import nested


class Kind(enum.Enum):
    """What is being asked for. Stages of one launch are of one kind, so that they are decided alike."""

    LAUNCH = "launch"
    EXEC = "exec"
    MANAGED_JOB = "managed-job"
    SERVICE = "service"
    CONTROLLER = "controller"


V = TypeVar("V", bound="_Value")


class _Value:
    """A value that is never changed, only replaced."""

    def changed(self: V, **fields: object) -> V:  # noqa: PYI019  # typing.Self came with 3.11
        """As `dataclasses.replace`, at a fifth of its cost: nothing is checked or computed when one of these is made."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.__dict__.update(fields)
        return new


@dataclass(frozen=True)
class Autostop(_Value):
    """What becomes of an idle machine; less than 0 minutes is never."""

    enabled: bool
    idle_minutes: int
    down: bool
    wait_for: str | None = None


@dataclass(frozen=True)
class Candidate(_Value):
    """One of the alternatives a task can run on (`any_of`, `ordered`, several accelerators, or the only one)."""

    index: int = 0
    """Its position in the task as it came in."""
    accelerator: str | None = None
    """As SkyPilot reports it, or as the engineer wrote it: the case may be anything."""
    accelerator_count: float = 0
    cloud: str | None = None
    """SkyPilot's name of the cloud, in lower case."""
    region: str | None = None
    """On Kubernetes, the context."""
    zone: str | None = None
    instance_type: str | None = None
    use_spot: bool = False
    cpus: str | None = None
    """CPUs of each node, with a `+` where more will do."""
    memory: str | None = None
    """Gibibytes of each node, with a `+` where more will do."""
    image: Mapping[str | None, str] | None = None
    """Images by region."""
    disk_tier: str | None = None
    local_disk: str | None = None
    network_tier: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    priority_class: str | None = None
    autostop: Autostop | None = None
    config: Mapping[str, object] = field(default_factory=dict[str, object])
    """The SkyPilot configuration it came with; what it leaves with is the request's."""
    cluster: str | None = None
    """The fleet's cluster, once routed."""


@dataclass(frozen=True)
class Request(_Value):
    """One task of a launch."""

    kind: Kind
    candidates: tuple[Candidate, ...]
    task: str | None = None
    runs: bool = True
    """Whether the task has a `run` section."""
    nodes: int = 1
    config: Mapping[str, object] = field(default_factory=dict[str, object])
    """The task's own SkyPilot configuration (`config:` in its YAML), which all candidates share."""
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    """SkyPilot's configuration around the task: the server's with the client's merged in."""
    setup: str | None = None
    environment: frozenset[str] = frozenset()
    """Names of the variables and secrets that the task sets."""
    mounts: frozenset[str] = frozenset()
    """Paths where the task mounts something of its own."""
    skypilot: str | None = None
    """The client's version of SkyPilot, where it is known."""
    user: str | None = None
    """Who asks, or None where SkyPilot does not say: on the client."""
    team: str | None = None
    profile: str | None = None
    priority: str | None = None

    def label_values(self, key: str) -> tuple[str, ...]:
        """The different values that the candidates give a label."""
        return tuple(dict.fromkeys(c.labels[key] for c in self.candidates if key in c.labels))

    def with_labels(self, labels: Mapping[str, str]) -> Request:
        """The request with labels on every candidate; itself where they are there already."""
        if all(labels.items() <= candidate.labels.items() for candidate in self.candidates):
            return self
        labelled = [candidate.changed(labels={**candidate.labels, **labels}) for candidate in self.candidates]
        return self.changed(candidates=tuple(labelled))

    def with_config(self, path: tuple[str, ...], value: object) -> Request:
        """The request with one setting of its SkyPilot configuration; itself where it is so already."""
        config = nested.put(self.config, path, value)
        return self if config is self.config else self.changed(config=config)

    def without_config(self, path: tuple[str, ...]) -> Request:
        """The request without one setting of its SkyPilot configuration; itself where there is none."""
        config = nested.drop(self.config, path)
        return self if config is self.config else self.changed(config=config)
