"""Section: routing."""

from collections.abc import Iterator

from skyfleet.preview.markdown.text import code, count, details, table
from skyfleet.preview.routing import Decision, Routing, TaskRoute


def section(routing: Routing) -> Iterator[str]:
    if not routing:
        return
    yield from ("### Routing", "")
    if routing.missing:
        yield from (f"Sample tasks could not be routed: {routing.missing}", "")
    if routing.changed:
        yield from table(("task", "before", "after", "because"), map(_row, routing.changed))
        yield ""
    if routing.unreadable:
        yield from details(f"{count(len(routing.unreadable), 'task file')} could not be read", _unreadable(routing))
        yield ""
    same = len(routing.tasks) - len(routing.changed)
    if same:
        yield from (f"{count(same, 'other sample task')} {'fares' if same == 1 else 'fare'} as before.", "")


def _row(task: TaskRoute) -> tuple[str, ...]:
    why = "<br>".join(code(reason) for reason in task.why[:4])
    before, after = _said(task.before, task.after), _said(task.after, task.before)
    return f"{code(task.task)} in {code(task.file)}", before, after, why


def _said(decision: Decision | None, other: Decision | None) -> str:
    if decision is None:
        return "-"
    if not decision.accepted:
        return "**rejected**"
    said = f"{', '.join(map(code, decision.clusters)) or 'anywhere'}, queue {code(decision.queue)}, {code(decision.priority)}"
    only_pods = (
        other is not None
        and other.accepted
        and (decision.clusters, decision.queue, decision.priority)
        == (
            other.clusters,
            other.queue,
            other.priority,
        )
    )
    return f"{said}, other pod fields" if only_pods else said


def _unreadable(routing: Routing) -> Iterator[str]:
    return (f"- {code(reason)}" for reason in routing.unreadable)
