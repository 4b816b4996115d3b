"""Changes to the pod configuration of a task: to its own container and to its volumes, merged, never doubled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from skyfleet_policy._fields import mapping
from skyfleet_policy.nested import get
from skyfleet_policy.pods import CONTAINER
from skyfleet_policy.request import Request

OWNED = "skyfleet-"
"""Volumes whose name begins so are the policy's."""

ALIASES = {"HF_HUB_CACHE": ("HF_HOME", "HUGGINGFACE_HUB_CACHE")}
"""Other variables by which an engineer says the same; they win too."""

_SPEC = ("kubernetes", "pod_config", "spec")
_CONTAINERS = (*_SPEC, "containers")

Item = Mapping[str, object]


def items(value: object) -> list[Item]:
    """A list of mappings; empty where it is something else, as SkyPilot treats null."""
    if not isinstance(value, list):
        return []
    return [mapping(item) for item in cast("Sequence[object]", value)]


def container(request: Request) -> Item:
    """What the engineer, or an earlier application, says of the task's container."""
    return next((item for item in items(get(request.config, _CONTAINERS)) if _is_task(item)), {})


def with_container(request: Request, change: Callable[[Item], Item]) -> Request:
    """The request with its container changed; itself where nothing changes."""
    old = container(request)
    new = change(old)
    if new == old:
        return request
    held = items(get(request.config, _CONTAINERS))
    if old:
        return request.with_config(_CONTAINERS, [new if item is old or item == old else item for item in held])
    return request.with_config(_CONTAINERS, [*held, {"name": CONTAINER, **new}])


def _is_task(item: Item) -> bool:
    """SkyPilot merges a container without name into its own."""
    return item.get("name", CONTAINER) == CONTAINER


def variables(item: Item) -> frozenset[str]:
    """The names of a container's variables."""
    return frozenset(str(entry.get("name")) for entry in items(item.get("env")))


def with_environment(request: Request, environment: Mapping[str, str]) -> tuple[Request, list[str]]:
    """The request with variables in its container, and their names; those that the engineer sets are left alone."""
    taken = request.environment | variables(container(request))
    new = {
        name: value
        for name, value in environment.items()
        if name not in taken and taken.isdisjoint(ALIASES.get(name, ()))
    }
    if not new:
        return request, []
    entries = [{"name": name, "value": value} for name, value in new.items()]
    return with_container(request, lambda item: {**item, "env": [*items(item.get("env")), *entries]}), list(new)


def with_mounts(request: Request, volumes: Iterable[Item], mounts: Iterable[Item]) -> Request:
    """The request with the policy's volumes and mounts, in place of those that an earlier application left."""
    path = (*_SPEC, "volumes")
    held = items(get(request.config, path))
    merged = [*(item for item in held if not _owned(item)), *volumes]
    if merged != held:
        request = request.with_config(path, merged) if merged else request.without_config(path)
    return with_container(request, lambda item: _mounted(item, mounts))


def _mounted(item: Item, mounts: Iterable[Item]) -> Item:
    held = items(item.get("volumeMounts"))
    merged = [*(mount for mount in held if not _owned(mount)), *mounts]
    if merged == held:
        return item
    if merged:
        return {**item, "volumeMounts": merged}
    return {key: value for key, value in item.items() if key != "volumeMounts"}


def _owned(item: Item) -> bool:
    return str(item.get("name", "")).startswith(OWNED)
