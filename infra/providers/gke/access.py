"""Service accounts, each with as little as its work needs: for nodes, for the SkyPilot server, for CI."""

from pulumi_gcp import projects, serviceaccount

from infra.site import Site
from skyfleet.model.cloud import gke_facts
from skyfleet.model.cluster import GkeCluster

SKYPILOT_ROLES = ("roles/container.clusterViewer",)
"""To fetch credentials and read node pools (clouds.md 2.3); what it may do in the cluster is RBAC's business."""
CI_ROLES = ("roles/viewer", "roles/container.viewer")
"""To preview; what deploys is a person or a protected environment with rights of its own."""


def accounts(site: Site[GkeCluster]) -> dict[str, serviceaccount.Account]:
    roles = {"nodes": gke_facts().node_roles, "skypilot": SKYPILOT_ROLES, "ci": CI_ROLES}
    return {purpose: _account(site, purpose, granted) for purpose, granted in roles.items()}


def _account(site: Site[GkeCluster], purpose: str, roles: tuple[str, ...]) -> serviceaccount.Account:
    name = f"{site.cluster.name}-{purpose}"
    account = serviceaccount.Account(
        name,
        account_id=site.cluster.service_accounts[purpose],
        display_name=f"{purpose} of {site.cluster.name}",
        opts=site.options(name),
    )
    for role in roles:
        grant = f"{name}-{role.removeprefix('roles/')}"
        projects.IAMMember(
            grant, project=site.cluster.project, role=role, member=account.member, opts=site.options(grant)
        )
    return account
