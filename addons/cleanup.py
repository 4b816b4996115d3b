"""The clean-up of shared volumes: a job that makes the folders, and for each file system one that keeps it in order."""

import hashlib
from importlib import resources

from addons.images import image
from addons.objects import SYSTEM_NAMESPACE, Manifest, manifest_object
from addons.volumes import ROOT_CLAIM
from skyfleet import nodes
from skyfleet.model import Cluster
from skyfleet.volumes import Filesystem, Purpose, filesystems_of, volumes_of

SCRIPT = "volume.py"
DEPTHS = {"packages": 3, "models": 2}
"""How far down a cache keeps what is deleted as a whole: `uv/archive-v0/<package>`, `hub/models--<owner>--<name>`."""
SCHEDULES: dict[Purpose, str] = {"caches": "47 */6 * * *", "scratch": "17 * * * *"}

_ROOT = "/volume"
_HOUR_SECONDS = 3600


def cleanup(cluster: Cluster) -> list[Manifest]:
    filesystems = filesystems_of(cluster)
    if not filesystems:
        return []
    return [
        _script(),
        *(_prepare(cluster, filesystem) for filesystem in filesystems),
        *(_clean(cluster, filesystem) for filesystem in filesystems),
    ]


def script() -> str:
    return resources.files("addons").joinpath(f"scripts/{SCRIPT}").read_text(encoding="utf-8")


def _script() -> Manifest:
    """Under a name that changes with it, so that no job runs half a version."""
    return manifest_object(
        "v1", "ConfigMap", _script_name(), namespace=SYSTEM_NAMESPACE, immutable=True, data={SCRIPT: script()}
    )


def _script_name() -> str:
    return f"volume-script-{hashlib.sha256(script().encode()).hexdigest()[:8]}"


def _prepare(cluster: Cluster, filesystem: Filesystem) -> Manifest:
    folders = _folders(cluster, filesystem)
    arguments = ["prepare", _ROOT, *(word for folder in folders for word in ("--folder", folder))]
    spec = {"backoffLimit": 6, "template": {"spec": _pod(cluster, filesystem, arguments, ["FOWNER"])}}
    digest = hashlib.sha256(f"{arguments}{_script_name()}".encode()).hexdigest()[:8]
    return manifest_object(
        "batch/v1", "Job", f"prepare-{filesystem.name}-{digest}", namespace=SYSTEM_NAMESPACE, spec=spec
    )


def _clean(cluster: Cluster, filesystem: Filesystem) -> Manifest:
    """One at a time, and no retries: the next run is the retry, and a failed job stays to be seen."""
    job = {
        "backoffLimit": 0,
        "activeDeadlineSeconds": 6 * _HOUR_SECONDS,
        "template": {"spec": _pod(cluster, filesystem, _arguments(cluster, filesystem), ["DAC_OVERRIDE", "FOWNER"])},
    }
    spec = {
        "schedule": SCHEDULES[filesystem.name],
        "concurrencyPolicy": "Forbid",
        "startingDeadlineSeconds": _HOUR_SECONDS,
        "successfulJobsHistoryLimit": 2,
        "failedJobsHistoryLimit": 2,
        "jobTemplate": {"spec": job},
    }
    return manifest_object("batch/v1", "CronJob", f"clean-{filesystem.name}", namespace=SYSTEM_NAMESPACE, spec=spec)


def _arguments(cluster: Cluster, filesystem: Filesystem) -> list[str]:
    """To try it first: `kubectl create job --from=cronjob/clean-caches try --dry-run=client -o yaml`, add --dry-run to args, apply."""
    if cluster.scratch is not None and filesystem.name == "scratch":
        return ["expire", f"{_ROOT}/scratch", "--days", str(cluster.scratch.retention_days)]
    assert cluster.caches is not None  # noqa: S101 - the file system is there because they are
    limit = cluster.caches.size_gib * cluster.caches.trim_to_percent // 100
    folders = [f"{folder}={DEPTHS[folder]}" for folder in _folders(cluster, filesystem)]
    return ["trim", _ROOT, *(word for folder in folders for word in ("--folder", folder)), "--to-gib", str(limit)]


def _folders(cluster: Cluster, filesystem: Filesystem) -> list[str]:
    return [volume.folder for volume in volumes_of(cluster) if volume.filesystem == filesystem]


def _pod(cluster: Cluster, filesystem: Filesystem, arguments: list[str], capabilities: list[str]) -> Manifest:
    """As root, since files belong to whatever user an image runs as; with no more of root's rights than that takes."""
    return {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "nodeSelector": _cpu_pool(cluster),
        "containers": [
            {
                "name": "volume",
                "image": image("python"),
                "command": ["python", f"/script/{SCRIPT}"],
                "args": arguments,
                "securityContext": {
                    "runAsUser": 0,
                    "allowPrivilegeEscalation": False,
                    "readOnlyRootFilesystem": True,
                    "capabilities": {"drop": ["ALL"], "add": capabilities},
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "1Gi"}},
                "volumeMounts": [
                    {"name": "script", "mountPath": "/script", "readOnly": True},
                    {"name": "volume", "mountPath": _ROOT},
                ],
            }
        ],
        "volumes": [
            {"name": "script", "configMap": {"name": _script_name()}},
            {"name": "volume", "persistentVolumeClaim": {"claimName": ROOT_CLAIM.format(filesystem.name)}},
        ],
    }


def _cpu_pool(cluster: Cluster) -> dict[str, str]:
    """The labels that select it."""
    return next((nodes.labels(cluster, pool) for pool in cluster.pools if pool.accelerator is None), {})
