"""Which queue a task waits in: its team's, whatever it says itself."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.nested import get
from skyfleet_policy.request import Request
from skyfleet_policy.text import listed

QUEUE = ("kubernetes", "quota", "queue")
"""SkyPilot makes a task of several nodes one gang only where its queue is set here, not by a label."""
ADMISSION_TIMEOUT = ("kubernetes", "kueue", "admission_timeout")
OTHER_SPELLING = ("kubernetes", "kueue", "local_queue_name")


def enqueue(request: Request, routes: Routes) -> Outcome:
    """The team's queue, in one spelling."""
    asked = _asked(request)
    if request.team is None:
        return Outcome(request)
    problems = tuple(
        Problem(
            f"config.{'.'.join(path)}",
            f"`{queue}` is the queue of another team, the task belongs to `{request.team}`",
            "leave it out: the queue follows from the team",
        )
        for path, queue in asked.items()
        if queue in routes.teams and queue != request.team
    )
    queued = _patient(request, routes).with_config(QUEUE, request.team).without_config(OTHER_SPELLING)
    replaced = [str(queue) for queue in asked.values() if queue != request.team and queue not in routes.teams]
    did = f"queue {request.team}{f' instead of {listed(replaced)}' if replaced else ''}{_gang(request.nodes)}"
    return Outcome(queued, (did,), problems)


def saw(request: Request, routes: Routes) -> str:
    """The queues that the task names."""
    del routes
    return listed(f"config.{'.'.join(path)}={queue}" for path, queue in _asked(request).items())


def _asked(request: Request) -> dict[tuple[str, ...], object]:
    named = ((path, get(request.config, path)) for path in (QUEUE, OTHER_SPELLING))
    return {path: queue for path, queue in named if queue is not None}


def _patient(request: Request, routes: Routes) -> Request:
    """The profile's time in the queue, in seconds, is default and upper limit."""
    minutes = routes.profiles[request.profile].admission_timeout_minutes if request.profile else None
    asked = get(request.config, ADMISSION_TIMEOUT)
    if minutes is None or (isinstance(asked, int) and 0 <= asked <= minutes * 60):
        return request
    return request.with_config(ADMISSION_TIMEOUT, minutes * 60)


def _gang(nodes: int) -> str:
    return f", one gang of {nodes}" if nodes > 1 else ""
