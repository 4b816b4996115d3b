"""What a difference of two graphs does to nodes and data. Pulumi says "update" where a GPU pool is about to be rolled; this tells them apart."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from skyfleet.model.cloud import effect
from skyfleet.preview.graph import Graph, Resource
from skyfleet.preview.roles import Role, Size, roles

Kind = Literal[
    "create",
    "delete",
    "leave",
    "replace",
    "loses-data",
    "removes-nodes",
    "rolls-nodes",
    "refused",
    "new-nodes-only",
    "in-place",
]
_SECRET = "4dabf18193072939515e22adb298388d"  # noqa: S105 - the wire's mark of a secret, not one

WEIGHT: dict[str, int] = {
    "loses-data": 7,
    "replace": 6,
    "removes-nodes": 5,
    "rolls-nodes": 4,
    "refused": 3,
    "new-nodes-only": 2,
    "in-place": 1,
}


@dataclass(frozen=True)
class InputChange:
    path: str
    before: Any
    after: Any
    effect: str


@dataclass(frozen=True)
class ResourceChange:
    type: str
    name: str
    effect: Kind
    """The heaviest of its inputs'."""
    role: Role | None = None
    accelerators: bool = False
    """Whether its nodes have some."""
    protected: bool = False
    """Pulumi refuses to delete or replace it until the protection is lifted."""
    inputs: tuple[InputChange, ...] = ()
    because_of: str | None = None
    """The resource whose replacement carries this one along."""
    source: str | None = None

    grows: bool = False
    """Whether there is more of it: nodes, or room."""


def compare(before: Graph, after: Graph) -> list[ResourceChange]:
    """Every resource that is created, deleted or changed, those first that weigh most."""
    found: dict[str, ResourceChange] = {}
    for key in sorted({*before.resources, *after.resources}):
        change = _change(before, after, key)
        if change is not None:
            found[key] = change
    _carry_along(after.resources, found)
    return sorted(found.values(), key=lambda change: (-WEIGHT.get(change.effect, 0), change.type, change.name))


def _change(before: Graph, after: Graph, key: str) -> ResourceChange | None:
    old, new = before.resources.get(key), after.resources.get(key)
    if new is None:
        assert old is not None  # noqa: S101 - one of the two has the key
        return _of(old, "leave" if old.retained else "delete", protected=old.protect)
    if old is None:
        return _of(new, "create")
    shrinks = _size(new) < _size(old)
    inputs = tuple(
        InputChange(path, _shown(left), _shown(right), _effect(new, path, shrinks=shrinks))
        for path, left, right in (*_differences(old.inputs, new.inputs), *_from_provider(before, after, old, new))
        if path.partition(".")[0] not in new.ignored
    )
    if not inputs:
        return None
    heaviest = max((change.effect for change in inputs), key=WEIGHT.__getitem__)
    return _of(new, heaviest, inputs=inputs, protected=old.protect, grows=_size(new) > _size(old))


def _of(resource: Resource, kind: Any, *, protected: bool = False, **more: Any) -> ResourceChange:
    return ResourceChange(
        resource.type,
        resource.name,
        kind,
        role=roles().of(resource.type),
        accelerators=f'"{roles().accelerator_taint}"' in json.dumps(resource.inputs),
        protected=protected and kind in {"delete", "replace", "loses-data"},
        source=roles().source(resource.type),
        **more,
    )


def _effect(resource: Resource, path: str, *, shrinks: bool) -> str:
    size = _size_of(resource)
    if size and shrinks and path.partition(".")[0] in {each.partition(".")[0] for each in size.paths}:
        return size.when_less
    if resource.type.startswith("pulumi:providers:"):
        return "in-place"
    return effect(resource.type, path)


def _size(resource: Resource) -> float:
    """The largest that it may become: nodes or GiB; -1 for what has no size."""
    size = _size_of(resource)
    paths = size.paths if size else ()
    return max((value for path in paths if isinstance(value := _at(resource.inputs, path), int | float)), default=-1)


def _shown(value: Any) -> Any:
    """Less what Pulumi marks as secret: a report is for everybody."""
    if isinstance(value, Mapping):
        return "[secret]" if _SECRET in value else {key: _shown(item) for key, item in value.items()}
    return [_shown(item) for item in value] if isinstance(value, list) else value


def _size_of(resource: Resource) -> Size | None:
    role = roles().of(resource.type)
    return roles().sizes.get(role) if role else None


def _at(inputs: Any, path: str) -> Any:
    for part in path.split("."):
        inputs = inputs.get(part) if isinstance(inputs, Mapping) else None
    return inputs


def _from_provider(before: Graph, after: Graph, old: Resource, new: Resource) -> Iterator[tuple[str, Any, Any]]:
    """Project and region of the provider are those of every resource that does not say its own."""
    left, right = before.resources.get(old.provider or ""), after.resources.get(new.provider or "")
    if left is None or right is None:
        return
    for name in roles().provider_inputs:
        if name not in old.inputs and name not in new.inputs and left.inputs.get(name) != right.inputs.get(name):
            yield name, left.inputs.get(name), right.inputs.get(name)


def _differences(before: Any, after: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping) and _SECRET not in {*before, *after}:
        for key in sorted({*before, *after}):
            yield from _differences(before.get(key), after.get(key), f"{at}.{key}" if at else str(key))
    else:
        yield at, before, after


def _carry_along(resources: Mapping[str, Resource], found: dict[str, ResourceChange]) -> None:
    """What is replaced gets a new identity, and with it whoever holds that in an input which cannot be changed in place."""
    waiting = [key for key, change in found.items() if change.effect in {"replace", "loses-data"}]
    while waiting:
        replaced = waiting.pop()
        for key, resource in resources.items():
            effects = [effect(resource.type, name) for name, keys in resource.inputs_from.items() if replaced in keys]
            heaviest = max(effects, key=WEIGHT.__getitem__, default="in-place")
            known = found.get(key)
            if heaviest == "in-place" or (known and WEIGHT.get(known.effect, 9) >= WEIGHT[heaviest]):
                continue
            inputs = known.inputs if known else ()
            found[key] = _of(
                resource, heaviest, protected=resource.protect, inputs=inputs, because_of=replaced.split("::")[1]
            )
            if heaviest in {"replace", "loses-data"}:
                waiting.append(key)
