"""Labels that are not an engineer's: Kueue's, by which each pod would be a workload of its own, and SkyPilot's."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.nested import get
from skyfleet_policy.request import Candidate, Request
from skyfleet_policy.rules.queue import QUEUE
from skyfleet_policy.text import listed

SKYPILOT = "skypilot-"
KUEUE = "kueue.x-k8s.io/"
QUEUE_LABEL = f"{KUEUE}queue-name"
PRIORITY_LABEL = f"{KUEUE}priority-class"


def separate(request: Request, routes: Routes) -> Outcome:
    """Move a queue and a priority to where SkyPilot keeps them, for the rules that decide on them; drop the rest."""
    del routes  # Kueue's names are the same in every fleet
    found = _found(request)
    problems = tuple(
        Problem(f"resources.labels.{key}", "is SkyPilot's own: it says whose pod it is", "leave it out")
        for key in dict.fromkeys(
            key for c in request.candidates for key in c.labels if key.startswith(SKYPILOT) or key == "parent"
        )
    )
    if not found:
        return Outcome(request, problems=problems)
    queue = found.get(QUEUE_LABEL)
    if queue is not None and get(request.config, QUEUE) is None:
        request = request.with_config(QUEUE, queue)
    request = request.changed(candidates=tuple(map(_without, request.candidates)))
    warnings = tuple(
        f"resources.labels.{key} was {_fate(key)}: Kueue's labels do not belong among a task's" for key in found
    )
    return Outcome(request, tuple(f"{_fate(key)} {key}" for key in found), problems, warnings)


def saw(request: Request, routes: Routes) -> str:
    """Kueue's labels among the task's."""
    del routes
    return listed(f"{key}={value}" for key, value in _found(request).items())


def _found(request: Request) -> dict[str, str]:
    return {key: c.labels[key] for c in request.candidates for key in c.labels if key.startswith(KUEUE)}


def _fate(key: str) -> str:
    return "moved" if key in (QUEUE_LABEL, PRIORITY_LABEL) else "dropped"


def _without(candidate: Candidate) -> Candidate:
    labels = {key: value for key, value in candidate.labels.items() if not key.startswith(KUEUE)}
    priority = candidate.priority_class or candidate.labels.get(PRIORITY_LABEL)
    return candidate.changed(labels=labels, priority_class=priority)
