"""When an idle machine goes: after the profile's time at the latest, and then for good."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome
from skyfleet_policy.request import Autostop, Candidate, Request
from skyfleet_policy.text import counted, listed


def retire(request: Request, routes: Routes) -> Outcome:
    """The profile's time is default and upper limit; Kubernetes cannot stop a machine, only take it down."""
    limit = _limit(request, routes)
    candidates = tuple(_limited(candidate, limit) for candidate in request.candidates)
    if candidates == request.candidates:
        return Outcome(request)
    warnings = tuple(
        dict.fromkeys(w for old, new in zip(request.candidates, candidates, strict=True) for w in _warned(old, new))
    )
    did = tuple(dict.fromkeys(_described(candidate.autostop) for candidate in candidates))
    return Outcome(request.changed(candidates=candidates), did, warnings=warnings)


def saw(request: Request, routes: Routes) -> str:
    """What is asked for, and the profile's time."""
    asked = dict.fromkeys(_described(candidate.autostop) for candidate in request.candidates)
    return f"{listed(asked)}, at most {_minutes(_limit(request, routes))}"


def _limit(request: Request, routes: Routes) -> int | None:
    return routes.profiles[request.profile].autostop_minutes if request.profile else None


def _limited(candidate: Candidate, limit: int | None) -> Candidate:
    autostop = candidate.autostop
    idles_for_ever = autostop is None or not autostop.enabled or autostop.idle_minutes < 0
    if limit is not None and (autostop is None or idles_for_ever or autostop.idle_minutes > limit):
        wait_for = autostop.wait_for if autostop else None
        return candidate.changed(autostop=Autostop(enabled=True, idle_minutes=limit, down=True, wait_for=wait_for))
    if autostop is None or idles_for_ever or autostop.down:
        return candidate
    return candidate.changed(autostop=autostop.changed(down=True))


def _warned(before: Candidate, after: Candidate) -> list[str]:
    """An engineer hears of what is not as they wrote it; a default needs no word."""
    if before.autostop is None or before.autostop == after.autostop:
        return []
    return [
        f"resources.autostop was {_described(before.autostop)}, is {_described(after.autostop)}: Kubernetes cannot stop a machine, and the profile has a limit"
    ]


def _described(autostop: Autostop | None) -> str:
    if autostop is None:
        return "no autostop"
    if not autostop.enabled or autostop.idle_minutes < 0:
        return "never"
    return f"{'down' if autostop.down else 'stop'} after {counted(autostop.idle_minutes, 'idle minute')}"


def _minutes(limit: int | None) -> str:
    return "any time" if limit is None else counted(limit, "minute")
