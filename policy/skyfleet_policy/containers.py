"""Changes to the pod configuration of a task: to its own container and to its volumes, merged, never doubled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

Item = Mapping[str, object]


def items(value: object) -> list[Item]:
    """A list of mappings; empty where it is something else, as SkyPilot treats null."""
    return [mapping(item) for item in cast("list[object]", value)] if isinstance(value, list) else []


def opened(request: Request) -> tuple[Item, Item]:
    """What the engineer, or an earlier application, says of the pod's specification and of the task's container."""
    spec = mapping(get(request.config, _SPEC))
    return spec, next((item for item in items(spec.get("containers")) if _is_task(item)), {})


def closed(request: Request, spec: Item, container: Item) -> Request:
    """The request with a specification, and in it the task's container; itself where both are as they were."""
    held = items(spec.get("containers"))
    place = next((index for index, item in enumerate(held) if _is_task(item)), None)
    if place is not None:
        held[place] = container
    elif container:
        held.append({"name": CONTAINER, **container})
    return request.with_config(_SPEC, {**spec, "containers": held}) if held else _written(request, spec)


def _written(request: Request, spec: Item) -> Request:
    return request.with_config(_SPEC, spec) if spec else request


def _is_task(item: Item) -> bool:
    """SkyPilot merges a container without name into its own."""
    return item.get("name", CONTAINER) == CONTAINER


def new_variables(environment: Mapping[str, str], container: Item, request: Request) -> dict[str, str]:
    """The variables that the engineer does not set, neither in the task nor in its container."""
    taken = request.environment | {str(entry.get("name")) for entry in items(container.get("env"))}
    return {
        name: value
        for name, value in environment.items()
        if name not in taken and (name not in ALIASES or taken.isdisjoint(ALIASES[name]))
    }


def with_variables(container: Item, variables: Mapping[str, str]) -> Item:
    """A container with more variables."""
    if not variables:
        return container
    entries = [{"name": name, "value": value} for name, value in variables.items()]
    return {**container, "env": [*items(container.get("env")), *entries]}


def with_owned(item: Item, key: str, new: Iterable[Item]) -> Item:
    """A specification or container whose list has the policy's entries, in place of those an earlier application left."""
    held = items(item.get(key))
    merged = [*(entry for entry in held if not is_owned(entry)), *new]
    if merged == held:
        return item
    if merged:
        return {**item, key: merged}
    return {name: value for name, value in item.items() if name != key}


def is_owned(entry: Item) -> bool:
    """Whether a volume or a mount is the policy's."""
    return str(entry.get("name", "")).startswith(OWNED)
