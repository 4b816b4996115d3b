"""What `skyfleet explain` promises is what the API servers then have."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from skyfleet_policy.explain import TaskExplanation, explain_task
from skyfleet_policy.routes import parse_routes

from demo.scenes import SCENES, Scene
from skyfleet.generate.routes import routes
from skyfleet.model import Fleet
from tests.e2e.conftest import Evening, Rehearsal
from tools import paths

pytestmark = pytest.mark.e2e

_ACCEPTED = [scene for scene in SCENES if scene.ending == "admitted"]


@pytest.mark.parametrize("scene", _ACCEPTED, ids=lambda scene: scene.file)
def test_every_promised_field_is_on_the_pods(scene: Scene, evening: Evening, rehearsal: Rehearsal) -> None:
    """Cluster, number of pods, queue, priority, labels, and each field of the pod's configuration, devices and caches included."""
    promised = _explained(scene, rehearsal.fleet).pods
    (cluster,) = _strings(promised["clusters"])
    pods = evening.pods_of(cluster, scene.file)

    assert len(pods) == promised["nodes"]
    for pod in pods:
        labels = pod["metadata"]["labels"]
        assert labels["kueue.x-k8s.io/queue-name"] == promised["queue"]
        assert labels["kueue.x-k8s.io/priority-class"] == promised["priority"]
        assert missing(pod["metadata"]["labels"], promised["labels"]) == []
        assert missing(pod, promised["pod_config"]) == []


@pytest.mark.parametrize(
    "scene", [scene for scene in SCENES if scene.ending == "rejected"], ids=lambda scene: scene.file
)
def test_a_rejection_is_explained_in_the_same_words(scene: Scene, evening: Evening, rehearsal: Rehearsal) -> None:
    """Before the launch and by the server: one message."""
    assert _explained(scene, rehearsal.fleet).rejection == evening.outcomes[scene.file].submission.message


def missing(actual: Any, promised: Any, path: str = "pod") -> list[str]:
    """Paths of what was promised and is not there; items of lists are found by their name, or by being equal."""
    if isinstance(promised, Mapping):
        if not isinstance(actual, Mapping):
            return [path]
        return [lack for key, value in promised.items() for lack in missing(actual.get(key), value, f"{path}.{key}")]
    if isinstance(promised, list | tuple):
        return [lack for item in promised for lack in _missing_item(actual or [], item, path)]
    return [] if actual == promised else [f"{path}: {actual!r} instead of {promised!r}"]


def _missing_item(actual: list[Any], item: Any, path: str) -> list[str]:
    if isinstance(item, Mapping) and "name" in item:
        same = [each for each in actual if each.get("name") == item["name"]]
        return missing(same[0], item, f"{path}[{item['name']}]") if same else [f"{path}[{item['name']}]"]
    return [] if item in actual else [f"{path}: no {item!r}"]


def _explained(scene: Scene, fleet: Fleet) -> TaskExplanation:
    table = parse_routes(json.loads(json.dumps(routes(fleet))))
    file = paths.REPOSITORY / "examples" / f"{scene.file}.yaml"
    (task,) = explain_task(file, user=scene.user, routes=table).tasks
    return task


def _strings(value: object) -> list[str]:
    assert isinstance(value, list)
    return [str(each) for each in value]
