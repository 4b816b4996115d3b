"""Shared caches and scratch space: each mount comes with the variables that make programs use it."""

from __future__ import annotations

from collections.abc import Sequence

from skyfleet_policy._fields import mapping
from skyfleet_policy.containers import (
    OWNED,
    Item,
    closed,
    is_owned,
    items,
    new_variables,
    opened,
    with_owned,
    with_variables,
)
from skyfleet_policy.contract import Routes, Volume
from skyfleet_policy.decision import Outcome
from skyfleet_policy.request import Request
from skyfleet_policy.rules.infiniband import DEVICES, VOLUME, fabric
from skyfleet_policy.text import listed


def mount(request: Request, routes: Routes) -> Outcome:
    """The volumes of the task's cluster; where the engineer mounts something of their own, that stays."""
    first = request.candidates[0]
    shared = routes.clusters[first.cluster].volumes if first.cluster else ()
    spec, container = opened(request)
    own = items(container.get("volumeMounts"))
    taken = request.mounts | {str(mount.get("mountPath")) for mount in own if not is_owned(mount)}
    wanted = [volume for volume in shared if volume.mount_path not in taken]
    sources, mounts = [_source(volume) for volume in wanted], [_mount(volume) for volume in wanted]
    if (found := fabric(first, request, routes)) and found.host_device:
        sources.append({"name": VOLUME, "hostPath": {"path": DEVICES, "type": "Directory"}})
        mounts.append({"name": VOLUME, "mountPath": DEVICES})
    variables = new_variables({k: v for volume in wanted for k, v in volume.environment.items()}, container, request)
    spec = _writable(with_owned(spec, "volumes", sources), wanted)
    container = with_variables(with_owned(container, "volumeMounts", mounts), variables)
    return Outcome(closed(request, spec, container), _told(shared, wanted, variables))


def saw(request: Request, routes: Routes) -> str:
    """The volumes of the task's cluster."""
    cluster = request.candidates[0].cluster
    shared = routes.clusters[cluster].volumes if cluster else ()
    return f"{listed(volume.mount_path for volume in shared)} on {cluster or 'no cluster'}"


def _told(shared: Sequence[Volume], wanted: Sequence[Volume], variables: Item) -> tuple[str, ...]:
    did = [f"mounts {volume.mount_path}" for volume in wanted]
    if variables:
        did.append(f"sets {listed(variables)}")
    if len(wanted) < len(shared):
        did.append(f"leaves {listed(v.mount_path for v in shared if v not in wanted)} to the task's own mount")
    return tuple(did)


def _source(volume: Volume) -> Item:
    return {"name": OWNED + volume.name, "persistentVolumeClaim": {"claimName": volume.claim}}


def _mount(volume: Volume) -> Item:
    item: dict[str, object] = {"name": OWNED + volume.name, "mountPath": volume.mount_path}
    return {**item, "readOnly": True} if volume.read_only else item


def _writable(spec: Item, volumes: Sequence[Volume]) -> Item:
    """A group that may write, whatever user the image runs as; an engineer's own fsGroup stays."""
    group = next((volume.group for volume in volumes if volume.group is not None), None)
    security = mapping(spec.get("securityContext"))
    if group is None or security.get("fsGroup") is not None:
        return spec
    return {**spec, "securityContext": {**security, "fsGroup": group, "fsGroupChangePolicy": "OnRootMismatch"}}
