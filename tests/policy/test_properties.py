"""What holds for any task, generated: found by hypothesis, not thought of."""

from __future__ import annotations

import contextlib
import copy
import os
from typing import Any

import sky
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sky import admin_policy, exceptions, models
from sky.server.requests.request_names import AdminPolicyRequestName
from sky.utils import config_utils
from skyfleet_policy import admission

from tests.policy.sample import sample_routes
from tests.policy.strategies import SETTINGS, TASKS, USERS

NAMES = st.sampled_from(list(AdminPolicyRequestName))
EXAMPLES = settings(
    max_examples=int(os.environ.get("SKYFLEET_EXAMPLES", "50")),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
"""Few and always the same by default; `SKYFLEET_EXAMPLES=2000` looks further."""

MOVED = {
    "infra",
    "instance_type",
    "use_spot",
    "labels",
    "accelerators",
    "_cluster_config_overrides",
    "autostop",
    "image_id",
    "priority_class",
}
"""What a rule may change of a candidate; each has samples that say how."""

TAKEN = (
    ("kubernetes", "quota", "queue"),
    ("kubernetes", "kueue", "local_queue_name"),
    ("kubernetes", "pod_config", "metadata", "annotations", "skyfleet.dev/definition"),
    ("kubernetes", "pod_config", "spec", "priorityClassName"),
)
"""What a rule takes out of an engineer's configuration."""


def request(
    task: dict[str, Any], name: AdminPolicyRequestName, user: str | None, around: dict[str, Any] | None = None
) -> sky.UserRequest:
    """The request that SkyPilot makes of a task file; an impossible file is not looked at."""
    try:
        parsed = sky.Task.from_yaml_config(copy.deepcopy(task))
    except (ValueError, AssertionError, exceptions.InvalidSkyPilotConfigError):
        assume(False)
        raise
    known = models.User(id="0123abcd", name=user) if user else None
    return sky.UserRequest(parsed, config_utils.Config(around or {}), name, at_client_side=user is None, user=known)


def admitted(user_request: sky.UserRequest) -> sky.MutatedUserRequest:
    """The request as admitted; a rejected one is not looked at."""
    try:
        return admission.admit(user_request, sample_routes())
    except exceptions.UserRequestRejectedByPolicy:
        assume(False)
        raise


def leaves(value: object, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], object]:
    """The values of nested mappings by path."""
    if isinstance(value, dict) and value:
        found: dict[tuple[str, ...], object] = {}
        for key, item in value.items():
            found |= leaves(item, (*path, str(key)))
        return found
    return {path: value}


def ordered(config: dict[str, Any]) -> dict[str, Any]:
    """A task's configuration with the set of its candidates in some fixed order."""
    any_of = config["resources"].get("any_of")
    if any_of:
        config["resources"]["any_of"] = sorted(any_of, key=str)
    return config


@EXAMPLES
@given(TASKS, NAMES, USERS, SETTINGS)
def test_one_kind_of_rejection(
    task: dict[str, Any], name: AdminPolicyRequestName, user: str | None, around: dict[str, Any]
) -> None:
    """Any task is accepted, or rejected with a message that has a place and a remedy for each problem."""
    asked = request(task, name, user, around)
    try:
        _ = admission.admit(asked, sample_routes())
    except exceptions.UserRequestRejectedByPolicy as error:
        head, *problems = str(error).splitlines()

        assert head.startswith("Skyfleet cannot accept ")
        assert problems
        assert all(line.startswith("  - ") and ": " in line and "; " in line for line in problems)


@EXAMPLES
@given(TASKS, NAMES, USERS, SETTINGS)
def test_idempotent(
    task: dict[str, Any], name: AdminPolicyRequestName, user: str | None, around: dict[str, Any]
) -> None:
    """f(f(x)) = f(x), and the second time is recognised: the task is handed back as it is."""
    asked = request(task, name, user, around)
    once = admitted(asked)

    twice = admission.admit(sky.UserRequest(once.task, once.skypilot_config, name, user=asked.user), sample_routes())

    assert twice.task is once.task
    assert twice.skypilot_config == once.skypilot_config


@EXAMPLES
@given(TASKS, NAMES, USERS, SETTINGS)
def test_rest_round_trip(
    task: dict[str, Any], name: AdminPolicyRequestName, user: str | None, around: dict[str, Any]
) -> None:
    """Behind a REST policy, where the request travels as JSON, the answer is the same."""
    asked = request(task, name, user, around)
    here = admitted(asked)

    far = admission.admit(admin_policy.UserRequest.decode(asked.encode()), sample_routes())
    back = admin_policy.MutatedUserRequest.decode(far.encode(), asked)

    assert ordered(back.task.to_yaml_config()) == ordered(here.task.to_yaml_config())
    assert back.skypilot_config == here.skypilot_config


@EXAMPLES
@given(TASKS, NAMES, USERS)
def test_pure(task: dict[str, Any], name: AdminPolicyRequestName, user: str | None) -> None:
    """What comes in stays as it is, also where it is rejected."""
    asked = request(task, name, user)
    before, resources = asked.task.to_yaml_config(), list(asked.task.resources)
    with contextlib.suppress(exceptions.UserRequestRejectedByPolicy):
        _ = admission.admit(asked, sample_routes())

    assert asked.task.to_yaml_config() == before
    assert all(new is old for new, old in zip(asked.task.resources, resources, strict=True))


@EXAMPLES
@given(TASKS, NAMES)
def test_container(task: dict[str, Any], name: AdminPolicyRequestName) -> None:
    """Sets stay sets and lists stay lists, with the candidates' order."""
    asked = request(task, name, None)

    after = admitted(asked).task

    assert type(after.resources) is type(asked.task.resources)
    assert 1 <= len(after.resources) <= len(asked.task.resources)


@EXAMPLES
@given(TASKS, NAMES)
def test_equal_overrides(task: dict[str, Any], name: AdminPolicyRequestName) -> None:
    """All candidates that are left carry equal overrides, and a later copy by SkyPilot loses nothing of them."""
    after = admitted(request(task, name, None)).task
    first, *others = (resources.cluster_config_overrides for resources in after.resources)

    assert all(other == first for other in others)
    for resources in after.resources:
        assert resources.copy(labels={}).cluster_config_overrides == first


@EXAMPLES
@given(TASKS, NAMES)
def test_nothing_is_lost(task: dict[str, Any], name: AdminPolicyRequestName) -> None:
    """What the engineer set is still there, unless a rule takes it."""
    asked = request(task, name, None)

    after = admitted(asked).task

    before = [resources.to_yaml_config() for resources in asked.task.resources]
    for resources in after.resources:
        config = resources.to_yaml_config()
        kept = {key: value for key, value in config.items() if key not in MOVED}
        assert any(kept == {key: value for key, value in old.items() if key not in MOVED} for old in before)
    assert {r.priority_class for r in after.resources} >= {r.priority_class for r in asked.task.resources} - {None}
    mine = leaves(next(iter(asked.task.resources)).cluster_config_overrides or {})
    theirs = leaves(next(iter(after.resources)).cluster_config_overrides or {})
    if name.value != "exec":
        assert {p: v for p, v in mine.items() if v not in (None, {}) and p not in TAKEN}.items() <= theirs.items()
    assert after.envs.items() >= asked.task.envs.items()
