"""The rules, in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from skyfleet_policy.decision import Rule
from skyfleet_policy.request import Kind
from skyfleet_policy.rules import capacity, ownership, priority, profile, queue, routing, stamp, uniform

_WORK = frozenset({Kind.LAUNCH, Kind.MANAGED_JOB, Kind.SERVICE})
"""Requests that make pods for an engineer."""
_PODS = _WORK | {Kind.CONTROLLER}

RULES: Final = (
    Rule("uniform", "all candidates of a task have one configuration", _PODS, uniform.unify),
    Rule("ownership", "every task has one known team, which pays; the user is a member", _WORK, ownership.own),
    Rule("profile", "every task has a profile, and stays within its size", _WORK | {Kind.EXEC}, profile.profile),
    Rule("routing", "a task goes to the cluster that has what it asks for", _WORK | {Kind.EXEC}, routing.route),
    Rule(
        "controller", "controllers go to a CPU pool, outside the queues", frozenset({Kind.CONTROLLER}), routing.shelter
    ),
    Rule("capacity", "what can never run is refused", _WORK, capacity.fit),
    Rule("priority", "a priority the fleet has and the team may use, for Kueue", _WORK, priority.prioritize),
    Rule("queue", "the team's queue, several nodes as one gang", _WORK, queue.enqueue),
    Rule("stamp", "every pod names the definition that decided", _PODS, stamp.stamp),
)
