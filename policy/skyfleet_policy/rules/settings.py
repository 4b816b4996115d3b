"""SkyPilot's configuration around a task, into which a client's own file is merged: no second way to a queue or a pod.

What is taken out does not depend on the task: SkyPilot wants one configuration for all tasks of a pipeline.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skyfleet_policy._fields import mapping
from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.nested import drop, get, put
from skyfleet_policy.request import Request
from skyfleet_policy.rules.pod import sift
from skyfleet_policy.text import listed

QUEUES = (("quota", "queue"), ("kueue", "local_queue_name"))


def enforce(request: Request, routes: Routes) -> Outcome:
    """A queue set for a context would beat the task's; a namespace or a pod field would pass by the rules."""
    settings = request.settings
    did: list[str] = []
    problems: list[Problem] = []
    for scope in _scopes(settings):
        for key in QUEUES:
            changed = drop(settings, (*scope, *key))
            if changed is not settings:
                did.append(f"without {_shown(scope, key)}")
                settings = changed
        if get(settings, (*scope, "namespace")) not in (None, routes.namespace):
            settings = put(settings, (*scope, "namespace"), routes.namespace)
            did.append(f"{_shown(scope, ('namespace',))} is {routes.namespace}")
        settings, stripped, refused = sift(settings, scope, routes)
        did.extend(f"without {place}" for place in stripped)
        problems.extend(refused)
    if settings is not request.settings:
        request = request.changed(settings=settings)
    warnings = (f"SkyPilot's configuration was changed: {listed(did)}",) if did else ()
    return Outcome(request, tuple(did), tuple(problems), warnings)


def saw(request: Request, routes: Routes) -> str:
    """Which sections there are."""
    del routes
    return listed(_shown(scope, ()) for scope in _scopes(request.settings))


def _scopes(settings: Mapping[str, object]) -> Iterator[tuple[str, ...]]:
    """Where SkyPilot looks for Kubernetes settings: for all, by context, and the same in each workspace."""
    bases: list[tuple[str, ...]] = [(), *(("workspaces", str(name)) for name in mapping(settings.get("workspaces")))]
    for base in bases:
        scope = (*base, "kubernetes")
        if get(settings, scope):
            yield scope
            yield from (
                (*scope, "context_configs", str(name)) for name in mapping(get(settings, (*scope, "context_configs")))
            )


def _shown(scope: tuple[str, ...], key: tuple[str, ...]) -> str:
    return ".".join((*scope, *key))
