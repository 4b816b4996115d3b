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
    "autostop": st.sampled_from([10, True, "2h"]),
    "ports": st.sampled_from([8080, "8000-8010"]),
}
TEXT_MAP = st.dictionaries(
    st.sampled_from(["mine", "other", "skyfleet.dev/definition"]), st.sampled_from(["a", "b"]), max_size=2
)
METADATA = st.fixed_dictionaries({}, optional={"labels": TEXT_MAP | st.none(), "annotations": TEXT_MAP})
SPEC = st.fixed_dictionaries(
    {},
    optional={
        "priorityClassName": st.sampled_from(["skyfleet", "system-node-critical"]),
        "tolerations": st.just([{"key": "mine", "operator": "Exists"}]),
        "containers": st.just([{"env": [{"name": "MINE", "value": "1"}]}]),
        "nodeSelector": st.sampled_from([{"mine": "yes"}]),
    },
)
POD_CONFIG = st.none() | st.fixed_dictionaries(
    {}, optional={"metadata": METADATA | st.none(), "spec": SPEC | st.none()}
)
KUBERNETES = st.fixed_dictionaries(
    {},
    optional={
        "pod_config": POD_CONFIG,
        "quota": st.fixed_dictionaries({}, optional={"queue": st.sampled_from(["search", "research", "made-up"])}),
        "kueue": st.fixed_dictionaries(
            {}, optional={"local_queue_name": st.sampled_from(["lab", "made-up"]), "admission_timeout": st.just(600)}
        ),
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
