"""Whether the engineer's side can be understood: SkyPilot new enough, and the same definition."""

from __future__ import annotations

import functools

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.nested import get
from skyfleet_policy.request import Request
from skyfleet_policy.rules.stamp import POD_ANNOTATION


def greet(request: Request, routes: Routes) -> Outcome:
    """A SkyPilot below the minimum is refused; another definition on the client gets a warning."""
    version, minimum = request.skypilot, routes.skypilot_minimum
    theirs = get(request.config, POD_ANNOTATION)
    if version and _older(version, minimum):
        what = f"is SkyPilot {version}, the fleet needs {minimum} or later"
        problem = Problem("client", what, f'run `pip install --upgrade "skypilot[kubernetes]>={minimum}"`')
        return Outcome(request, problems=(problem,))
    if theirs not in (None, routes.definition):
        warning = (
            f"your side decided by definition {theirs}, this side has {routes.definition} and decides again; "
            f"to have both alike, run `{routes.update_command}`"
        )
        return Outcome(request, ("decides again",), warnings=(warning,))
    return Outcome(request, ("new enough",) if version else ())


def saw(request: Request, routes: Routes) -> str:
    """The other side's versions."""
    del routes
    theirs = get(request.config, POD_ANNOTATION)
    return f"SkyPilot {request.skypilot or 'not known'}, definition {theirs or 'not stamped yet'}"


@functools.lru_cache(maxsize=64)
def _older(version: str, minimum: str) -> bool:
    """Compares the numbers of releases; a nightly (`1.0.0.dev…`) counts as the release it leads to."""
    return _numbers(version) < _numbers(minimum)


def _numbers(version: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in version.split(" ", maxsplit=1)[0].split("-", maxsplit=1)[0].split("+", maxsplit=1)[0].split("."):
        digits = part.split("rc")[0]
        if not digits.isdigit():
            break
        numbers.append(int(digits))
    return tuple(numbers) or (1_000_000,)
