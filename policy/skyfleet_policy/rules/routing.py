"""Where a task runs: the cluster that has what it asks for, with the team's queue."""

from __future__ import annotations

from collections.abc import Mapping

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.request import Candidate, Kind, Request
from skyfleet_policy.rules.places import KUBERNETES, Wish, wishes
from skyfleet_policy.text import listed, offer

BEST = "best"
"""The one disk tier that SkyPilot accepts on Kubernetes."""

FAST_NETWORK = "nebius"
"""The one provider here on whose clusters SkyPilot has a network tier."""


def route(request: Request, routes: Routes) -> Outcome:
    """Give each candidate its cluster; drop those without a home, reject where none is left."""
    placed: list[Candidate] = []
    did: list[str] = []
    problems: list[Problem] = []
    for asked in request.candidates:
        candidate = _machine(asked, routes)
        home = candidate if isinstance(candidate, Problem) else _home(candidate, request, routes)
        if isinstance(home, Problem):
            problems.append(home)
        elif home is None or isinstance(candidate, Problem):
            placed.append(asked)
        else:
            moved = settle(candidate, home, routes)
            placed.append(moved)
            did.append(f"{_wanted(candidate)} goes to {home}{_cleared(asked, moved)}")
    if not placed:
        return Outcome(request, problems=tuple(dict.fromkeys(problems)))
    warnings = tuple(f"a candidate was dropped: {problem}" for problem in dict.fromkeys(problems))
    if tuple(placed) != request.candidates:
        request = request.changed(candidates=tuple(placed))
    return Outcome(request, tuple(dict.fromkeys(did)), warnings=warnings)


def shelter(request: Request, routes: Routes) -> Outcome:
    """Give the controller of managed jobs or services a CPU pool, wherever its own settings point."""
    if not routes.cpu_clusters:
        problem = Problem(
            "resources", "no cluster of the fleet has a pool for controllers", "add a pool without accelerator"
        )
        return Outcome(request, problems=(problem,))
    placed = tuple(settle(c, _refuge(c, routes), routes) for c in request.candidates)
    did = tuple(dict.fromkeys(f"goes to {candidate.cluster}" for candidate in placed))
    return Outcome(request.changed(candidates=placed), did)


def saw(request: Request, routes: Routes) -> str:
    """What each candidate asks for, and where."""
    del routes
    return listed(dict.fromkeys(map(_seen, request.candidates)))


def settle(candidate: Candidate, cluster: str, routes: Routes) -> Candidate:
    """The candidate in a cluster, without what belonged to the place it named before."""
    home = routes.clusters[cluster]
    stays = candidate.cloud == KUBERNETES
    name = candidate.accelerator
    moved = candidate.changed(
        accelerator=name and routes.accelerators.get(name.casefold(), name),
        cloud=KUBERNETES,
        region=home.context,
        zone=None,
        instance_type=candidate.instance_type if stays else None,
        use_spot=False,
        disk_tier=candidate.disk_tier if candidate.disk_tier == BEST else None,
        local_disk=None,
        network_tier=candidate.network_tier if home.provider == FAST_NETWORK else None,
        cluster=cluster,
    )
    return moved if candidate.image is None else moved.changed(image=image_in(home.context, candidate))


def image_in(context: str, candidate: Candidate) -> Mapping[str | None, str] | None:
    """The image of a context: its own, else the container image of another region; machine images stay behind."""
    images = candidate.image or {}
    if context in images:
        return {context: images[context]}
    anywhere = candidate.cloud in (None, KUBERNETES)
    kept = [image for _, image in sorted(images.items(), key=str) if anywhere or image.startswith("docker:")]
    return {context: kept[0]} if kept else None


def _machine(candidate: Candidate, routes: Routes) -> Candidate | Problem:
    """A candidate that names a provider's machine asks for what one node of that pool has."""
    name = candidate.instance_type
    if name is None or candidate.cloud == KUBERNETES or candidate.accelerator:
        return candidate
    if name not in routes.machines:
        known = f"the fleet's machines are {listed(sorted(routes.machines))}"
        return Problem(
            "resources.instance_type",
            f"no pool of the fleet has machines `{name}`",
            f"ask with accelerators, cpus and memory; {known}",
        )
    pool = routes.machines[name][1]
    if pool.accelerator:
        return candidate.changed(accelerator=pool.accelerator, accelerator_count=pool.accelerators_per_node)
    return candidate.changed(cpus=candidate.cpus or f"{pool.cpu:g}", memory=candidate.memory or f"{pool.memory_gib:g}")


