"""Others' work, on the fake nodes: it takes quota away and leaves the real node to the scenario."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial

from sim import kubectl
from tests.addons.pods import Pod, changed
from tests.e2e.gangs import Gang
from tests.e2e.waiting import until
from tests.rehearsal.stage import Stage


@contextmanager
def occupied(stage: Stage, *gangs: Gang) -> Generator[None]:
    """All of them run; those that are still there go with the scenario."""
    pods = [_on_fake_nodes(stage, pod) for gang in gangs for pod in gang.pods(stage.fleet)]
    try:
        kubectl.run(stage.cluster, "uncordon", *stage.fake_nodes)
        kubectl.create(stage.cluster, pods)
        for gang in gangs:
            until(partial(_phases, stage, gang), lambda phases: phases == {"Running"})
        kubectl.run(stage.cluster, "cordon", *stage.fake_nodes)
        yield
    finally:
        kubectl.run(stage.cluster, "cordon", *stage.fake_nodes)
        vacate(stage, *gangs)


def vacate(stage: Stage, *gangs: Gang) -> None:
    names = [pod["metadata"]["name"] for gang in gangs for pod in gang.pods(stage.fleet)]
    kubectl.run(stage.cluster, "delete", "pods", "--namespace", stage.namespace, "--ignore-not-found", *names)


def _phases(stage: Stage, gang: Gang) -> set[str]:
    return {pod["status"]["phase"] for pod in stage.pods_of(gang.name)}


def _on_fake_nodes(stage: Stage, pod: Pod) -> Pod:
    """By their names, since the queue and the scheduler are content with the real one too."""
    fake = {"key": "kubernetes.io/hostname", "operator": "In", "values": stage.fake_nodes}
    required = {"nodeSelectorTerms": [{"matchExpressions": [fake]}]}
    return changed(
        pod, {"spec|affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}
    )
