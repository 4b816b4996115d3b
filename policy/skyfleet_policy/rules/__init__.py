"""The rules, in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from skyfleet_policy.decision import Rule
from skyfleet_policy.request import Kind
from skyfleet_policy.rules import (
    capacity,
    client,
    idle,
    infiniband,
    labels,
    ownership,
    pod,
    priority,
    profile,
    queue,
    routing,
    settings,
    stamp,
    together,
    uniform,
    volumes,
)

_WORK = (Kind.LAUNCH, Kind.MANAGED_JOB, Kind.SERVICE)
"""Requests that make pods for an engineer."""
_PODS = (*_WORK, Kind.CONTROLLER)

_EVERY = tuple(Kind)

RULES: Final = (
    Rule(
        "client",
        "the engineer's SkyPilot is new enough, and both sides have one definition",
        _EVERY,
        client.greet,
        client.saw,
    ),
    Rule(
        "settings",
        "SkyPilot's configuration opens no second way to a queue or a pod",
        _PODS,
        settings.enforce,
        settings.saw,
    ),
    Rule("uniform", "all candidates of a task have one configuration", _PODS, uniform.unify, uniform.saw),
    Rule("labels", "Kueue's and SkyPilot's labels are not among a task's", _WORK, labels.separate, labels.saw),
    Rule(
        "ownership",
        "every task has one known team, which pays; the user is a member",
        _WORK,
        ownership.own,
        ownership.saw,
    ),
    Rule(
        "profile",
        "every task has a profile, and stays within its size",
        (*_WORK, Kind.EXEC),
        profile.profile,
        profile.saw,
    ),
    Rule(
        "routing",
        "a task goes to the cluster that has what it asks for",
        (*_WORK, Kind.EXEC),
        routing.route,
        routing.saw,
    ),
    Rule(
        "controller",
        "controllers go to a CPU pool, outside the queues",
        (Kind.CONTROLLER,),
        routing.shelter,
        routing.saw,
    ),
    Rule("capacity", "what can never run is refused", _WORK, capacity.fit, capacity.saw),
    Rule("together", "all candidates have one kind of pod", _WORK, together.narrow, together.saw),
    Rule("idle", "idle machines go after the profile's time", (Kind.LAUNCH,), idle.retire, idle.saw),
    Rule("pod", "a task's own pod configuration without what is the fleet's", _PODS, pod.tidy, pod.saw),
    Rule(
        "priority", "a priority the fleet has and the team may use, for Kueue", _WORK, priority.prioritize, priority.saw
    ),
    Rule("queue", "the team's queue, several nodes as one gang", _WORK, queue.enqueue, queue.saw),
    Rule("infiniband", "gangs of whole nodes use the fabric", _WORK, infiniband.connect, infiniband.saw),
    Rule("volumes", "shared caches and scratch, each with its variables", _WORK, volumes.mount, volumes.saw),
    Rule("stamp", "every pod names the definition that decided", _PODS, stamp.stamp, stamp.saw),
)
