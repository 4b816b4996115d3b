"""Whether a task can ever run: its nodes are whole nodes of one pool."""

from __future__ import annotations

from skyfleet_policy.contract import Pool, Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.request import Candidate, Request
from skyfleet_policy.text import counted, listed


def fit(request: Request, routes: Routes) -> Outcome:
    """What no node or no pool can hold is refused now: in the queue it would wait for ever."""
    pools = [(candidate, _pool(candidate, routes)) for candidate in request.candidates]
    problems = [problem for candidate, pool in pools if pool for problem in _too_much(candidate, pool, request.nodes)]
    did = () if problems else ("fits",)
    return Outcome(request, did, tuple(dict.fromkeys(problems)))


def saw(request: Request, routes: Routes) -> str:
    """How much is asked for."""
    del routes
    return f"{counted(request.nodes, 'node')}, {listed(dict.fromkeys(map(_size, request.candidates)))}"


def _pool(candidate: Candidate, routes: Routes) -> Pool | None:
    return (
        routes.clusters[candidate.cluster].pool_for(candidate.accelerator, candidate.accelerator_count)
        if candidate.cluster
        else None
    )


def _too_much(candidate: Candidate, pool: Pool, nodes: int) -> list[Problem]:
    problems: list[Problem] = []
    count, most = candidate.accelerator_count, pool.accelerators_per_node
    where = f"{candidate.cluster}"
    if count > most:
        what = f"asks for {_size(candidate)} on one node, a node of {where} has {most}"
        problems.append(Problem("resources.accelerators", what, f"ask for {most} or fewer and raise num_nodes"))
    if count != int(count):
        what = f"asks for {_size(candidate)}, and Kubernetes hands out whole accelerators"
        problems.append(Problem("resources.accelerators", what, "ask for a whole number"))
    for field, asked, most, unit in (
        ("cpus", candidate.cpus, pool.cpu, "CPU"),
        ("memory", candidate.memory, pool.memory_gib, "GiB"),
    ):
        if asked and (amount := _number(asked)) and amount > most:
            what = f"asks for {amount:g} {unit} on one node, a node of {where} has {most:g} for pods"
            problems.append(Problem(f"resources.{field}", what, f"ask for {most:g} or less"))
    if nodes > pool.nodes:
        what = f"asks for {counted(nodes, 'node')}, {where} has {pool.nodes} of that kind"
        problems.append(Problem("num_nodes", what, f"ask for {pool.nodes} or fewer"))
    return problems


def _number(text: str) -> float | None:
    """An amount without its `+`; None for a form that only SkyPilot reads, such as `4x`."""
    try:
        return float(text.rstrip("+"))
    except ValueError:
        return None


def _size(candidate: Candidate) -> str:
    return f"{candidate.accelerator}:{candidate.accelerator_count:g}" if candidate.accelerator else "no accelerator"
