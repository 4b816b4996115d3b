"""What the policy would do with a task file, rule by rule, without a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Decision, decide
from skyfleet_policy.nested import get
from skyfleet_policy.request import Kind, Request
from skyfleet_policy.routes import shipped_routes
from skyfleet_policy.rules import RULES
from skyfleet_policy.text import listed

REQUESTS: Mapping[str, Kind] = {
    "launch": Kind.LAUNCH,
    "exec": Kind.EXEC,
    "jobs": Kind.MANAGED_JOB,
    "serve": Kind.SERVICE,
}
"""The ways to submit a task, as `--request` names them."""


class TaskFileError(ValueError):
    """The task file cannot be used; the message says why."""


@dataclass(frozen=True)
class RuleExplanation:
    """One rule: what it promises, what it saw, what it did."""

    rule: str
    promise: str
    applies: bool
    saw: str
    did: tuple[str, ...]
    warnings: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class TaskExplanation:
    """One task of the file."""

    task: str | None
    accepted: bool
    rules: tuple[RuleExplanation, ...]
    pods: Mapping[str, object]
    """The fields of the pods that the fleet decides; empty where the task is rejected."""
    rejection: str | None


@dataclass(frozen=True)
class Explanation:
    """All tasks of a file."""

    path: str
    request: str
    user: str | None
    tasks: tuple[TaskExplanation, ...]
    warnings: tuple[str, ...] = ()
    """What concerns the tasks together."""

    @property
    def accepted(self) -> bool:
        """Whether every task is accepted."""
        return all(task.accepted for task in self.tasks)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {**asdict(self), "accepted": self.accepted}


def explain_task(
    path: str | Path,
    *,
    user: str | None = None,
    request: str = "launch",
    routes: Routes | None = None,
) -> Explanation:
    """Decide on a task file as SkyPilot's server would.

    Args:
        path: a task YAML; pipelines and job groups have several tasks.
        user: who asks, as the server knows them; None leaves membership unchecked, as on the client.
        request: how the task is submitted, one of `REQUESTS`.
        routes: the table; None takes the one in this package.

    Raises:
        TaskFileError: the file is missing or SkyPilot does not accept it as a task.
        RoutesError: the table cannot be used.
    """
    from skyfleet_policy import admission  # noqa: PLC0415  # SkyPilot takes a second to import

    table = routes or shipped_routes()
    kind = REQUESTS[request]
    try:
        tasks, is_group = admission.load_tasks(Path(path))
    except OSError as error:
        raise TaskFileError(f"{path}: cannot be read ({error.strerror}); name a task file") from None
    except ValueError as error:
        raise TaskFileError(f"{path}: {error}; correct the file") from error
    requests = (admission.read_task(task, admission.kind_of(task, kind), user) for task in tasks)
    explained = tuple(_task(one, table) for one in requests)
    return Explanation(str(path), request, user, explained, _apart(explained, table) if is_group else ())


def _apart(tasks: tuple[TaskExplanation, ...], routes: Routes) -> tuple[str, ...]:
    """SkyPilot asks about each task of a job group alone, so the policy cannot keep them together; it can say so."""
    places = {task.task or "task": listed(map(str, task.pods.get("clusters", ()))) for task in tasks if task.accepted}  # pyright: ignore[reportArgumentType]  # a list of names
    if len(set(places.values())) < 2:  # noqa: PLR2004  # two places are apart
        return ()
    where = listed(f"{task} to {place}" for task, place in places.items())
    remedy = f"where they talk to each other, give each the label `{routes.labels.provider}` with one place"
    return (f"the tasks of this job group go apart, {where}: {remedy}",)


def _task(came: Request, routes: Routes) -> TaskExplanation:
    decision = decide(came, routes, RULES)
    rejected = bool(decision.problems)
    return TaskExplanation(
        task=decision.request.task,
        accepted=not rejected,
        rules=tuple(_rules(came, decision, routes)),
        pods={} if rejected else pods(decision, routes),
        rejection=decision.rejection() if rejected else None,
    )


def _rules(request: Request, decision: Decision, routes: Routes) -> Iterator[RuleExplanation]:
    """Each rule saw the request as the one before it left it."""
    for rule, outcome in decision.steps:
        yield RuleExplanation(
            rule=rule.name,
            promise=rule.promise,
            applies=outcome is not None,
            saw=rule.saw(request, routes) if outcome else "",
            did=outcome.did if outcome else (),
            warnings=outcome.warnings if outcome else (),
            problems=tuple(map(str, outcome.problems)) if outcome else (),
        )
        request = outcome.request if outcome else request


def pods(decision: Decision, routes: Routes) -> dict[str, object]:
    """The fields of the resulting pods that the fleet decides."""
    request = decision.request
    return {
        "clusters": list(dict.fromkeys(c.cluster for c in request.candidates if c.cluster)),
        "contexts": list(dict.fromkeys(c.region for c in request.candidates if c.region)),
        "namespace": routes.namespace,
        "nodes": request.nodes,
        "queue": get(request.config, ("kubernetes", "quota", "queue")),
        "priority": request.priority,
        "labels": dict(request.candidates[0].labels),
        **_lifetime(request),
        "pod_config": get(request.config, ("kubernetes", "pod_config")) or {},
    }


def _lifetime(request: Request) -> dict[str, object]:
    """What becomes of an idle machine, where something does."""
    autostop = request.candidates[0].autostop
    if autostop is None or not autostop.enabled:
        return {}
    return {"autostop": {"idle_minutes": autostop.idle_minutes, "down": autostop.down}}
