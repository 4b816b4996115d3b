"""What a cluster's file says to its cloud: mistakes that would only show when something is created are told before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import toy


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"clusters.north.endpoint": {"allowed_cidrs": ["0.0.0.0/0"]}},
            "'endpoint.allowed_cidrs.0': 0.0.0.0/0 opens the control plane to everybody; name the networks of office, VPN and CI",
        ),
        (
            {"clusters.central.endpoint": {"allowed_cidrs": ["10.0.0.1/8"]}},
            "'endpoint.allowed_cidrs.0': 10.0.0.1/8 has host bits set; write an address range such as 10.16.0.0/16",
        ),
        (
            {"clusters.north.network": {"services_cidr": "10.96.0.0/16"}},
            "'network': services_cidr 10.96.0.0/16 is not a part of cidr 10.16.0.0/13; choose one within it",
        ),
        (
            {"clusters.north.pools.0.rollout": {"max_unavailable": 0}},
            "'pools.0.rollout': max_surge and max_unavailable are both 0, no node could ever be replaced; raise one",
        ),
        (
            {"clusters.north.pools.0.spot": True, "clusters.north.pools.0.reservations": ["capacity-1"]},
            "'pools.0': spot machines cannot come from a reservation; choose one",
        ),
        (
            {"clusters.central.pools.0.reservation": "l4s"},
            "'pools.0': a reservation is in one zone; write it in zones",
        ),
        (
            {"clusters.north.pools.0.boot_disk_gib": 32},
            "'pools.0.boot_disk_gib' is 32; it should be greater than or equal to 64 (holds container images and emptyDir volumes)",
        ),
    ],
)
def test_a_mistake_is_told_before_anything_is_created(tmp_path: Path, changes: dict[str, Any], expected: str) -> None:
    """What, where, and what would be right."""
    said = [f"{finding.message}; {finding.remedy}" for finding in toy.loaded(tmp_path, changes).findings]

    assert expected in said


def test_a_cluster_says_nothing_to_everybody_by_default(tmp_path: Path) -> None:
    """A file without `endpoint` makes a control plane that no other network reaches."""
    fleet = toy.fleet(tmp_path)

    assert [cluster.endpoint.allowed_cidrs for cluster in fleet.clusters.values()] == [(), ()]  # pyright: ignore[reportAttributeAccessIssue]
