"""One configuration for all candidates of a task."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.request import Request
from skyfleet_policy.text import counted


def unify(request: Request, routes: Routes) -> Outcome:
    """SkyPilot fails with a bare assertion on a relaunch where the candidates' configurations differ."""
    del routes  # the same in every fleet
    if all(candidate.config == request.config for candidate in request.candidates):
        return Outcome(request, ("one configuration",))
    what = "the candidates of the task have different configurations"
    return Outcome(request, problems=(Problem("config", what, "give the task one `config`, or split it"),))


def saw(request: Request, routes: Routes) -> str:
    """How many candidates there are."""
    del routes
    return counted(len(request.candidates), "candidate")
