"""Where a task asks to be, in any of the ways it can say so."""

from __future__ import annotations

from dataclasses import dataclass

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Problem
from skyfleet_policy.request import Candidate
from skyfleet_policy.text import listed

KUBERNETES = "kubernetes"


@dataclass(frozen=True)
class Wish:
    """A place that a candidate names."""

    field: str
    text: str
    clusters: tuple[str, ...]
    """Those that answer to it."""


def wishes(candidate: Candidate, routes: Routes) -> tuple[Wish | Problem, ...]:
    """The places a candidate names; a problem for each that the fleet has not."""
    found = (_by_infra(candidate, routes), _by_label(candidate, routes))
    return tuple(wish for wish in found if wish is not None)


def _by_infra(candidate: Candidate, routes: Routes) -> Wish | Problem | None:
    cloud, region = candidate.cloud, candidate.region
    if cloud is None and region is None:
        return None
    if cloud == KUBERNETES:
        return None if region is None else _context(region, routes)
    name = cloud or region or ""
    clusters = routes.places.get(name.casefold(), ())
    if cloud is None and region is not None and region in routes.contexts:
        clusters = (routes.contexts[region],)
    wish = _wish("resources.infra", name, clusters, routes)
    if cloud is None or region is None or isinstance(wish, Problem):
        return wish
    here = tuple(c for c in clusters if routes.clusters[c].region in (None, region) or c == region)
    if here:
        return Wish(wish.field, f"{name}/{region}", here)
    regions = listed(sorted({routes.clusters[c].region or c for c in clusters}))
    return Problem(
        wish.field, f"the fleet has nothing in `{name}/{region}`", f"leave the region out: {name} means {regions} here"
    )


def _context(context: str, routes: Routes) -> Wish | Problem:
    name = routes.contexts.get(context)
    clusters = (name,) if name else routes.places.get(context.casefold(), ())
    return _wish("resources.infra", f"k8s/{context}", clusters, routes)


def _by_label(candidate: Candidate, routes: Routes) -> Wish | Problem | None:
    name = candidate.labels.get(routes.labels.provider)
    if name is None:
        return None
    return _wish(f"resources.labels.{routes.labels.provider}", name, routes.places.get(name.casefold(), ()), routes)


def _wish(field: str, text: str, clusters: tuple[str, ...], routes: Routes) -> Wish | Problem:
    if clusters:
        return Wish(field, text, clusters)
    known = listed(sorted(routes.places))
    return Problem(field, f"nothing in the fleet answers to `{text}`", f"leave it out, or use one of {known}")
