"""The door to SkyPilot, and the only module that imports it: its request in, its request out."""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import sky
from sky import clouds, exceptions, sky_logging
from sky.server.requests.request_names import AdminPolicyRequestName as Name
from sky.skylet import constants
from sky.utils import config_utils, dag_utils, yaml_utils

from skyfleet_policy import nested
from skyfleet_policy._fields import mapping
from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import decide
from skyfleet_policy.request import Autostop, Candidate, Kind, Request
from skyfleet_policy.routes import RoutesError, shipped_routes
from skyfleet_policy.rules import RULES

logger = sky_logging.init_logger(
    "sky.skyfleet"
)  # below `sky`, so that the words reach the engineer as SkyPilot's own do

KINDS = {
    Name.VALIDATE: Kind.LAUNCH,
    Name.OPTIMIZE: Kind.LAUNCH,
    Name.CLUSTER_LAUNCH: Kind.LAUNCH,
    Name.CLUSTER_EXEC: Kind.EXEC,
    Name.JOBS_LAUNCH: Kind.MANAGED_JOB,
    Name.JOBS_LAUNCH_CLUSTER: Kind.MANAGED_JOB,
    Name.JOBS_POOL_APPLY: Kind.MANAGED_JOB,
    Name.SERVE_UP: Kind.SERVICE,
    Name.SERVE_UPDATE: Kind.SERVICE,
    Name.SERVE_LAUNCH_REPLICA: Kind.SERVICE,
    Name.JOBS_LAUNCH_CONTROLLER: Kind.CONTROLLER,
    Name.SERVE_LAUNCH_CONTROLLER: Kind.CONTROLLER,
}
"""Every request name that SkyPilot gives a policy. Controllers are known by it alone: a REST policy loses the rest."""


class FleetPolicy(sky.AdminPolicy):
    """Every task gets the fleet's cluster, queue, priority and owner, or is rejected with the reasons."""

    @classmethod
    def validate_and_mutate(cls, user_request: sky.UserRequest) -> sky.MutatedUserRequest:
        """Decide by the table in this package.

        Raises:
            sky.exceptions.UserRequestRejectedByPolicy: with every problem, its place and remedy.
        """
        try:
            routes = cls.routes()
        except RoutesError as error:
            raise exceptions.UserRequestRejectedByPolicy(f"Skyfleet cannot decide: {error}") from None
        return admit(user_request, routes)

    @classmethod
    def routes(cls) -> Routes:
        """The table to decide by.

        Raises:
            RoutesError: it is missing or cannot be used.
        """
        return shipped_routes()


def admit(user_request: sky.UserRequest, routes: Routes) -> sky.MutatedUserRequest:
    """Decide by a given table; raises as `FleetPolicy.validate_and_mutate` does."""
    request = read(user_request)
    decision = decide(request, routes, RULES)
    if decision.problems:
        raise exceptions.UserRequestRejectedByPolicy(decision.rejection())
    for warning in decision.warnings:
        logger.warning(warning)
    settings = user_request.skypilot_config
    if decision.request.settings is not request.settings:
        settings = config_utils.Config(mapping(nested.clone(decision.request.settings)))
    return sky.MutatedUserRequest(write(user_request.task, request, decision.request), settings)


def read(user_request: sky.UserRequest) -> Request:
    """SkyPilot's request as the rules see it."""
    task = user_request.task
    user = user_request.user
    kind = kind_of(task, KINDS[user_request.request_name])
    request = read_task(task, kind, user and (user.name or user.id))
    client = sky.__version__ if user_request.at_client_side else user_request.client_version
    return request.changed(settings=user_request.skypilot_config, skypilot=client)


def kind_of(task: sky.Task, kind: Kind) -> Kind:
    """The kind of a request: a task that says itself that it is a service or a pool is one at every stage."""
    if kind is not Kind.LAUNCH or task.service is None:
        return kind
    return Kind.MANAGED_JOB if task.service.pool else Kind.SERVICE


def load_tasks(path: Path) -> tuple[list[sky.Task], bool]:
    """The tasks of a file, and whether they are a job group, whose tasks run side by side.

    Raises:
        OSError: the file cannot be read.
        ValueError: SkyPilot does not accept it.
    """
    try:
        documents: list[object] = [*yaml_utils.read_yaml_all(str(path))]
        with sky_logging.silent():  # its words would stand in the JSON of an explanation
            dag = dag_utils.load_dag_from_yaml(str(path)) if all(map(_is_mapping, documents)) else None
    except (OSError, ValueError):
        raise
    except Exception as error:  # SkyPilot answers a bad file with whatever its parser trips over
        raise ValueError(f"is not a task file: {error}") from error
    if dag is None:
        raise ValueError("is not a task file: each document must be a mapping")
    return list(dag.tasks), dag.is_job_group()


def _is_mapping(document: object) -> bool:
    return isinstance(document, dict)


def read_task(task: sky.Task, kind: Kind, user: str | None) -> Request:
    """A task as the rules see it."""
    resources = tuple(task.resources)
    return Request(
        kind=kind,
        candidates=_candidates(resources, ordered=isinstance(task.resources, list)),
        task=task.name,
        runs=task.run is not None,
        nodes=task.num_nodes,
        config=resources[0].cluster_config_overrides or {},
        setup=task.setup,
        environment=frozenset(task.envs) | frozenset(task.secrets),
        mounts=frozenset(_mounts(task)),
        user=user,
    )


def _mounts(task: sky.Task) -> Iterator[str]:
    """Where a task mounts something, in any of SkyPilot's ways."""
    yield from task.file_mounts or ()
    yield from task.storage_mounts or ()
    yield from task.volumes or ()
    yield from (mount.path for mount in task.volume_mounts or ())


