"""The contract between a fleet definition and this policy: `routes.json`, strictly read.

The definition's generator writes the file, the policy ships it as package data. Nothing here knows a fleet.
"""

from __future__ import annotations

import fnmatch
import functools
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from skyfleet_policy._fields import FieldError, Fields, as_any_text, as_text, as_whole

CONTRACT = 1
"""The version of the contract that this code reads."""

SHIPPED = Path(__file__).with_name("routes.json")
"""The table that the wheel carries."""

Action = Literal["allow", "strip", "reject"]
ACTIONS: tuple[Action, ...] = ("allow", "strip", "reject")

TOKENS = frozenset({"HF_HOME", "HF_TOKEN_PATH", "HF_TOKEN", "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "NETRC"})
"""Variables under which programs keep tokens: they never point to what everybody can read."""

DEFAULT_FOR = frozenset({"launch", "launch-without-run", "managed-job", "service"})
"""The kinds of request a profile can be the default for."""


class RoutesError(ValueError):
    """The table is missing, unreadable or of another contract. The message names file, field and remedy."""


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
    """The name of the way, for messages: `shared-device-plugin`, `device-plugin`, `host-device`."""
    resources: Mapping[str, int]
    """Extended resources that each pod requests, by name."""
    environment: Mapping[str, str]
    """NCCL and UCX settings of the platform; an engineer's own win."""
    packages: tuple[str, ...]
    """Debian packages that the image must have, such as `libibverbs1`; installed at set-up where they are missing."""
    library: str | None
    """The shared library that tells whether the packages are there, such as `libibverbs.so.1`."""
    host_device: bool
    """Whether pods mount /dev/infiniband from the node and are privileged: where no device plugin is."""


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


@functools.lru_cache(maxsize=1)
def shipped_routes() -> Routes:
    """The table in this package, read once a process.

    Raises:
        RoutesError: it is missing or cannot be used.
    """
    return load_routes(SHIPPED)


def load_routes(path: Path) -> Routes:
    """Read a table.

    Raises:
        RoutesError: it is missing or cannot be used; the message names file, field and remedy.
    """
    try:
        return parse_routes(json.loads(path.read_bytes()))
    except OSError as error:
        raise RoutesError(f"{path}: cannot be read ({error.strerror}); {_REMEDY}") from None
    except (FieldError, ValueError) as error:
        raise RoutesError(f"{path}: {error}; {_REMEDY}") from None


_REMEDY = "run `skyfleet generate`, build the wheel again and install it where SkyPilot's API server runs"


def parse_routes(value: object) -> Routes:
    """The table from decoded JSON.

    Raises:
        FieldError: a field is missing, mistyped, unknown, or names something that is not in the table.
    """
    top = Fields(value, "")
    contract = top.raw("contract")
    if contract != CONTRACT:
        raise FieldError(f"contract: is {contract!r}, this skyfleet-policy reads {CONTRACT}")
    _ = top.has("generated")
    priorities = top.table("priorities", as_whole)
    profiles = top.table("profiles", _profile)
    clusters = top.table("clusters", _cluster)
    accelerator_routes = top.table("routes", _texts)
    cpu_routes = top.texts("cpu_routes")
    teams = top.table("teams", _team)
    pod_fields = top.optional_table("pod_fields", _action)
    routes = Routes(
        definition=top.text("definition"),
        organization=top.text("organization"),
        skypilot_minimum=top.text("skypilot_minimum"),
        labels=_labels(top.raw("labels"), "labels"),
        namespace=top.text("namespace"),
        priority_class=top.text("priority_class"),
        priorities=priorities,
        profiles=profiles,
        clusters=clusters,
        routes=accelerator_routes,
        cpu_routes=cpu_routes,
        teams=teams,
        pod_fields=pod_fields,
        update_command=top.optional_text("update_command") or "pip install --upgrade skyfleet-policy",
        accelerators=_accelerators(accelerator_routes),
        places=_places(clusters),
        contexts={cluster.context: name for name, cluster in clusters.items()},
        machines={
            p.instance_type: (name, p) for name, c in clusters.items() for p in c.pools.values() if p.instance_type
        },
        taints=frozenset(t for cluster in clusters.values() for pool in cluster.pools.values() for t in pool.taints),
        cpu_clusters=_cpu_clusters(cpu_routes, clusters),
        defaults={kind: name for name, profile in profiles.items() for kind in profile.default_for},
    )
    top.finish()
    _resolve(routes)
    return routes


def _labels(value: object, path: str) -> LabelKeys:
    fields = Fields(value, path)
    keys = LabelKeys(*(fields.text(name) for name in ("team", "workload", "provider", "cost_center")))
    fields.finish()
    return keys


def _profile(value: object, path: str) -> Profile:
    fields = Fields(value, path)
    profile = Profile(
        priority=fields.text("priority"),
        max_accelerators=fields.optional_whole("max_accelerators"),
        autostop_minutes=fields.optional_whole("autostop_minutes", least=1),
        admission_timeout_minutes=fields.optional_whole("admission_timeout_minutes", least=1),
        default_for=fields.texts("default_for"),
        priority_fixed=fields.flag("priority_fixed"),
    )
    fields.finish()
    return profile


def _cluster(value: object, path: str) -> Cluster:
    fields = Fields(value, path)
    pools = fields.table("pools", _pool)
    cluster = Cluster(
        provider=fields.text("provider"),
        answers_to=fields.texts("answers_to"),
        context=fields.text("context"),
        pools=pools,
        sizes=_sizes(pools.values()),
        region=fields.optional_text("region"),
        volumes=fields.optional_list("volumes", _volume),
    )
    fields.finish()
    return cluster


def _sizes(pools: Iterable[Pool]) -> dict[str | None, tuple[Pool, ...]]:
    by_size = sorted(pools, key=lambda pool: (pool.accelerators_per_node, pool.cpu))
    return {
        key: tuple(pool for pool in by_size if pool.accelerator == key)
        for key in {pool.accelerator for pool in by_size}
    }


def _volume(value: object, path: str) -> Volume:
    fields = Fields(value, path)
    volume = Volume(
        name=fields.text("name"),
        claim=fields.text("claim"),
        mount_path=fields.text("mount_path"),
        environment=fields.optional_table("environment", as_any_text),
        read_only=fields.flag("read_only"),
        group=fields.optional_whole("group"),
    )
    fields.finish()
    for variable in volume.environment:
        if variable in TOKENS:
            raise FieldError(f"{path}.environment.{variable}: would put tokens on a shared volume")
    return volume


def _infiniband(value: object, path: str) -> Infiniband:
    fields = Fields(value, path)
    infiniband = Infiniband(
        exposure=fields.text("exposure"),
        resources=fields.optional_table("resources", as_whole),
        environment=fields.optional_table("environment", as_any_text),
        packages=fields.texts("packages") if fields.has("packages") else (),
        library=fields.optional_text("library"),
        host_device=fields.flag("host_device"),
    )
    fields.finish()
    return infiniband


def _pool(value: object, path: str) -> Pool:
    fields = Fields(value, path)
    pool = Pool(
        accelerator=fields.optional_text("accelerator"),
        accelerators_per_node=fields.whole("accelerators_per_node"),
        cpu=fields.number("cpu"),
        memory_gib=fields.number("memory_gib"),
        nodes=fields.whole("nodes"),
        node_labels=fields.table("node_labels", as_any_text),
        infiniband=_infiniband(fields.raw("infiniband"), fields.at("infiniband")) if fields.has("infiniband") else None,
        instance_type=fields.optional_text("instance_type"),
        taints=fields.texts("taints") if fields.has("taints") else _default_taints(fields),
    )
    fields.finish()
    return pool


def _default_taints(fields: Fields) -> tuple[str, ...]:
    """What GKE puts on nodes with accelerators, and the other providers of a fleet after it."""
    return ("nvidia.com/gpu",) if fields.has("accelerator") else ()


def _action(value: object, path: str) -> Action:
    for action in ACTIONS:
        if value == action:
            return action
    raise FieldError(f"{path}: must be one of {', '.join(ACTIONS)}, is {value!r}")


def _team(value: object, path: str) -> Team:
    fields = Fields(value, path)
    members = fields.texts("members")
    team = Team(
        cost_center=fields.text("cost_center"),
        members=members,
        clusters=fields.texts("clusters"),
        priorities=fields.texts("priorities"),
        matcher=re.compile("|".join(fnmatch.translate(member.casefold()) for member in members) or r"(?!)"),
    )
    fields.finish()
    return team


def _texts(value: object, path: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise FieldError(f"{path}: must be a list of strings, is {value!r}")
    return tuple(as_text(item, f"{path}[{i}]") for i, item in enumerate(value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON


def _accelerators(routes: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    names: dict[str, str] = {}
    for name in routes:
        other = names.setdefault(name.casefold(), name)
        if other != name:
            raise FieldError(f"routes.{name}: differs only in case from `{other}`")
    return names


def _places(clusters: Mapping[str, Cluster]) -> dict[str, tuple[str, ...]]:
    places: dict[str, tuple[str, ...]] = {}
    for name, cluster in clusters.items():
        for place in dict.fromkeys(text.casefold() for text in (name, *cluster.answers_to)):
            places[place] = (*places.get(place, ()), name)
    return places


def _cpu_clusters(cpu_routes: tuple[str, ...], clusters: Mapping[str, Cluster]) -> tuple[str, ...]:
    others = (name for name, cluster in clusters.items() if cluster.pool_for(None) and name not in cpu_routes)
    return (*cpu_routes, *others)


def _resolve(routes: Routes) -> None:
    """Every name resolves: a table that contradicts itself must not decide anything."""
    for name, profile in routes.profiles.items():
        _known((profile.priority,), routes.priorities, f"profiles.{name}.priority", "priorities")
        _known(profile.default_for, DEFAULT_FOR, f"profiles.{name}.default_for", "kinds of request")
    for accelerator, clusters in routes.routes.items():
        _known(clusters, routes.clusters, f"routes.{accelerator}", "clusters")
        for cluster in clusters:
            if routes.clusters[cluster].pool_for(accelerator) is None:
                raise FieldError(f"routes.{accelerator}: cluster `{cluster}` has no pool with {accelerator}")
    _known(routes.cpu_routes, routes.clusters, "cpu_routes", "clusters")
    for cluster in routes.cpu_routes:
        if routes.clusters[cluster].pool_for(None) is None:
            raise FieldError(f"cpu_routes: cluster `{cluster}` has no pool without accelerator")
    for name, team in routes.teams.items():
        _known(team.clusters, routes.clusters, f"teams.{name}.clusters", "clusters")
        _known(team.priorities, routes.priorities, f"teams.{name}.priorities", "priorities")


def _known(names: Iterable[str], known: Iterable[str], path: str, what: str) -> None:
    for name in names:
        if name not in known:
            raise FieldError(f"{path}: `{name}` is not among the {what}")
