"""An engineer's own pod configuration, without what is the fleet's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skyfleet_policy import pods
from skyfleet_policy._fields import mapping
from skyfleet_policy.containers import OWNED, items
from skyfleet_policy.contract import Pool, Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.nested import get, pruned, put
from skyfleet_policy.request import Request
from skyfleet_policy.rules.infiniband import fabric
from skyfleet_policy.text import listed

POD = ("kubernetes", "pod_config")
METADATA = ("kubernetes", "custom_metadata")
UNUSED = "config.ssh has no effect: the fleet's clusters are Kubernetes; write it under config.kubernetes"
REMEDY = "leave it out, or ask the platform team"

NOT_FOR_TASKS = {
    ("kubernetes", "remote_identity"): "it acts as somebody else",
    ("kubernetes", "enable_docker"): "it needs a privileged container",
    ("kubernetes", "context_configs"): "clusters are the fleet's",
    ("kubernetes", "namespace"): "pods run in the fleet's namespace",
}
"""Settings beside the pod configuration that tasks may not have."""


def tidy(request: Request, routes: Routes) -> Outcome:
    """Reject or strip, field by field, as the definition says."""
    warnings = (UNUSED,) if request.config.get("ssh") else ()
    if not get(request.config, POD) and not get(request.config, METADATA) and not _beside(request):
        return Outcome(request, warnings=warnings)
    config, stripped, problems = sift(request.config, ("kubernetes",), routes, "config.", _granted(request, routes))
    if config is not request.config:
        request = request.changed(config=config)
    pod = mapping(get(request.config, POD))
    problems.extend(_misshapen(pod))
    problems.extend(_settings(request))
    problems.extend(_owners(request, routes))
    for pool in _pools(request, routes):
        problems.extend(_selectors(pod, pool))
        problems.extend(_tolerations(pod, pool, routes))
    did = tuple(f"without {place}" for place in stripped)
    warnings += tuple(f"{place} was removed: it is the fleet's" for place in stripped)
    return Outcome(request, did, tuple(dict.fromkeys(problems)), warnings)


def saw(request: Request, routes: Routes) -> str:
    """Which sections the task has."""
    del routes
    return listed(path[-1] for path in (POD, METADATA, *NOT_FOR_TASKS) if get(request.config, path))


def sift(
    config: Mapping[str, object],
    scope: tuple[str, ...],
    routes: Routes,
    prefix: str = "",
    granted: frozenset[str] = frozenset(),
) -> tuple[Mapping[str, object], list[str], list[Problem]]:
    """A configuration without what is to be stripped, the places of that, and a problem for each field to be rejected.

    Args:
        config: any configuration of SkyPilot's.
        scope: where its settings for Kubernetes are.
        routes: what to do with each field.
        prefix: how messages begin the name of a place.
        granted: keys that the fleet itself has given the task.
    """
    stripped: list[str] = []
    problems: list[Problem] = []
    for section, search in (("pod_config", pods.forbidden), ("custom_metadata", pods.forbidden_metadata)):
        path = (*scope, section)
        held = get(config, path)
        value = pruned(held)
        removed: list[pods.Place] = []
        for field, place in search(mapping(value)):
            action = routes.pod_fields.get(field.path, field.action)
            name = f"{prefix}{'.'.join(path)}.{pods.shown(place)}"
            if action == "allow" or _is_granted(value, place, granted):
                continue
            if action == "strip":
                removed.append(place)
                stripped.append(name)
            else:
                problems.append(Problem(name, f"is not for tasks: {field.reason}", REMEDY))
        for place in reversed(removed):
            value = pods.remove(value, place)
        if value is not held:
            config = put(config, path, value)
    return config, stripped, problems


def _granted(request: Request, routes: Routes) -> frozenset[str]:
    """What the rule `infiniband` gives the task, and a second application finds."""
    if not request.candidates or not (found := fabric(request.candidates[0], request, routes)):
        return frozenset()
    return frozenset(found.resources) | ({"privileged", "hostPath"} if found.host_device else frozenset())


def _is_granted(value: object, place: pods.Place, granted: frozenset[str]) -> bool:
    if place[-1] not in granted:
        return False
    if place[-1] != "hostPath":
        return True
    volume = items(mapping(mapping(value).get("spec")).get("volumes"))[int(place[2])]
    return str(volume.get("name")).startswith(OWNED)


def _beside(request: Request) -> bool:
    return any(key in mapping(request.config.get("kubernetes")) for _, key in NOT_FOR_TASKS)


def _misshapen(pod: Mapping[str, object]) -> Iterator[Problem]:
    for place, shape in pods.misshapen(pod):
        name = f"config.kubernetes.pod_config.{pods.shown(place)}"
        yield Problem(name, f"must be {shape}", "see the Kubernetes reference of Pod")


def _settings(request: Request) -> Iterator[Problem]:
    for path, reason in NOT_FOR_TASKS.items():
        if get(request.config, path):
            yield Problem(f"config.{'.'.join(path)}", f"is not for tasks: {reason}", REMEDY)


def _owners(request: Request, routes: Routes) -> Iterator[Problem]:
    """The owner's labels, which a pod configuration would put over the task's."""
    keys = (routes.labels.team, routes.labels.cost_center, routes.labels.workload)
    for path in ((*POD, "metadata", "labels"), (*METADATA, "labels")):
        for key, value in mapping(get(request.config, path)).items():
            if key in keys and request.label_values(key) not in ((), (value,)):
                what = f"is {value}, but the task's label is {listed(request.label_values(key))}"
                yield Problem(f"config.{'.'.join(path)}.{key}", what, "leave it out: it follows from the task's labels")


def _pools(request: Request, routes: Routes) -> list[Pool]:
    pools = (
        routes.clusters[c.cluster].pool_for(c.accelerator, c.accelerator_count) for c in request.candidates if c.cluster
    )
    return [pool for pool in pools if pool]


def _selectors(pod: Mapping[str, object], pool: Pool) -> Iterator[Problem]:
    for key, value in mapping(get(pod, ("spec", "nodeSelector"))).items():
        right = pool.node_labels.get(key)
        if right is not None and value != right:
            what = f"is {value}, but the task goes to nodes with {right}"
            yield Problem(
                f"config.kubernetes.pod_config.spec.nodeSelector[{key}]",
                what,
                "leave it out: it follows from the resources",
            )


def _tolerations(pod: Mapping[str, object], pool: Pool, routes: Routes) -> Iterator[Problem]:
    for index, toleration in enumerate(items(get(pod, ("spec", "tolerations")))):
        key = toleration.get("key")
        field = f"config.kubernetes.pod_config.spec.tolerations[{index}]"
        if not key:
            yield Problem(field, "is not for tasks: it tolerates every taint", REMEDY)
        elif key in routes.taints and key not in pool.taints:
            yield Problem(field, f"is not for tasks: {key} keeps them off the nodes of other pools", REMEDY)
        elif key not in routes.taints and key not in pods.TOLERATED:
            yield Problem(field, f"is not for tasks: no pool of the fleet has the taint {key}", REMEDY)
