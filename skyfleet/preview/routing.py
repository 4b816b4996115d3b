"""Where sample tasks go before and after, and why: the policy is asked with the routing tables of both definitions."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skyfleet.generate.routes import routes
from skyfleet.model import Fleet
from skyfleet.preview.concern import Concern, Level
from skyfleet.preview.fields import differences
from skyfleet.preview.side import Side

if TYPE_CHECKING:
    from skyfleet_policy.explain import TaskExplanation


@dataclass(frozen=True)
class Decision:
    """What the policy says to one task."""

    accepted: bool
    clusters: tuple[str, ...] = ()
    queue: str | None = None
    priority: str | None = None
    pods: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Everything else that the policy decides on the pods."""
    rejection: str | None = None


@dataclass(frozen=True)
class TaskRoute:
    file: str
    task: str
    before: Decision | None
    after: Decision | None
    why: tuple[str, ...] = ()
    """The rules that decide otherwise than before: what they do now, or what they object to."""

    @property
    def changes(self) -> bool:
        """Whether the task fares otherwise; a task that stays rejected does not, whatever the reason."""
        before, after = self.before, self.after
        return before is not None and after is not None and before != after and (before.accepted or after.accepted)


@dataclass(frozen=True)
class Routing:
    tasks: tuple[TaskRoute, ...]
    unreadable: tuple[str, ...] = ()
    """Task files that SkyPilot does not take, with its reason."""
    missing: str | None = None
    """Why nothing could be asked."""

    def __bool__(self) -> bool:
        return bool(self.changed or self.unreadable or self.missing)

    @property
    def changed(self) -> tuple[TaskRoute, ...]:
        return tuple(task for task in self.tasks if task.changes)

    def concerns(self) -> Iterator[Concern]:
        for task in self.changed:
            before, after = task.before, task.after
            assert before is not None  # noqa: S101 - `changed` has both
            assert after is not None  # noqa: S101 - as above
            if before.accepted and not after.accepted:
                yield Concern(Level.ATTENTION, f"task {task.task} ({task.file}) is rejected from now on")
            elif before.accepted and before.clusters[:1] != after.clusters[:1]:
                where = f"{', '.join(before.clusters)} → {', '.join(after.clusters)}"
                yield Concern(Level.ATTENTION, f"task {task.task} ({task.file}) moves: {where}")


def compare(base: Side, head: Side, folders: list[Path]) -> Routing:
    """Decisions on every task file of the folders, under the tables of both sides."""
    files = [path for folder in folders for path in sorted(folder.glob("*.yaml")) if not path.is_symlink()]
    if not files or (base.fleet is not None and head.fleet is not None and _table(base.fleet) == _table(head.fleet)):
        return Routing(())
    try:
        return _ask(base.fleet, head.fleet, files)
    except ImportError as error:
        return Routing((), missing=f"SkyPilot and its policy are not installed here ({error.name})")


def _table(fleet: Fleet) -> dict[str, Any]:
    return json.loads(json.dumps(routes(fleet)))


def _ask(base: Fleet | None, head: Fleet | None, files: list[Path]) -> Routing:
    # SkyPilot, which reads the task files, takes a second to import: only a change of routes pays for it
    from skyfleet_policy.explain import TaskFileError, explain_task  # noqa: PLC0415
    from skyfleet_policy.routes import parse_routes  # noqa: PLC0415

    before, after = (parse_routes(_table(fleet)) if fleet else None for fleet in (base, head))
    found: list[TaskRoute] = []
    unreadable: list[str] = []
    for file in files:
        try:
            old, new = (explain_task(file, routes=table).tasks if table else () for table in (before, after))
        except TaskFileError as error:
            unreadable.append(str(error).replace(f"{file.parent}/", ""))
            continue
        for number in range(max(len(old), len(new))):
            pair = [tasks[number] if number < len(tasks) else None for tasks in (old, new)]
            found.append(_route(file, pair[0], pair[1]))
    return Routing(tuple(found), tuple(unreadable))


def _route(file: Path, old: "TaskExplanation | None", new: "TaskExplanation | None") -> TaskRoute:
    told = new or old
    before, after = _decision(old), _decision(new)
    why = (*_why(old, new), *_other_pods(before, after))
    return TaskRoute(file.name, (told and told.task) or file.stem, before, after, why)


def _decision(told: "TaskExplanation | None") -> Decision | None:
    if told is None:
        return None
    if not told.accepted:
        return Decision(accepted=False, rejection=told.rejection)
    pods = dict(told.pods)
    clusters: Any = pods.pop("clusters")
    return Decision(
        accepted=True,
        clusters=tuple(clusters),
        queue=str(pods.pop("queue")),
        priority=str(pods.pop("priority")),
        pods=_without_stamp(pods),
    )


def _without_stamp(value: Any) -> Any:
    """Less the definition's digest, which differs with every change."""
    if isinstance(value, dict):
        return {key: _without_stamp(item) for key, item in value.items() if "definition" not in str(key)}
    return [_without_stamp(item) for item in value] if isinstance(value, list) else value


def _other_pods(before: Decision | None, after: Decision | None) -> Iterator[str]:
    if before is None or after is None or not (before.accepted and after.accepted):
        return
    for path, old, new in differences(before.pods, after.pods):
        yield f"pods: {path}: {json.dumps(old)} → {json.dumps(new)}"


def _why(old: "TaskExplanation | None", new: "TaskExplanation | None") -> Iterator[str]:
    if old is None or new is None:
        return
    before = {rule.rule: (rule.did, rule.problems) for rule in old.rules}
    for rule in new.rules:
        if before.get(rule.rule) != (rule.did, rule.problems) and rule.rule != "stamp":
            yield from (f"{rule.rule}: {said}" for said in (*rule.problems, *rule.did))
