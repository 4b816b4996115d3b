"""For each rule a change that breaks it, with the whole finding; the toy itself is the accepted sample of every rule."""

from typing import Any

from tests.toy import GONE, TOY

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
        ["fleet/fleet.yaml:23: NAME-LABEL-KEY label key 'acme.example/team' is not legal; write 'acme-example-team'"],
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
                "which is not in the catalogue; known are cpu-d3/16vcpu-64gb, cpu-d3/4vcpu-16gb, "
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
                "fleet/fleet.yaml:26: QUOTA-EXCLUDED prefix 'nvidia.com/' excludes nvidia.com/gpu, which quotas are about; "
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
}
