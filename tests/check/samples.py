"""For each rule a change that breaks it, with the whole finding; the toy itself is the accepted sample of every rule."""

from typing import Any

from tests.toy import GONE, TOY

YARD: dict[str, Any] = {
    "provider": "existing",
    "context": "yard",
    "kubernetes": "1.34",
    "pools": [
        {
            "name": "cpu",
            "nodes": 1,
            "allocatable_cpu_millis": 15890,
            "allocatable_memory_mib": 59824,
            "node_labels": {"pool": "cpu"},
        }
    ],
}

REJECTED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "NAME-OBJECT": (
        {"fleet.priorities.Very High": 2000},
        [
            "fleet/fleet.yaml:5: NAME-OBJECT priority name 'Very High' is not legal; rename it, for example 'very-high'",
        ],
    ),
    "NAME-DEFAULT": (
        {"teams.default": {**TOY["teams"]["bees"], "quota": {}}},
        ["fleet/teams/default.yaml:1: NAME-DEFAULT a team cannot be called 'default'; rename its file"],
    ),
    "NAME-LABEL-VALUE": (
        {"teams.ants.cost_center": "Ants.1"},
        ["fleet/teams/ants.yaml:1: NAME-LABEL-VALUE cost center 'Ants.1' is not legal; write 'ants-1'"],
    ),
    "NAME-LABEL-KEY": (
        {"fleet.labels.team": "acme.example/team"},
        ["fleet/fleet.yaml:24: NAME-LABEL-KEY label key 'acme.example/team' is not legal; write 'acme-example-team'"],
    ),
    "NAME-CONTEXT": (
        {"clusters.central.project": "toys_1"},
        [
            (
                "fleet/clusters/central.yaml:2: NAME-CONTEXT project 'toys_1' is not one of Google Cloud; "
                "lowercase letters, digits and hyphens only"
            ),
        ],
    ),
    "REF-CLUSTER": (
        {"teams.bees.quota": {"nort": {"H200": 8}}, "fleet.routing.prefer": ["south"]},
        [
            "fleet/fleet.yaml:19: REF-CLUSTER routing.prefer names cluster 'south', which has no file; did you mean 'north'?",
            "fleet/teams/bees.yaml:5: REF-CLUSTER team 'bees' has quota on cluster 'nort', which has no file; did you mean 'north'?",
        ],
    ),
    "REF-PRIORITY": (
        {"teams.bees.priorities": ["lower"], "fleet.profiles.dev.priority": "urgent"},
        [
            "fleet/fleet.yaml:7: REF-PRIORITY profile 'dev' uses unknown priority 'urgent'; known are high, low",
            "fleet/teams/bees.yaml:8: REF-PRIORITY team 'bees' may use unknown priority 'lower'; did you mean 'low'?",
        ],
    ),
    "REF-ACCELERATOR": (
        {"teams.bees.quota.north": {"H100": 8}},
        [
            (
                "fleet/teams/bees.yaml:6: REF-ACCELERATOR team 'bees' has quota for H100, which no pool of north offers; "
                "did you mean 'H200'?"
            ),
        ],
    ),
    "POOL-NAME": (
        {"clusters.central.pools.1.name": "l4"},
        ["fleet/clusters/central.yaml:12: POOL-NAME central has two pools called 'l4'; rename one"],
    ),
    "POOL-ONE-EACH": (
        {
            "clusters.central.pools": [
                *TOY["clusters"]["central"]["pools"],
                {"name": "more", "machine_type": "e2-standard-8", "nodes": 1},
            ]
        },
        [
            (
                "fleet/clusters/central.yaml:15: POOL-ONE-EACH central has a second pool for cpu, 'more'; "
                "make it one larger pool, or another cluster"
            ),
        ],
    ),
    "POOL-MACHINE": (
        {"clusters.north.pools.1.preset": "3vcpu-1gb"},
        [
            (
                "fleet/clusters/north.yaml:11: POOL-MACHINE pool 'cpu' uses nebius machine 'cpu-d3/3vcpu-1gb', "
                "which is not in the catalogue; known are cpu-d3/16vcpu-64gb, cpu-d3/4vcpu-16gb, gpu-h100-sxm/8gpu-128vcpu-1600gb, "
                "gpu-h200-sxm/1gpu-16vcpu-200gb, gpu-h200-sxm/8gpu-128vcpu-1600gb; or add it to skyfleet/data/machines.yaml"
            ),
        ],
    ),
    "POOL-ACCELERATOR": (
        {"clusters.central.pools.0.machine_type": "e2-standard-8"},
        [
            (
                "fleet/clusters/central.yaml:7: POOL-ACCELERATOR pool 'l4' claims accelerator L4, but e2-standard-8 carries None; "
                "write None, or choose another machine"
            ),
        ],
    ),
    "POOL-CPU": (
        {"clusters.north.pools.1": GONE},
        [
            "fleet/clusters/north.yaml:5: POOL-CPU north has only pools with accelerators; add a pool without accelerator"
        ],
    ),
    "QUOTA-CAPACITY": (
        {"teams.ants.quota.north.H200": 40, "teams.ants.quota.central.cpu": 31},
        [
            (
                "fleet/teams/ants.yaml:6: QUOTA-CAPACITY team 'ants' is guaranteed 40 H200 on north, whose pools have 32; "
                "lower the quota or add nodes to pool 'h200'"
            ),
            (
                "fleet/teams/ants.yaml:9: QUOTA-CAPACITY team 'ants' is guaranteed 31 cpu cores on central, whose pools have 30; "
                "lower the quota or add nodes to pool 'cpu'"
            ),
        ],
    ),
    "QUOTA-COVERED": (
        {
            "fleet.queueing.exclude_resource_prefixes": ["ephemeral-storage", "smarter-devices/"],
            "clusters.north.pools.0.infiniband": {"fabric": "fabric-7", "exposure": "shared-device-plugin"},
        },
        [
            (
                "fleet/clusters/north.yaml:6: QUOTA-COVERED pods on pool 'h200' request rdma/shared_device, which no quota covers; "
                "add its prefix to queueing.exclude_resource_prefixes in fleet.yaml"
            ),
        ],
    ),
    "QUOTA-EXCLUDED": (
        {"fleet.queueing.exclude_resource_prefixes": ["ephemeral-storage", "smarter-devices/", "nvidia.com/"]},
        [
            (
                "fleet/fleet.yaml:27: QUOTA-EXCLUDED prefix 'nvidia.com/' excludes nvidia.com/gpu, which quotas are about; "
                "remove the prefix"
            ),
        ],
    ),
    "PRIORITY-DISTINCT": (
        {"fleet.priorities.low": 1000},
        ["fleet/fleet.yaml:4: PRIORITY-DISTINCT priorities 'high' and 'low' are both 1000; give each its own value"],
    ),
    "PRIORITY-RANGE": (
        {"fleet.priorities.low": -1},
        ["fleet/fleet.yaml:4: PRIORITY-RANGE priority 'low' is -1; choose 1 to 1000000000"],
    ),
    "PROFILE-DEFAULT": (
        {"fleet.profiles.work.default_for": ["launch", "service", "launch-without-run"]},
        [
            (
                "fleet/fleet.yaml:5: PROFILE-DEFAULT no profile is the default for requests of kind 'managed-job'; "
                "list 'managed-job' in default_for of exactly one profile"
            ),
            (
                "fleet/fleet.yaml:5: PROFILE-DEFAULT profiles dev, work are all the default for requests of kind "
                "'launch-without-run'; list 'launch-without-run' in default_for of exactly one profile"
            ),
        ],
    ),
    "ROUTING-CPU": (
        {"fleet.routing.cpu": ["north"], "clusters.north.pools.1": GONE},
        [
            (
                "fleet/fleet.yaml:21: ROUTING-CPU routing.cpu names north, which has no pool without accelerators; "
                "add a CPU pool to it or remove it here"
            ),
        ],
    ),
    "PRICE-MISSING": (
        {"prices.prices.0": GONE},
        [
            (
                "fleet/clusters/north.yaml:1: PRICE-MISSING H200 on north has no price; "
                "add provider nebius, region eu-north1, sku H200 to prices.yaml"
            ),
        ],
    ),
    "POOL-ALLOCATABLE": (
        {
            "clusters.yard": YARD,
            "clusters.yard.pools.0.allocatable_cpu_millis": 16000,
            "clusters.yard.pools.0.allocatable_memory_mib": 65536,
        },
        [
            "fleet/clusters/yard.yaml:7: POOL-ALLOCATABLE pool 'cpu' states whole cores and GiB, which looks like the machine and not what it leaves; take .status.allocatable of a node: kubectl get node NAME -o jsonpath={.status.allocatable}",
        ],
    ),
    "NEBIUS-INFINIBAND-PRESET": (
        {
            "clusters.north.pools.0.preset": "1gpu-16vcpu-200gb",
            "clusters.north.pools.0.infiniband": {"fabric": "fabric-7", "exposure": "device-plugin"},
        },
        [
            "fleet/clusters/north.yaml:11: NEBIUS-INFINIBAND-PRESET pool 'h200' has infiniband, but preset 1gpu-16vcpu-200gb is a part of a machine; choose a preset with all 8 accelerators, or remove infiniband",
        ],
    ),
    "NEBIUS-NODES": (
        {"clusters.north.pools.0.nodes": {"min": 1, "max": 120}},
        [
            "fleet/clusters/north.yaml:10: NEBIUS-NODES pool 'h200' may have 120 nodes; choose at most 100, or a second cluster",
        ],
    ),
    "NEBIUS-SCALE-FROM-ZERO": (
        {"clusters.north.pools.0.nodes": {"min": 0, "max": 4}},
        [
            "fleet/clusters/north.yaml:10: NEBIUS-SCALE-FROM-ZERO pool 'h200' can shrink to no node; set min to 1 or more",
        ],
    ),
    "GKE-LOCATION": (
        {"clusters.central.region": "central"},
        [
            "fleet/clusters/central.yaml:3: GKE-LOCATION region 'central' is neither a region nor a zone; write one such as us-central1 or us-central1-a",
        ],
    ),
    "QUEUE-READY-TIMEOUT": (
        {"fleet.queueing": {"pods_ready_timeout_minutes": 5}},
        [
            "fleet/fleet.yaml:24: QUEUE-READY-TIMEOUT admitted gangs get 5 minutes, less than a node's start and an image's pull take; give them 25 or more",
        ],
    ),
    "QUEUE-ONE-PRIORITY": (
        {"fleet.priorities.low": GONE},
        [
            "fleet/fleet.yaml:2: QUEUE-ONE-PRIORITY 'high' is the only priority; add a second one",
        ],
    ),
    "QUEUE-PROFILE-SIZE": (
        {"fleet.profiles.dev.max_accelerators": 64},
        [
            "fleet/fleet.yaml:8: QUEUE-PROFILE-SIZE profile 'dev' allows 64 accelerators, the largest pool has 32; choose at most 32, or remove it",
        ],
    ),
    "QUEUE-KUBERNETES": (
        {"clusters.north.kubernetes": "1.29"},
        [
            "fleet/clusters/north.yaml:4: QUEUE-KUBERNETES north runs Kubernetes 1.29; choose 1.34 to 1.36",
        ],
    ),
    "ROUTING-NO-QUEUE": (
        {"teams.ants.quota.central": GONE},
        [
            "fleet/clusters/central.yaml:1: ROUTING-NO-QUEUE no team has a queue on central, so its L4 cannot be used; give a team quota on it",
        ],
    ),
    "ROUTING-NO-QUOTA": (
        {"teams.bees.quota.north.H200": 0},
        [
            "fleet/teams/bees.yaml:5: ROUTING-NO-QUOTA team 'bees' reaches north but is guaranteed nothing there; give it quota, or remove the cluster",
        ],
    ),
    "ROUTING-TEAM": (
        {"teams.bees.quota": {}},
        [
            "fleet/teams/bees.yaml:4: ROUTING-TEAM team 'bees' has no quota on any cluster; give it some",
        ],
    ),
    "ROUTING-CPU-TEAM": (
        {"fleet.routing.cpu": ["central"]},
        [
            "fleet/teams/bees.yaml:4: ROUTING-CPU-TEAM team 'bees' has quota at no home of CPU-only tasks (central); give it quota at one, or add one of its clusters to routing.cpu",
        ],
    ),
    "ROUTING-LABEL": (
        {"clusters.north.pools.1.accelerator": "L4"},
        [
            "fleet/clusters/north.yaml:15: ROUTING-LABEL SkyPilot knows no label for L4 on nebius; add it to accelerators in skyfleet/data/machines.yaml",
        ],
    ),
    "PRICE-OLD": (
        {"prices.prices.0.as_of": "2026-08-01"},
        [
            "fleet/prices.yaml:8: PRICE-OLD the price of H200 in eu-north1 is 123 days old, as of 2026-08-01; look it up again (toy) and set as_of",
        ],
    ),
    "PRICE-FUTURE": (
        {"prices.prices.0.as_of": "2027-12-01"},
        [
            "fleet/prices.yaml:8: PRICE-FUTURE the price of H200 in eu-north1 is as of 2027-12-01, which is to come; write the day it was looked up",
        ],
    ),
    "PRICE-ONCE": (
        {"prices.prices.1.sku": "H200", "prices.prices.1.unit": "accelerator-hour"},
        [
            "fleet/prices.yaml:9: PRICE-ONCE H200 of nebius in eu-north1 has a second list price; keep one of them",
        ],
    ),
    "PRICE-UNIT": (
        {"prices.prices.1.unit": "gib-hour"},
        [
            "fleet/prices.yaml:12: PRICE-UNIT the price of cpu in eu-north1 is per gib-hour; give it per vcpu-hour",
        ],
    ),
    "NEBIUS-REGION": (
        {"clusters.north.region": "uk-south1"},
        [
            "fleet/clusters/north.yaml:7: NEBIUS-REGION pool 'h200' wants H200, which uk-south1 does not have; choose one of eu-north1, eu-west1, us-central1, eu-north2; add it to skyfleet/data/nebius.yaml if your contract says so",
        ],
    ),
    "NEBIUS-FABRIC": (
        {"clusters.north.pools.0.infiniband": {"fabric": "fabric-3", "exposure": "device-plugin"}},
        [
            "fleet/clusters/north.yaml:12: NEBIUS-FABRIC pool 'h200' uses fabric 'fabric-3' for H200 in eu-north1; it should be fabric-7; add it to skyfleet/data/nebius.yaml if your contract says so",
        ],
    ),
    "NEBIUS-DRIVERS": (
        {"clusters.north.kubernetes": "1.36"},
        [
            "fleet/clusters/north.yaml:6: NEBIUS-DRIVERS no drivers preset is known for pool 'h200' with Kubernetes 1.36; state drivers, or choose Kubernetes 1.31 or 1.32 or 1.33 or 1.34",
        ],
    ),
    "GKE-FILESTORE": (
        {
            "clusters.central.caches": {"size_gib": 64},
            "clusters.central.scratch": {"size_gib": 200000, "retention_days": 1},
        },
        [
            "fleet/clusters/central.yaml:16: GKE-FILESTORE caches of 64 GiB on central is no size of Filestore REGIONAL; choose 100 to 102400 GiB, or another filestore_tier",
            "fleet/clusters/central.yaml:18: GKE-FILESTORE scratch of 200000 GiB on central is no size of Filestore REGIONAL; choose 100 to 102400 GiB, or another filestore_tier",
        ],
    ),
}
