"""How urgent a task is: the engineer's choice among the team's priorities, else the profile's."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.request import Request
from skyfleet_policy.text import closest, listed

FIELD = "resources.priority_class"
POD_LABEL = ("kubernetes", "pod_config", "metadata", "labels", "kueue.x-k8s.io/priority-class")
POD_CLASS = ("kubernetes", "pod_config", "spec", "priorityClassName")


def prioritize(request: Request, routes: Routes) -> Outcome:
    """Kueue orders and preempts by the label; the pod's own class never preempts behind Kueue's back."""
    asked = _asked(request)
    if problem := _refused(asked, request, routes):
        return Outcome(request, problems=(problem,))
    if not asked and request.profile is None:
        return Outcome(request)
    chosen, why = (asked[0], "as asked") if asked else _of_profile(request, routes)
    request = request.changed(priority=chosen)
    request = request.with_config(POD_LABEL, chosen).with_config(POD_CLASS, routes.priority_class)
    return Outcome(request, (f"priority {chosen} ({routes.priorities[chosen]}), {why}",))


def saw(request: Request, routes: Routes) -> str:
    """The choice and the profile."""
    del routes
    return f"priority_class={', '.join(_asked(request)) or 'nothing'}, profile {request.profile or 'not known'}"


def _asked(request: Request) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c.priority_class for c in request.candidates if c.priority_class))


def _refused(asked: tuple[str, ...], request: Request, routes: Routes) -> Problem | None:
    if len(asked) > 1:
        return Problem(FIELD, f"the candidates name several: {listed(sorted(asked))}", "name one for all of them")
    return next((problem for name in asked if (problem := _forbidden(name, request, routes))), None)


def _forbidden(name: str, request: Request, routes: Routes) -> Problem | None:
    if name not in routes.priorities:
        return Problem(
            FIELD,
            f"there is no priority `{name}`",
            closest(name, routes.priorities) + f"the fleet's are {listed(_sorted(routes))}",
        )
    if request.team and name not in routes.teams[request.team].priorities:
        allowed = listed(p for p in _sorted(routes) if p in routes.teams[request.team].priorities)
        return Problem(FIELD, f"team `{request.team}` may not use `{name}`", f"use one of its own: {allowed}")
    profile = routes.profiles[request.profile] if request.profile else None
    if profile and profile.priority_fixed and name != profile.priority:
        return Problem(
            FIELD,
            f"profile `{request.profile}` always has priority `{profile.priority}`, this asks for `{name}`",
            "leave it out, or choose another profile",
        )
    return None


def _of_profile(request: Request, routes: Routes) -> tuple[str, str]:
    """The profile's priority or, where the team may not use it, the highest below it that it may."""
    wanted = routes.profiles[request.profile or ""].priority
    allowed = routes.teams[request.team].priorities if request.team else tuple(routes.priorities)
    if wanted in allowed or not allowed:
        return wanted, f"from profile {request.profile}"
    most = routes.priorities[wanted]
    lower = [name for name in allowed if routes.priorities[name] <= most]
    chosen = max(lower, key=routes.priorities.__getitem__) if lower else min(allowed, key=routes.priorities.__getitem__)
    return chosen, f"because team {request.team} may not use {wanted} of profile {request.profile}"


def _sorted(routes: Routes) -> list[str]:
    return sorted(routes.priorities, key=routes.priorities.__getitem__)
