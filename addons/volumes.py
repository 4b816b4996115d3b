"""Volumes that every pod of a cluster shares, as claims that many nodes may write to.

Each volume is made by hand and bound to its one claim, so that the claim of a task can never reach another's folder or the whole
file system. Nothing enforces the sizes: the clean-up does (see cleanup.py).
"""

from addons.objects import SYSTEM_NAMESPACE, Manifest, manifest_object
from skyfleet.model import Cluster, Fleet
from skyfleet.volumes import Filesystem, filesystems_of, nfs_server, volumes_of

ROOT_CLAIM = "{}-root"
"""Claim of the whole file system, for the clean-up alone."""
_NFS_OPTIONS = {True: ["nfsvers=3", "nolock", "hard"], False: ["nfsvers=4.1", "hard"]}
"""Of Filestore's basic tiers, which know no later version, and of the others."""


def volumes(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    made: list[Manifest] = []
    for filesystem in filesystems_of(cluster):
        made += _volume(cluster, filesystem, "", ROOT_CLAIM.format(filesystem.name), SYSTEM_NAMESPACE)
    for volume in volumes_of(cluster):
        made += _volume(cluster, volume.filesystem, f"/{volume.folder}", volume.name, fleet.organization.namespace)
    return made


def _volume(cluster: Cluster, filesystem: Filesystem, folder: str, claim: str, namespace: str) -> list[Manifest]:
    """A volume and the claim that alone may have it."""
    volume = manifest_object(
        "v1",
        "PersistentVolume",
        f"skyfleet-{claim}",
        spec={
            "capacity": {"storage": f"{filesystem.size_gib}Gi"},
            "accessModes": ["ReadWriteMany"],
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "",
            "claimRef": {"namespace": namespace, "name": claim},
            **_source(cluster, filesystem, folder),
        },
    )
    request = manifest_object(
        "v1",
        "PersistentVolumeClaim",
        claim,
        namespace=namespace,
        spec={
            "accessModes": ["ReadWriteMany"],
            "storageClassName": "",
            "volumeName": f"skyfleet-{claim}",
            # a claim on a hand-made volume cannot grow later; what it asks for only has to be no more than the volume
            "resources": {"requests": {"storage": "1Gi"}},
        },
    )
    return [volume, request]


def _source(cluster: Cluster, filesystem: Filesystem, folder: str) -> Manifest:
    """`Directory`: where the file system is not mounted the folder is missing, and the pod waits instead of filling the node's disk."""
    if cluster.provider == "gke":
        basic = cluster.filestore_tier.startswith("BASIC")
        server = {"server": nfs_server(cluster, filesystem), "path": f"/{filesystem.name}{folder}"}
        return {"mountOptions": _NFS_OPTIONS[basic], "nfs": server}
    return {"hostPath": {"path": f"{filesystem.path}{folder}", "type": "Directory"}}
