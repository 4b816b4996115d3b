"""What `routes.json` holds, as values: the contract between a fleet definition and this policy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Action = Literal["allow", "strip", "reject"]
ACTIONS: tuple[Action, ...] = ("allow", "strip", "reject")

TOKENS = frozenset({"HF_HOME", "HF_TOKEN_PATH", "HF_TOKEN", "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "NETRC"})
"""Variables under which programs keep tokens: they never point to what everybody can read."""

DEFAULT_FOR = frozenset({"launch", "launch-without-run", "managed-job", "service"})
"""The kinds of request a profile can be the default for."""


@dataclass(frozen=True)
class LabelKeys:
    """The label keys that engineers write and the policy adds."""

    team: str
    workload: str
    provider: str
    cost_center: str


@dataclass(frozen=True)
class Profile:
    """What kind of work a request is; None means no limit, or SkyPilot's own default."""

    priority: str
    max_accelerators: int | None
    """Accelerators in all: count times nodes."""
    autostop_minutes: int | None
    admission_timeout_minutes: int | None
    """How long a launch may wait in its queue."""
    default_for: tuple[str, ...]
    priority_fixed: bool = False
    """Whether engineers must keep the profile's priority."""


@dataclass(frozen=True)
class Infiniband:
    """How pods of whole nodes reach the fabric; what it takes is data, so that a new accelerator needs no code."""

    exposure: str
    """The name of the way, for messages: `shared-device-plugin`, `device-plugin`, `host-path`."""
    resources: Mapping[str, int]
    """Extended resources that each pod requests, by name."""
    environment: Mapping[str, str]
    """NCCL and UCX settings of the platform; an engineer's own win."""
    packages: tuple[str, ...]
    """Debian packages that the image must have, such as `libibverbs1`; installed at set-up where they are missing."""
    library: str | None
    """The shared library that tells whether the packages are there, such as `libibverbs.so.1`."""
    host_device: bool
    """Whether pods mount /dev/infiniband from the node and are privileged: with `host-path`, where no device plugin is."""


@dataclass(frozen=True)
class Volume:
    """A shared volume of a cluster: the mount and the environment that makes programs use it are one thing."""

    name: str
    claim: str
    """The PersistentVolumeClaim in the namespace of the pods."""
    mount_path: str
    environment: Mapping[str, str]
    """Variables that point into the volume; an engineer's own win."""
    read_only: bool
    group: int | None
    """The pods' fsGroup, so that images of any user can write."""


@dataclass(frozen=True)
class Pool:
    """Nodes of one kind. `cpu` and `memory_gib` are what one node has left for pods."""

    accelerator: str | None
    accelerators_per_node: int
    cpu: float
    memory_gib: float
    nodes: int
    """At most this many nodes."""
    node_labels: Mapping[str, str]
    infiniband: Infiniband | None
    taints: tuple[str, ...]
    """Keys of the taints of its nodes."""
    instance_type: str | None
    """What SkyPilot calls such a machine at the provider, for tasks that name one."""


@dataclass(frozen=True)
class Cluster:
    """A place in the fleet."""

    provider: str
    answers_to: tuple[str, ...]
    """What engineers may call it in `infra:`, `cloud:` or the provider label."""
    context: str
    """Its kubeconfig context on the SkyPilot API server."""
    pools: Mapping[str, Pool]
    region: str | None
    """Its region at the provider, for tasks that name one."""
    volumes: tuple[Volume, ...]

    sizes: Mapping[str | None, tuple[Pool, ...]]
    """Pools by accelerator, and under None those without any; the smallest nodes first."""

    def pool_for(self, accelerator: str | None, count: float = 0) -> Pool | None:
        """The pool with the smallest nodes that hold so many accelerators, else that with the largest."""
        pools = self.sizes.get(accelerator, ())
        fitting = (pool for pool in pools if pool.accelerators_per_node >= count)
        return next(fitting, pools[-1] if pools else None) if accelerator else pools[-1] if pools else None


@dataclass(frozen=True)
class Team:
    """Who may charge whom: the team's LocalQueue has the team's name on each of its clusters."""

    cost_center: str
    members: tuple[str, ...]
    """Names and shell patterns of users, compared without regard to case."""
    clusters: tuple[str, ...]
    priorities: tuple[str, ...]
    matcher: re.Pattern[str]

    def has_member(self, user: str) -> bool:
        """Whether the user is one of the members."""
        return self.matcher.fullmatch(user.casefold()) is not None


@dataclass(frozen=True)
class Routes:
    """The whole table, with the look-ups that keep a decision flat in the size of the fleet."""

    definition: str
    """Digest of the definition; stamped on every pod."""
    organization: str
    skypilot_minimum: str
    labels: LabelKeys
    namespace: str
    priority_class: str
    priorities: Mapping[str, int]
    profiles: Mapping[str, Profile]
    clusters: Mapping[str, Cluster]
    routes: Mapping[str, tuple[str, ...]]
    """Clusters by accelerator, in order of preference."""
    cpu_routes: tuple[str, ...]
    teams: Mapping[str, Team]
    pod_fields: Mapping[str, Action]
    """What to do with a field of an engineer's own pod configuration, where it is not what `pods.FIELDS` says."""
    update_command: str
    """How an engineer updates this package."""
    accelerators: Mapping[str, str]
    """The exact name of an accelerator by its case-folded name."""
    places: Mapping[str, tuple[str, ...]]
    """Clusters by the case-folded names they answer to."""
    contexts: Mapping[str, str]
    """Cluster by context."""
    machines: Mapping[str, tuple[str, Pool]]
    """Cluster and pool by the provider's name of the machine."""
    taints: frozenset[str]
    """Keys of the taints of all pools."""
    cpu_clusters: tuple[str, ...]
    """Every cluster with a pool for work without accelerator, the preferred ones first."""
    defaults: Mapping[str, str]
    """Profile by kind of request."""