def _home(candidate: Candidate, request: Request, routes: Routes) -> str | Problem | None:
    """The cluster for a candidate; None where `sky exec` leaves the choice to the cluster it runs on."""
    asked = wishes(candidate, routes)
    for wish in asked:
        if isinstance(wish, Problem):
            return wish
    named = [wish for wish in asked if isinstance(wish, Wish)]
    if request.kind is Kind.EXEC and not named:
        return None
    homes = _offering(candidate, routes, forced=bool(named))
    if not homes:
        what = f"no cluster of the fleet has {_wanted(candidate)}"
        return Problem("resources.accelerators", what, offer(routes))
    for wish in named:
        kept = tuple(home for home in homes if home in wish.clusters)
        if not kept:
            return _elsewhere(wish, candidate, homes, routes)
        homes = kept
    return _with_queue(homes, candidate, request.team, routes)


def _offering(candidate: Candidate, routes: Routes, *, forced: bool) -> tuple[str, ...]:
    if candidate.accelerator is None:
        return routes.cpu_clusters if forced else routes.cpu_routes
    exact = routes.accelerators.get(candidate.accelerator.casefold())
    return routes.routes[exact] if exact else ()


def _elsewhere(wish: Wish, candidate: Candidate, homes: tuple[str, ...], routes: Routes) -> Problem:
    able = [cluster for cluster in wish.clusters if cluster in _offering(candidate, routes, forced=True)]
    if able:
        what = f"`{wish.text}` means {listed(able)}, but the task also asks for {listed(homes)}"
        return Problem(wish.field, what, "ask for one place")
    what = f"`{wish.text}` means {listed(wish.clusters)}, which has no {_pool(candidate)}"
    return Problem(wish.field, what, f"leave it out: {_wanted(candidate)} is on {listed(homes)}")


def _with_queue(homes: tuple[str, ...], candidate: Candidate, team: str | None, routes: Routes) -> str | Problem:
    if team is None:
        return homes[0]
    queues = routes.teams[team].clusters
    for home in homes:
        if home in queues:
            return home
    what = f"team `{team}` has no queue on {listed(homes)}, where {_wanted(candidate)} runs"
    return Problem(
        f"resources.labels.{routes.labels.team}",
        what,
        f"it has queues on {listed(queues)}; ask the platform team for quota in fleet/teams/{team}.yaml",
    )


def _refuge(candidate: Candidate, routes: Routes) -> str:
    for wish in wishes(candidate, routes):
        if isinstance(wish, Wish):
            for cluster in wish.clusters:
                if cluster in routes.cpu_clusters:
                    return cluster
    return routes.cpu_clusters[0]


def _wanted(candidate: Candidate) -> str:
    if candidate.accelerator is None:
        return "CPU-only work"
    return candidate.accelerator


def _pool(candidate: Candidate) -> str:
    return f"{candidate.accelerator}" if candidate.accelerator else "pool without accelerator"


def _seen(candidate: Candidate) -> str:
    what = f"{candidate.accelerator}:{candidate.accelerator_count:g}" if candidate.accelerator else "no accelerator"
    if candidate.cloud is None:
        return what
    return f"{what} in {candidate.cloud}{f'/{candidate.region}' if candidate.region else ''}"


def _cleared(before: Candidate, after: Candidate) -> str:
    lost = [f"zone {before.zone}"] if before.zone else []
    if before.instance_type and not after.instance_type:
        lost.append(f"instance type {before.instance_type}")
    if before.use_spot:
        lost.append("spot")
    if before.image and not after.image:
        lost.append("its machine image")
    if before.disk_tier != after.disk_tier:
        lost.append(f"disk tier {before.disk_tier}")
    if before.local_disk:
        lost.append("local disk")
    if before.network_tier != after.network_tier:
        lost.append(f"network tier {before.network_tier}")
    return f", without {listed(lost)}" if lost else ""
