"""Reads `routes.json` into the contract, strictly: a table that cannot be trusted decides nothing.

The definition's generator writes the file, the policy ships it as package data. Nothing here knows a fleet.
"""

from __future__ import annotations

import fnmatch
import functools
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from skyfleet_policy._fields import FieldError, Fields, as_any_text, as_text, as_whole
from skyfleet_policy.contract import (
    ACTIONS,
    DEFAULT_FOR,
    TOKENS,
    Action,
    Cluster,
    Infiniband,
    LabelKeys,
    Pool,
    Profile,
    Routes,
    Team,
    Volume,
)
from skyfleet_policy.pods import FIELDS

CONTRACT = 1
"""The version of the contract that this code reads."""

HOST_PATH = "host-path"
"""The exposure whose pods take the devices from the node themselves."""

SHIPPED = Path(__file__).with_name("routes.json")
"""The table that the wheel carries."""


class RoutesError(ValueError):
    """The table is missing, unreadable or of another contract. The message names file, field and remedy."""


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
        host_device=fields.flag("host_device") or fields.text("exposure") == HOST_PATH,
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
    _known(routes.pod_fields, {field.path for field in FIELDS}, "pod_fields", "fields of a pod that are the fleet's")
    for name, team in routes.teams.items():
        _known(team.clusters, routes.clusters, f"teams.{name}.clusters", "clusters")
        _known(team.priorities, routes.priorities, f"teams.{name}.priorities", "priorities")


def _known(names: Iterable[str], known: Iterable[str], path: str, what: str) -> None:
    for name in names:
        if name not in known:
            raise FieldError(f"{path}: `{name}` is not among the {what}")
