"""Who owns a task: its team, which pays for it."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome, Problem
from skyfleet_policy.request import Request
from skyfleet_policy.text import closest, listed


def own(request: Request, routes: Routes) -> Outcome:
    """The team must be named, known, and the user's own; its cost centre becomes a label."""
    key = routes.labels.team
    names = request.label_values(key)
    name = names[0] if len(names) == 1 else None
    if name is None or name not in routes.teams:
        return Outcome(request, problems=(_nameless(names, request.user, routes),))
    team = routes.teams[name]
    problems = (*_outsider(request.user, name, routes), *_other_cost_center(request, name, routes))
    owned = request.with_labels({key: name, routes.labels.cost_center: team.cost_center}).changed(team=name)
    return Outcome(owned, (f"owner {name}, cost centre {team.cost_center}",), problems)


def saw(request: Request, routes: Routes) -> str:
    """The label and the user."""
    key = routes.labels.team
    return f"{key}={', '.join(request.label_values(key)) or 'nothing'}, user {request.user or 'not known here'}"


def _nameless(names: tuple[str, ...], user: str | None, routes: Routes) -> Problem:
    key = routes.labels.team
    field = f"resources.labels.{key}"
    known = f"the fleet's teams are {listed(sorted(routes.teams))}"
    if not names:
        own = _teams_of(user, routes)
        remedy = f"add `{key}: {own[0]}` under resources.labels" if len(own) == 1 else f"add it; {known}"
        return Problem(field, "is missing, and every task needs an owner", remedy)
    name, *others = names
    if others:
        what = f"the candidates name several owners: {listed(sorted(names))}"
        return Problem(field, what, "name one team for all of them")
    return Problem(field, f"there is no team `{name}`", closest(name, routes.teams) + known)


def _outsider(user: str | None, name: str, routes: Routes) -> tuple[Problem, ...]:
    if user is None or routes.teams[name].has_member(user):
        return ()
    own_teams = _teams_of(user, routes)
    remedy = (
        f"use one of yours: {listed(own_teams)}"
        if own_teams
        else f"ask the platform team to add you to fleet/teams/{name}.yaml"
    )
    return (Problem(f"resources.labels.{routes.labels.team}", f"{user} is not a member of team `{name}`", remedy),)


def _teams_of(user: str | None, routes: Routes) -> list[str]:
    return sorted(name for name, team in routes.teams.items() if user is not None and team.has_member(user))


def _other_cost_center(request: Request, name: str, routes: Routes) -> tuple[Problem, ...]:
    key, right = routes.labels.cost_center, routes.teams[name].cost_center
    wrong = [value for value in request.label_values(key) if value != right]
    if not wrong:
        return ()
    what = f"is {listed(wrong)}, but team `{name}` charges to {right}"
    return (Problem(f"resources.labels.{key}", what, "leave the label out: it follows from the team"),)
