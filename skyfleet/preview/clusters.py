"""Clusters: what of them is created, changed, replaced and deleted, and what that does to nodes and data."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from skyfleet.model import Fleet
from skyfleet.preview import effects, objects
from skyfleet.preview.concern import Concern, Level
from skyfleet.preview.effects import ResourceChange
from skyfleet.preview.graph import Graph
from skyfleet.preview.objects import ObjectChange
from skyfleet.preview.side import Side

Capture = Callable[[Mapping[str, tuple[Fleet, list[str]]]], Mapping[str, Mapping[str, Graph]]]


class Outcome(StrEnum):
    """What happens to a cluster, the worst first. Pulumi calls half of these an update."""

    DELETES_CLUSTER = "deletes the cluster"
    REPLACES_CLUSTER = "replaces the cluster"
    LOSES_DATA = "loses data"
    DELETES_NAMESPACE = "deletes a namespace with everything that runs in it"
    REMOVES_GPU_NODES = "removes GPU nodes"
    RECREATES_GPU_NODES = "re-creates GPU nodes"
    REMOVES_NODES = "removes nodes"
    RECREATES_NODES = "re-creates nodes"
    REFUSED = "is refused by the provider"
    ORPHANS_DATA = "leaves data behind that goes on costing"
    CREATES_CLUSTER = "creates the cluster"
    NEW_NODES_ONLY = "new nodes only"
    NO_DISRUPTION = "no disruption"

    @property
    def level(self) -> Level:
        order = list(Outcome)
        if order.index(self) < order.index(Outcome.REFUSED):
            return Level.DESTROYS
        return Level.ATTENTION if self in {Outcome.REFUSED, Outcome.ORPHANS_DATA} else Level.SAFE


@dataclass(frozen=True)
class ClusterChange:
    name: str
    provider: str
    came_or_went: Literal["created", "deleted"] | None
    resources: tuple[ResourceChange, ...]
    objects: tuple[ObjectChange, ...]
    error: str | None
    """Why there is no resource graph."""

    @property
    def outcomes(self) -> list[Outcome]:
        """What happens to it, the worst first."""
        found = {outcome for change in self.resources for outcome in outcomes_of(change)}
        if any(change.kind == "Namespace" and change.change == "delete" for change in self.objects):
            found.add(Outcome.DELETES_NAMESPACE)
        if self.came_or_went == "created":
            return [Outcome.CREATES_CLUSTER]
        if self.came_or_went == "deleted":
            return [Outcome.DELETES_CLUSTER, *sorted(found & {Outcome.LOSES_DATA, Outcome.ORPHANS_DATA})]
        return sorted(found, key=list(Outcome).index) or [Outcome.NO_DISRUPTION]

    def concerns(self) -> Iterator[Concern]:
        for outcome in self.outcomes:
            if outcome.level > Level.SAFE:
                yield Concern(outcome.level, f"{self.name}: {outcome}{self._of_what(outcome)}")
        if self.error is not None:
            yield Concern(Level.ATTENTION, f"{self.name}: its resources could not be compared")
        for change in self.objects:
            if change.kind == "WorkloadPriorityClass" and change.change == "delete" and self.came_or_went is None:
                text = f"{self.name}: priority {change.name} is gone; pods that name it are not admitted"
                yield Concern(Level.ATTENTION, text)

    def _of_what(self, outcome: Outcome) -> str:
        names = [each.name for each in self.resources if outcome in outcomes_of(each) and each.role != "cluster"]
        return f" ({', '.join(names)})" if names else ""


def compare(base: Side, head: Side, capture: Capture, *, all_of_them: bool = False) -> tuple[ClusterChange, ...]:
    """Clusters that change. The program runs only where a cluster's own file, or what holds for all, is different."""
    before, after = base.clusters(), head.clusters()
    everywhere = all_of_them or _differ_for_all(base, head)
    edited = [name for name in sorted({*before, *after}) if everywhere or before.get(name) != after.get(name)]
    sides = {
        label: (side.fleet, [name for name in edited if name in side.fleet.clusters])
        for label, side in (("base", base), ("head", head))
        if side.fleet is not None
    }
    graphs = capture(sides) if edited else {}
    changes = (
        _change(name, base.fleet, head.fleet, graphs.get("base", {}).get(name), graphs.get("head", {}).get(name))
        for name in sorted({*before, *after})
    )
    return tuple(change for change in changes if change.resources or change.objects or change.error)


def _differ_for_all(base: Side, head: Side) -> bool:
    return base.fleet is not None and head.fleet is not None and base.fleet.organization != head.fleet.organization


def _change(
    name: str, base: Fleet | None, head: Fleet | None, before: Graph | None, after: Graph | None
) -> ClusterChange:
    old = base.clusters.get(name) if base else None
    new = head.clusters.get(name) if head else None
    cluster = new or old
    assert cluster is not None  # noqa: S101 - it is on one of the sides
    error = next((graph.error for graph in (before, after) if graph and graph.error), None)
    return ClusterChange(
        name=name,
        provider=cluster.provider,
        came_or_went=None if old and new else "created" if new else "deleted",
        resources=() if error else tuple(effects.compare(before or Graph(), after or Graph())),
        objects=tuple(objects.compare(base, head, name)),
        error=error,
    )


def outcomes_of(change: ResourceChange) -> set[Outcome]:
    """What a resource's change means for nodes and data; nothing where nobody notices."""
    effects_of_it = {change.effect, *(each.effect for each in change.inputs)}
    found = {outcome for each in effects_of_it if (outcome := _outcome(change, each))}
    if change.role == "nodes" and change.grows and not found:
        found.add(Outcome.NEW_NODES_ONLY)
    return found


def _outcome(change: ResourceChange, effect: str) -> Outcome | None:
    gone = effect in {"delete", "replace", "loses-data"}
    if change.role == "cluster" and gone:
        return Outcome.DELETES_CLUSTER if effect == "delete" else Outcome.REPLACES_CLUSTER
    if change.role == "data" and (gone or effect == "leave"):
        return Outcome.LOSES_DATA if gone else Outcome.ORPHANS_DATA
    if change.role == "nodes":
        return _of_nodes(effect, accelerators=change.accelerators)
    return Outcome.REFUSED if effect == "refused" else None


def _of_nodes(effect: str, *, accelerators: bool) -> Outcome | None:
    if effect in {"delete", "removes-nodes"}:
        return Outcome.REMOVES_GPU_NODES if accelerators else Outcome.REMOVES_NODES
    if effect in {"replace", "rolls-nodes"}:
        return Outcome.RECREATES_GPU_NODES if accelerators else Outcome.RECREATES_NODES
    return Outcome.NEW_NODES_ONLY if effect in {"create", "new-nodes-only"} else None
