"""Words that messages share."""

from __future__ import annotations

from collections.abc import Iterable

from skyfleet_policy.contract import Routes

MOST, FEW = 20, 10
"""More than `MOST` names in a row are not read; `FEW` of them show what is meant."""


def listed(names: Iterable[str]) -> str:
    """Names in a row: `a, b and c`; `nothing` where there are none, and a few of very many."""
    items = list(names)
    if len(items) > MOST:
        return f"{', '.join(items[:FEW])} and {len(items) - FEW} more"
    if not items:
        return "nothing"
    *rest, last = items
    return f"{', '.join(rest)} and {last}" if rest else last


def closest(name: str, known: Iterable[str]) -> str:
    """`did you mean X? ` where a known name is close, else nothing."""
    import difflib  # noqa: PLC0415  # only a rejection needs it, and imports count against every launch

    match = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean `{match[0]}`? " if match else ""


def offer(routes: Routes) -> str:
    """What the fleet has: `H200 on nebius-eu-north1; no accelerator on gke-us-central1`."""
    kinds = [f"{accelerator} on {listed(clusters)}" for accelerator, clusters in routes.routes.items()]
    if routes.cpu_routes:
        kinds.append(f"CPU-only work on {listed(routes.cpu_routes)}")
    return f"the fleet has {listed(kinds)}"


def counted(number: float, thing: str) -> str:
    """`1 node`, `2 nodes`, `0.5 nodes`."""
    return f"{number:g} {thing}" if number == 1 else f"{number:g} {thing}s"
