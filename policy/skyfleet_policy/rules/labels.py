"""Kueue's own labels, which do harm among the labels of a task: each pod would be a workload of its own."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome
from skyfleet_policy.nested import get
from skyfleet_policy.request import Candidate, Request
from skyfleet_policy.rules.queue import QUEUE
from skyfleet_policy.text import listed

KUEUE = "kueue.x-k8s.io/"
QUEUE_LABEL = f"{KUEUE}queue-name"
PRIORITY_LABEL = f"{KUEUE}priority-class"


def separate(request: Request, routes: Routes) -> Outcome:
    """Move a queue and a priority to where SkyPilot keeps them, for the rules that decide on them; drop the rest."""
    del routes  # Kueue's names are the same in every fleet
    found = _found(request)
    if not found:
        return Outcome(request)
    queue = found.get(QUEUE_LABEL)
    if queue is not None and get(request.config, QUEUE) is None:
        request = request.with_config(QUEUE, queue)
    request = request.changed(candidates=tuple(map(_without, request.candidates)))
    warnings = tuple(
        f"resources.labels.{key} was {_fate(key)}: Kueue's labels do not belong among a task's" for key in found
    )
    return Outcome(request, tuple(f"{_fate(key)} {key}" for key in found), warnings=warnings)


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
