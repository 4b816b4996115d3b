"""What kind of work a task is: its profile, by label or by the way it was submitted."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.request import Candidate, Kind, Request
from skyfleet_policy.text import closest, counted, listed


def profile(request: Request, routes: Routes) -> Outcome:
    """Choose the profile, write it down for the later stages of the launch, and hold the task to its size."""
    key = routes.labels.workload
    named = request.label_values(key)
    if not named and request.kind is Kind.EXEC:
        return Outcome(request)
    if len(named) > 1:
        what = f"the candidates name several profiles: {listed(sorted(named))}"
        return Outcome(request, problems=(Problem(f"resources.labels.{key}", what, "name one for all of them"),))
    chosen = named[0] if named else _default(request, routes)
    if chosen is None or chosen not in routes.profiles:
        return Outcome(request, problems=(_unknown(chosen, key, routes),))
    if request.kind is not Kind.EXEC:
        request = request.with_labels({key: chosen})
    problems = tuple(_too_large(request, chosen, routes))
    return Outcome(request.changed(profile=chosen), (f"profile {chosen}",), problems)


def saw(request: Request, routes: Routes) -> str:
    """The label, and how the task was submitted."""
    key = routes.labels.workload
    named = ", ".join(request.label_values(key)) or "nothing"
    return f"{key}={named}, {request.kind.value} {'with' if request.runs else 'without'} run"


def _default(request: Request, routes: Routes) -> str | None:
    if request.kind is Kind.LAUNCH and not request.runs and "launch-without-run" in routes.defaults:
        return routes.defaults["launch-without-run"]
    return routes.defaults.get(request.kind.value)


def _unknown(name: str | None, key: str, routes: Routes) -> Problem:
    known = f"the fleet's profiles are {listed(sorted(routes.profiles))}"
    if name is None:
        return Problem(
            f"resources.labels.{key}",
            "is missing, and the fleet has no default for this kind of request",
            f"add it; {known}",
        )
    return Problem(f"resources.labels.{key}", f"there is no profile `{name}`", closest(name, routes.profiles) + known)


def _too_large(request: Request, name: str, routes: Routes) -> list[Problem]:
    limit = routes.profiles[name].max_accelerators
    if limit is None:
        return []
    asked = max(request.candidates, key=lambda candidate: candidate.accelerator_count)
    if asked.accelerator_count * request.nodes <= limit:
        return []
    what = (
        f"profile `{name}` may have {counted(limit, 'accelerator')} in all, this asks for {_sum(asked, request.nodes)}"
    )
    return [
        Problem(
            "resources.accelerators",
            what,
            f"ask for fewer, or choose another profile with the label `{routes.labels.workload}`",
        )
    ]


def _sum(asked: Candidate, nodes: int) -> str:
    each = f"{asked.accelerator}:{asked.accelerator_count:g}"
    return each if nodes == 1 else f"{nodes} nodes with {each} = {asked.accelerator_count * nodes:g}"
