"""Shared volumes of a cluster: the file systems behind them, and what pods see of each."""

from dataclasses import dataclass
from typing import Literal

from skyfleet.model import Cluster

ROOT = "/mnt/skyfleet"
"""Where nodes mount file systems of ours."""

Purpose = Literal["caches", "scratch"]


@dataclass(frozen=True)
class Filesystem:
    """One file system that every node of the cluster reaches."""

    name: Purpose
    size_gib: int
    path: str
    """Its mount on nodes, where nodes mount it themselves."""


@dataclass(frozen=True)
class Volume:
    """A folder of a file system, which pods mount by the claim of this name."""

    name: str
    filesystem: Filesystem
    folder: str

    @property
    def path(self) -> str:
        return f"{self.filesystem.path}/{self.folder}"

    @property
    def mount_path(self) -> str:
        """Where pods have it, the same on every cluster."""
        return f"/mnt/{self.name}"


def filesystems_of(cluster: Cluster) -> tuple[Filesystem, ...]:
    root = cluster.shared_path if cluster.provider == "existing" else ROOT
    found: list[Filesystem] = []
    if cluster.caches is not None and (cluster.caches.packages or cluster.caches.models):
        found.append(Filesystem("caches", cluster.caches.size_gib, f"{root}/caches"))
    if cluster.scratch is not None:
        found.append(Filesystem("scratch", cluster.scratch.size_gib, f"{root}/scratch"))
    return tuple(found)


def volumes_of(cluster: Cluster) -> tuple[Volume, ...]:
    """`cache-packages`, `cache-models`, `scratch`: those that the cluster has."""
    return tuple(volume for filesystem in filesystems_of(cluster) for volume in _volumes(cluster, filesystem))


def nfs_server(cluster: Cluster, filesystem: Filesystem) -> str:
    """Name by which nodes on Google Cloud find a file system: it stays when the address behind it changes."""
    return f"{filesystem.name}.{cluster.name}.skyfleet.internal"


def _volumes(cluster: Cluster, filesystem: Filesystem) -> list[Volume]:
    if cluster.caches is None or filesystem.name == "scratch":
        return [Volume("scratch", filesystem, "scratch")]
    wanted = {"packages": cluster.caches.packages, "models": cluster.caches.models}
    return [Volume(f"cache-{folder}", filesystem, folder) for folder, is_wanted in wanted.items() if is_wanted]
