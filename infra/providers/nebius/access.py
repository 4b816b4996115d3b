"""Service accounts, each with one role on the project: for nodes, for the SkyPilot server, for CI."""

import pulumi_nebius as nebius

from infra.site import Site
from skyfleet.model.cluster import NebiusCluster

ROLES = {
    "nodes": "viewer",  # pulls images; the `editors` group that Nebius' own library uses could delete the project (clouds.md 1.9)
    "skypilot": "viewer",  # to fetch a token; what it may do in the cluster is RBAC's business
    "ci": "editor",
}


def identities(site: Site[NebiusCluster]) -> dict[str, nebius.IamV1ServiceAccount]:
    accounts = {purpose: _account(site, purpose, role) for purpose, role in ROLES.items()}
    if site.cluster.ci is not None:
        _trust(site, accounts["ci"])
    return accounts


def _account(site: Site[NebiusCluster], purpose: str, role: str) -> nebius.IamV1ServiceAccount:
    """Roles are granted to groups, hence one for each account."""
    name = f"{site.cluster.name}-{purpose}"
    project = site.cluster.project
    account = nebius.IamV1ServiceAccount(
        name, name=name, parent_id=project, labels=site.labels(), opts=site.options(name)
    )
    group = nebius.IamV1Group(name, name=name, parent_id=project, labels=site.labels(), opts=site.options(name))
    nebius.IamV1GroupMembership(name, parent_id=group.id, member_id=account.id, opts=site.options(name))
    nebius.IamV1AccessPermit(name, parent_id=group.id, resource_id=project, role=role, opts=site.options(name))
    return account


def _trust(site: Site[NebiusCluster], account: nebius.IamV1ServiceAccount) -> None:
    """Tokens of CI's own provider instead of a stored key."""
    assert site.cluster.ci is not None  # noqa: S101 - asked for by the caller
    name = f"{site.cluster.name}-ci"
    nebius.IamV1FederatedCredentials(
        name,
        name=name,
        parent_id=site.cluster.project,
        subject_id=account.id,
        federated_subject_id=site.cluster.ci.subject,
        oidc_provider=nebius.IamV1FederatedCredentialsOidcProviderArgs(issuer_url=site.cluster.ci.issuer),
        labels=site.labels(),
        opts=site.options(name),
    )