def _candidates(resources: tuple[sky.Resources, ...], *, ordered: bool) -> tuple[Candidate, ...]:
    """The candidates in their order; those of a set in one that is the same each time, whatever their addresses."""
    candidates = [_candidate(index, one) for index, one in enumerate(resources)]
    if not ordered and len(candidates) > 1:
        candidates.sort(key=lambda c: (c.accelerator or "", c.accelerator_count, c.cloud or "", c.region or ""))
    return tuple(candidates)


def _candidate(index: int, resources: sky.Resources) -> Candidate:
    # The public properties look an instance type up in a catalogue, which may be downloaded: no I/O here.
    accelerators = _own(resources, "_accelerators") or {}
    name, count = next(iter(accelerators.items()), (None, 0))
    return Candidate(
        index=index,
        accelerator=name,
        accelerator_count=count,
        cloud=str(resources.cloud).lower() if resources.cloud else None,
        region=resources.region,
        zone=resources.zone,
        instance_type=resources.instance_type,
        use_spot=resources.use_spot,
        cpus=_own(resources, "_cpus"),
        memory=_own(resources, "_memory"),
        image=resources.image_id,
        disk_tier=resources.disk_tier and resources.disk_tier.value,
        local_disk=_own(resources, "_local_disk"),
        network_tier=resources.network_tier and resources.network_tier.value,
        labels=resources.labels or {},
        priority_class=resources.priority_class,
        autostop=_autostop(resources),
        config=resources.cluster_config_overrides or {},
    )


def _own(resources: sky.Resources, name: str) -> Any:
    """A field as the task has it, without what SkyPilot infers."""
    return getattr(resources, name)


def _autostop(resources: sky.Resources) -> Autostop | None:
    config = resources.autostop_config
    if config is None:
        return None
    wait_for = config.wait_for.value if config.wait_for else None
    return Autostop(enabled=config.enabled, idle_minutes=config.idle_minutes, down=config.down, wait_for=wait_for)


def write(task: sky.Task, before: Request, after: Request) -> sky.Task:
    """The task as decided; the one that came in, and its resources, stay as they were."""
    config = None
    if after.config is not before.config:
        _ensure_overridable(before.config, after.config)
        # What rules add is made for this decision; only what came in could be shared with the task that came in.
        config = nested.clone(after.config) if before.config else dict(after.config)
    originals = tuple(task.resources)
    came = {candidate.index: candidate for candidate in before.candidates}
    resources = [_resources(originals[new.index], came[new.index], new, config) for new in after.candidates]
    kept = [originals[candidate.index] for candidate in after.candidates]
    if len(kept) == len(originals) and all(map(operator.is_, kept, resources)):
        return task if after.setup == before.setup else _with_setup(copy.copy(task), after.setup)
    return _with_setup(copy.copy(task).set_resources(type(task.resources)(resources)), after.setup)


def _with_setup(task: sky.Task, setup: str | None) -> sky.Task:
    task.setup = setup
    return task


def _image(original: sky.Resources, after: Candidate) -> dict[str | None, str] | None:
    """The images of a candidate; one beside a machine image is kept by SkyPilot under a key of its own."""
    beside = _own(original, "_docker_image")
    return {**(after.image or {}), **({"docker": beside} if beside else {})} or None


def _resources(original: sky.Resources, before: Candidate, after: Candidate, config: object) -> sky.Resources:
    """One candidate, copied once: a copy is the dearest thing a policy does."""
    changes = _changes(before, after)
    if before.image != after.image:
        changes["image_id"] = _image(original, after)
    if not changes and config is None:
        return original
    new = original.copy(**changes)
    if config is not None:
        # `copy` can only overlay: it appends to lists a second time, removes no nested key, and drops what it does
        # not know without a word. The configuration is final here, so it is set whole.
        new._cluster_config_overrides = config  # noqa: SLF001  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    return new


def _changes(before: Candidate, after: Candidate) -> dict[str, object]:
    """The arguments of `Resources.copy` that make one candidate the other."""
    changes: dict[str, object] = {}
    for name in ("region", "zone", "instance_type", "cpus", "memory", "disk_tier", "local_disk", "network_tier"):
        if getattr(before, name) != getattr(after, name):
            changes[name] = getattr(after, name)
    if before.cloud != after.cloud:
        changes["cloud"] = clouds.Kubernetes()
    if before.use_spot != after.use_spot:
        changes["use_spot"] = None
    if before.labels != after.labels:
        changes["labels"] = dict(after.labels)
    if before.priority_class != after.priority_class:
        changes["priority_class"] = after.priority_class
    if before.autostop != after.autostop and after.autostop:
        kept = {"wait_for": after.autostop.wait_for} if after.autostop.wait_for else {}
        changes["autostop"] = {"idle_minutes": after.autostop.idle_minutes, "down": after.autostop.down, **kept}
    if after.accelerator and (before.accelerator != after.accelerator or "instance_type" in changes):
        changes["accelerators"] = {after.accelerator: after.accelerator_count}
    return changes


def _ensure_overridable(before: Mapping[str, object], after: Mapping[str, object]) -> None:
    """A setting that SkyPilot would not carry is an error, not a silent loss."""
    known = constants.OVERRIDEABLE_CONFIG_KEYS_IN_TASK
    for section, settings in after.items():
        old = mapping(before.get(section))
        for key in mapping(settings):
            if key not in old and (section, key) not in known:
                message = (
                    f"Skyfleet cannot decide: SkyPilot {sky.__version__} does not let a task set `{section}.{key}`; "
                    "ask the platform team for a skyfleet-policy that knows this version"
                )
                raise exceptions.UserRequestRejectedByPolicy(message)
