"""Tasks as engineers might write them, sensible and not, for the properties."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TEAMS = st.sampled_from(["search", "research", "platform", "lab", "serch"])
ACCELERATORS = st.sampled_from(["H200:8", "h200:8", "H200", "L4", "L4:2", "l40s:2", "A100:8", "H200:16", "T4"])
INFRA = st.sampled_from(["nebius", "gcp", "aws", "k8s", "k8s/onprem", "k8s/minikube", "k8s/nebius-eu-north1"])
LABELS = st.fixed_dictionaries(
    {},
    optional={
        "team": TEAMS,
        "workload": st.sampled_from(["dev", "training", "batch", "serving", "bath"]),
        "force_provider_selection": st.sampled_from(["gke", "nebius", "onprem", "moon"]),
        "cost-center": st.sampled_from(["4711", "9999"]),
        "app": st.sampled_from(["web", "x-1"]),
        "kueue.x-k8s.io/queue-name": st.sampled_from(["search", "research", "made-up"]),
        "kueue.x-k8s.io/priority-class": st.sampled_from(["batch", "production", "urgent"]),
    },
)
CANDIDATE = {
    "accelerators": ACCELERATORS,
    "infra": INFRA,
    "cpus": st.sampled_from(["2", "4+", "300"]),
    "memory": st.sampled_from(["8+", "16"]),
    "labels": LABELS,
    "use_spot": st.booleans(),
    "disk_size": st.sampled_from([64, 512]),
    "image_id": st.sampled_from(["docker:ubuntu:22.04", "docker:nvcr.io/nvidia/pytorch:24.10-py3"]),
    "autostop": st.sampled_from([10, True, False, "2h", {"idle_minutes": 5, "down": True}]),
    "ports": st.sampled_from([8080, "8000-8010"]),
}
TEXT_MAP = st.dictionaries(
    st.sampled_from(["mine", "other", "skyfleet.dev/definition"]), st.sampled_from(["a", "b", None]), max_size=2
)
METADATA = st.fixed_dictionaries({}, optional={"labels": TEXT_MAP | st.none(), "annotations": TEXT_MAP})
CONTAINERS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "name": st.sampled_from(["ray-node", "sidecar"]),
            "env": st.sampled_from(
                [None, [], [{"name": "MINE", "value": "1"}], [{"name": "UV_CACHE_DIR", "value": "/x"}]]
            ),
            "securityContext": st.sampled_from(
                [
                    None,
                    {"privileged": True},
                    {"privileged": False},
                    {"capabilities": {"add": ["IPC_LOCK"]}},
                    {"capabilities": {"add": ["SYS_ADMIN"]}},
                ]
            ),
            "resources": st.sampled_from(
                [None, {"limits": {"nvidia.com/gpu": 1}}, {"requests": {"cpu": 1}, "limits": None}]
            ),
            "volumeMounts": st.sampled_from(
                [[], [{"name": "mine", "mountPath": "/mnt/cache"}], [{"name": "skyfleet-cache", "mountPath": "/x"}]]
            ),
            "ports": st.sampled_from([[{"containerPort": 80}], [{"containerPort": 80, "hostPort": 80}]]),
        },
    ),
    max_size=2,
)
SPEC = st.fixed_dictionaries(
    {},
    optional={
        "restartPolicy": st.none(),
        "priorityClassName": st.sampled_from(["skyfleet", "system-node-critical"]),
        "priority": st.just(7),
        "tolerations": st.sampled_from(
            [
                None,
                [{"key": "node.kubernetes.io/not-ready", "operator": "Exists"}],
                [{"operator": "Exists"}],
                [{"key": "nvidia.com/gpu"}],
            ]
        ),
        "containers": CONTAINERS | st.none(),
        "initContainers": CONTAINERS,
        "nodeSelector": st.sampled_from([None, {"mine": "yes"}, {"skyfleet.dev/pool": "cpu"}]),
        "hostNetwork": st.booleans(),
        "serviceAccountName": st.just("admin"),
        "securityContext": st.sampled_from([{"fsGroup": 2000}, {"runAsUser": 0}]),
        "volumes": st.sampled_from(
            [
                [],
                [{"name": "mine", "emptyDir": {}}],
                [{"name": "skyfleet-cache", "emptyDir": {}}],
                [{"name": "root", "hostPath": {"path": "/"}}],
            ]
        ),
    },
)
NONSENSE = st.sampled_from(
    [
        "text",
        7,
        [],
        ["a"],
        {"spec": "text"},
        {"spec": {"containers": {"a": "b"}}},
        {"metadata": [1]},
        {"spec": {"volumes": ["x"]}},
    ]
)
POD_CONFIG = (
    st.none()
    | NONSENSE
    | st.fixed_dictionaries({}, optional={"metadata": METADATA | st.none(), "spec": SPEC | st.none()})
)
KUBERNETES = st.fixed_dictionaries(
    {},
    optional={
        "pod_config": POD_CONFIG,
        "quota": st.fixed_dictionaries({}, optional={"queue": st.sampled_from(["search", "research", "made-up"])}),
        "kueue": st.fixed_dictionaries(
            {}, optional={"local_queue_name": st.sampled_from(["lab", "made-up"]), "admission_timeout": st.just(600)}
        ),
        "custom_metadata": st.fixed_dictionaries({}, optional={"labels": TEXT_MAP, "annotations": TEXT_MAP}),
        "provision_timeout": st.just(600),
    },
)
CONFIG = st.fixed_dictionaries({}, optional={"kubernetes": KUBERNETES, "docker": st.just({"run_options": ["--init"]})})


@st.composite
def resources(draw: st.DrawFn) -> dict[str, Any]:
    """One candidate, or several in one of SkyPilot's spellings."""
    base = draw(
        st.fixed_dictionaries(
            {}, optional={**CANDIDATE, "priority_class": st.sampled_from(["batch", "production", "urgent"])}
        )
    )
    form = draw(st.sampled_from(["one", "one", "any_of", "ordered", "list", "map"]))
    if form in ("any_of", "ordered"):
        candidates = draw(st.lists(st.fixed_dictionaries({}, optional={**CANDIDATE}), min_size=1, max_size=3))
        return {key: value for key, value in base.items() if key not in CANDIDATE or key == "labels"} | {
            form: candidates
        }
    if form == "list":
        return {**base, "accelerators": draw(st.lists(ACCELERATORS, min_size=1, max_size=3, unique=True))}
    if form == "map":
        return {
            **base,
            "accelerators": dict.fromkeys(draw(st.sets(st.sampled_from(["H200", "L4", "A100"]), min_size=1)), 1),
        }
    return base


TASKS = st.fixed_dictionaries(
    {"resources": resources()},
    optional={
        "name": st.just("generated"),
        "num_nodes": st.integers(1, 5),
        "run": st.just("python train.py"),
        "config": CONFIG,
        "envs": st.dictionaries(st.sampled_from(["MINE", "HF_HOME", "NCCL_DEBUG"]), st.just("x"), max_size=2),
    },
)
"""Task files as decoded YAML."""

USERS = st.none() | st.sampled_from(["ada@search.acme.example", "eve@lab.acme.example", "mallory@elsewhere.example"])

SETTINGS = st.fixed_dictionaries(
    {}, optional={"kubernetes": KUBERNETES | st.none(), "jobs": st.just({"bucket": "s3://x"})}
) | st.fixed_dictionaries(
    {
        "kubernetes": st.fixed_dictionaries(
            {
                "context_configs": st.dictionaries(
                    st.sampled_from(["onprem", "nebius-eu-north1"]), KUBERNETES, max_size=2
                )
            }
        )
    }
)
"""SkyPilot's configuration around a task."""
