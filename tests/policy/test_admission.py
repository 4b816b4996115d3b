"""What holds for every request: the same answer each time, and nothing changed that came in."""

from __future__ import annotations

import operator

import pytest
import sky
from sky.server.requests.request_names import AdminPolicyRequestName

from tests.policy.sample import Case, admit, cases

ACCEPTED = [case for case in cases() if not case.rejected]
EACH = pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.sentence)


def yaml_of(dag: sky.Dag) -> list[object]:
    return [task.to_yaml_config() for task in dag.tasks]


@EACH
def test_deciding_twice_changes_nothing(case: Case) -> None:
    """f(f(x)) = f(x) under each of SkyPilot's request names, and the second time nothing is even copied."""
    decided = {name: dag for name in AdminPolicyRequestName if (dag := decide(case, name))}
    for name, once in decided.items():
        twice = admit(once, name)

        assert yaml_of(twice) == yaml_of(once), name
        assert all(map(operator.is_, twice.tasks, once.tasks)), name
    assert case.request in decided


def decide(case: Case, name: AdminPolicyRequestName) -> sky.Dag | None:
    """The case as submitted in another way; None where it is rejected so."""
    try:
        return admit(case.dag(), name)
    except sky.exceptions.UserRequestRejectedByPolicy:
        return None


@EACH
def test_what_came_in_stays(case: Case) -> None:
    """The incoming task and its resources are left as they were."""
    dag = case.dag()
    before = [state(task) for task in dag.tasks]
    resources = [list(task.resources) for task in dag.tasks]

    _ = admit(dag, case.request, case.user)

    assert [state(task) for task in dag.tasks] == before
    for task, old in zip(dag.tasks, resources, strict=True):
        assert all(map(operator.is_, task.resources, old))


def state(task: sky.Task) -> list[str]:
    """All that a task and its resources hold, without asking SkyPilot to look anything up."""
    return [str({**vars(one), "_cached_repr": None}) for one in task.resources] + [
        str({**vars(task), "resources": None})
    ]


@EACH
def test_container(case: Case) -> None:
    """A set of candidates stays a set, a list a list: SkyPilot reads an order into the one only."""
    dag = case.dag()

    kinds = [type(task.resources) for task in admit(dag, case.request, case.user).tasks]

    assert kinds == [type(task.resources) for task in dag.tasks]


@EACH
def test_equal_overrides(case: Case) -> None:
    """All candidates carry equal overrides: SkyPilot asserts it on a relaunch."""
    for task in case.apply()[0].tasks:
        overrides = [resources.cluster_config_overrides for resources in task.resources]

        assert all(other == overrides[0] for other in overrides)


@EACH
def test_overrides_survive_a_copy(case: Case) -> None:
    """Nothing is set that SkyPilot does not carry: a copy drops such keys without a word."""
    for task in case.apply()[0].tasks:
        for resources in task.resources:
            config = resources.cluster_config_overrides

            assert sky.Resources().copy(_cluster_config_overrides=config).cluster_config_overrides == config
            assert resources.copy(labels={}).cluster_config_overrides == config


STAGES = (
    ("validate", "optimize", "launch"),
    ("jobs.launch", "jobs.launch_cluster"),
    ("serve.up", "serve.launch_replica"),
    ("jobs.pool_apply", "serve.launch_replica"),
)


@EACH
def test_stages_agree(case: Case) -> None:
    """The later stages of one launch decide as the first."""
    for stages in STAGES:
        first, *later = map(AdminPolicyRequestName, stages)
        if dag := decide(case, first):
            for stage in later:
                assert yaml_of(admit(dag, stage)) == yaml_of(dag), stage
