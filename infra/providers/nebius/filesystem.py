"""Shared file systems, and how a node mounts them."""

import pulumi
import pulumi_nebius as nebius
import yaml

from infra.site import Site
from skyfleet.model.cluster import NebiusCluster
from skyfleet.volumes import Filesystem, filesystems_of

TYPE = "NETWORK_SSD"


def filesystems(site: Site[NebiusCluster]) -> dict[Filesystem, nebius.ComputeV1Filesystem]:
    return {filesystem: _filesystem(site, filesystem) for filesystem in filesystems_of(site.cluster)}


def mounts(made: dict[Filesystem, nebius.ComputeV1Filesystem]) -> list[nebius.Mk8sV1NodeGroupTemplateFilesystemArgs]:
    """For every node group, since a pod on a group without it would wait for ever (clouds.md, trap 16)."""
    return [
        nebius.Mk8sV1NodeGroupTemplateFilesystemArgs(
            attach_mode="READ_WRITE",
            mount_tag=filesystem.name,
            existing_filesystem=nebius.Mk8sV1NodeGroupTemplateFilesystemExistingFilesystemArgs(id=resource.id),
        )
        for filesystem, resource in made.items()
    ]


def cloud_init(filesystems: tuple[Filesystem, ...]) -> pulumi.Output[str] | None:
    """Mount at boot. A secret, as the provider treats all of a node's user data."""
    if not filesystems:
        return None
    commands = [command for filesystem in filesystems for command in _mount(filesystem)]
    return pulumi.Output.secret("#cloud-config\n" + yaml.safe_dump({"runcmd": commands}, sort_keys=False, width=200))


def _mount(filesystem: Filesystem) -> list[list[str]]:
    """`nofail`, or a node whose file system is missing would not boot."""
    path = filesystem.path
    line = f"{filesystem.name} {path} virtiofs rw,nofail 0 0"
    return [
        ["mkdir", "-p", path],
        ["sh", "-c", f"grep -qs ' {path} ' /etc/fstab || echo '{line}' >> /etc/fstab"],
        ["mount", path],
    ]


def _filesystem(site: Site[NebiusCluster], filesystem: Filesystem) -> nebius.ComputeV1Filesystem:
    """It outlives the cluster: protected on both sides, and left there when the stack goes."""
    name = f"{site.cluster.name}-{filesystem.name}"
    return nebius.ComputeV1Filesystem(
        name,
        name=name,
        parent_id=site.cluster.project,
        type=TYPE,
        size_gibibytes=filesystem.size_gib,
        forbid_deletion=site.settings.protect,
        labels=site.labels(),
        opts=site.options(name, protect=True, retain=True),
    )
