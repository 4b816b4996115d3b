"""One pod configuration for all candidates, also where their places need different ones."""

from __future__ import annotations

from skyfleet_policy.contract import Infiniband, Routes, Volume
from skyfleet_policy.decision import Outcome
from skyfleet_policy.request import Candidate, Request
from skyfleet_policy.rules.infiniband import fabric
from skyfleet_policy.text import counted, listed

Needs = tuple["Infiniband | None", tuple[Volume, ...]]


def narrow(request: Request, routes: Routes) -> Outcome:
    """Keep the candidates whose place needs the same pods as the first one's; SkyPilot asserts equal configurations."""
    first, *others = request.candidates
    if first.cluster is None or not others:
        return Outcome(request)
    needs = _needs(first, request, routes)
    kept = tuple(c for c in request.candidates if _needs(c, request, routes) == needs)
    if len(kept) == len(request.candidates):
        return Outcome(request, ("their places need the same pods",))
    dropped = listed(
        dict.fromkeys(f"{c.accelerator or 'CPU-only work'} on {c.cluster}" for c in request.candidates if c not in kept)
    )
    warning = f"{dropped} was dropped: pods there need other devices or volumes than on {first.cluster}, and a task has one kind of pod"
    return Outcome(request.changed(candidates=kept), (f"kept {counted(len(kept), 'candidate')}",), warnings=(warning,))


def _needs(candidate: Candidate, request: Request, routes: Routes) -> Needs:
    cluster = routes.clusters[candidate.cluster] if candidate.cluster else None
    return fabric(candidate, request, routes), cluster.volumes if cluster else ()


def saw(request: Request, routes: Routes) -> str:
    """How many candidates there are."""
    del routes
    return counted(len(request.candidates), "candidate")
