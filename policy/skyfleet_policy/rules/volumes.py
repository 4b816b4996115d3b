"""Shared caches and scratch space: each mount comes with the variables that make programs use it."""

from __future__ import annotations

from skyfleet_policy.containers import OWNED, Item, container, items, with_environment, with_mounts
from skyfleet_policy.decision import Outcome
from skyfleet_policy.nested import get
from skyfleet_policy.request import Request
from skyfleet_policy.routes import Routes, Volume
from skyfleet_policy.rules.infiniband import DEVICES, VOLUME, fabric
from skyfleet_policy.text import listed

FS_GROUP = ("kubernetes", "pod_config", "spec", "securityContext", "fsGroup")
FS_GROUP_CHANGE = ("kubernetes", "pod_config", "spec", "securityContext", "fsGroupChangePolicy")


def mount(request: Request, routes: Routes) -> Outcome:
    """The volumes of the task's cluster; where the engineer mounts something of their own, that stays."""
    first = request.candidates[0]
    shared = routes.clusters[first.cluster].volumes if first.cluster else ()
    taken = request.mounts | _mounted(request)
    wanted = [volume for volume in shared if volume.mount_path not in taken]
    saw = f"{listed(volume.mount_path for volume in shared)} on {first.cluster or 'no cluster'}"
    found = fabric(first, request, routes)
    sources = [_source(volume) for volume in wanted]
    mounts = [_mount(volume) for volume in wanted]
    if found and found.host_device:
        sources.append({"name": VOLUME, "hostPath": {"path": DEVICES, "type": "Directory"}})
        mounts.append({"name": VOLUME, "mountPath": DEVICES})
    request = with_mounts(request, sources, mounts)
    did: list[str] = []
    for volume in wanted:
        request, names = with_environment(request, volume.environment)
        did.append(f"mounts {volume.mount_path}" + (f" and sets {listed(names)}" if names else ""))
        request = _writable(request, volume)
    left = [volume.mount_path for volume in shared if volume.mount_path in taken]
    if left:
        did.append(f"leaves {listed(left)} to the task's own mount")
    return Outcome(request, saw, tuple(did))


def _mounted(request: Request) -> frozenset[str]:
    """Where the engineer's own pod configuration mounts something."""
    mounts = items(container(request).get("volumeMounts"))
    return frozenset(str(one.get("mountPath")) for one in mounts if not str(one.get("name", "")).startswith(OWNED))


def _source(volume: Volume) -> Item:
    return {"name": f"{OWNED}{volume.name}", "persistentVolumeClaim": {"claimName": volume.claim}}


def _mount(volume: Volume) -> Item:
    item: dict[str, object] = {"name": f"{OWNED}{volume.name}", "mountPath": volume.mount_path}
    return {**item, "readOnly": True} if volume.read_only else item


def _writable(request: Request, volume: Volume) -> Request:
    """A group that may write, whatever user the image runs as; an engineer's own fsGroup stays."""
    if volume.group is None or get(request.config, FS_GROUP) is not None:
        return request
    return request.with_config(FS_GROUP, volume.group).with_config(FS_GROUP_CHANGE, "OnRootMismatch")
