"""Rights of the SkyPilot server, and of the pods that it starts: its work in its namespace, and a look at the nodes.

SkyPilot's own set-up gives its pods every right in the namespace, those on roles and on Kueue's objects among them. It is skipped when
pods run as a service account of another name, which `remote_identity` in the server's configuration says.
"""

from addons.objects import Manifest, manifest_object
from skyfleet.model import Cluster, Fleet

SERVICE_ACCOUNT = "skypilot"
CLUSTER_ROLE = "skyfleet-skypilot"

_LOOK = ["get", "list", "watch"]
_OWN = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]


def access(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    namespace = fleet.organization.namespace
    return [
        manifest_object("v1", "ServiceAccount", SERVICE_ACCOUNT, namespace=namespace),
        manifest_object("rbac.authorization.k8s.io/v1", "Role", SERVICE_ACCOUNT, namespace=namespace, rules=_work()),
        manifest_object("rbac.authorization.k8s.io/v1", "ClusterRole", CLUSTER_ROLE, rules=_look_around()),
        _binding("RoleBinding", SERVICE_ACCOUNT, "Role", _subjects(fleet, cluster), namespace),
        _binding("ClusterRoleBinding", CLUSTER_ROLE, "ClusterRole", _subjects(fleet, cluster), None),
    ]


def _work() -> list[Manifest]:
    """What SkyPilot 0.14 does in its namespace. Not among it: roles, tokens, ephemeral containers, resizing, Kueue's objects."""
    return [
        _rule("", ["pods", "services", "configmaps", "secrets", "persistentvolumeclaims"], _OWN),
        _rule("", ["pods/exec", "pods/portforward"], ["create", "get"]),
        _rule("", ["pods/log", "events", "endpoints", "serviceaccounts"], _LOOK),
        _rule("apps", ["deployments"], _OWN),
        _rule("apps", ["replicasets"], _LOOK),
        _rule("networking.k8s.io", ["ingresses"], _OWN),
        _rule("kueue.x-k8s.io", ["localqueues", "workloads"], _LOOK),
    ]


def _look_around() -> list[Manifest]:
    return [
        _rule("", ["nodes", "namespaces"], _LOOK),
        _rule("node.k8s.io", ["runtimeclasses"], _LOOK),
        _rule("networking.k8s.io", ["ingressclasses"], _LOOK),
        _rule("storage.k8s.io", ["storageclasses"], _LOOK),
        _rule("kueue.x-k8s.io", ["clusterqueues", "resourceflavors", "workloadpriorityclasses"], _LOOK),
    ]


def _rule(group: str, kinds: list[str], verbs: list[str]) -> Manifest:
    return {"apiGroups": [group], "resources": kinds, "verbs": verbs}


def _subjects(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    namespace = fleet.organization.namespace
    users = [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user} for user in _users(cluster)]
    return [{"kind": "ServiceAccount", "name": SERVICE_ACCOUNT, "namespace": namespace}, *users]


def _users(cluster: Cluster) -> list[str]:
    """On Google Cloud the service account made for it is known by its address."""
    if cluster.skypilot_user is not None:
        return [cluster.skypilot_user]
    return [cluster.service_account_email("skypilot")] if cluster.provider == "gke" else []


def _binding(kind: str, name: str, role: str, subjects: list[Manifest], namespace: str | None) -> Manifest:
    return manifest_object(
        "rbac.authorization.k8s.io/v1",
        kind,
        name,
        namespace=namespace,
        roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": role, "name": name},
        subjects=subjects,
    )
