"""Conditions of a Workload object: what Kueue says, and what the job side says back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

Object = dict[str, Any]


def is_true(workload: Object, kind: str) -> bool:
    return any(condition["type"] == kind and condition["status"] == "True" for condition in _conditions(workload))


def message(workload: Object, kind: str) -> str:
    """Kueue's words; empty if it has not said any."""
    return next((condition["message"] for condition in _conditions(workload) if condition["type"] == kind), "")


def is_seen(workload: Object) -> bool:
    """Whether Kueue has tried to admit it."""
    return any(condition["type"] == "QuotaReserved" for condition in _conditions(workload))


def finished(workload: Object) -> Object:
    """Status of a workload whose pods have succeeded."""
    return _status(workload, _condition("Finished", "True", "Succeeded", "Its time is over"))


def released(workload: Object) -> Object:
    """Status of an evicted workload whose pods are gone: no reservation, to be queued again."""
    told = "Evicted, and its pods are gone"
    reservation = _condition("QuotaReserved", "False", "Pending", told)
    status = _status(workload, reservation, _condition("Admitted", "False", "NoReservation", told))
    return {key: value for key, value in status.items() if key != "admission"}


def _conditions(workload: Object) -> list[Object]:
    return workload.get("status", {}).get("conditions", [])


def _status(workload: Object, *new: Object) -> Object:
    """As it is, with these conditions in place of those of their type."""
    types = {condition["type"] for condition in new}
    kept = [condition for condition in _conditions(workload) if condition["type"] not in types]
    return {**workload.get("status", {}), "conditions": [*kept, *new]}


def _condition(kind: str, status: str, reason: str, told: str) -> Object:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"type": kind, "status": status, "reason": reason, "message": told, "lastTransitionTime": now}
