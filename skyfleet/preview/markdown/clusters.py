"""Section: clusters."""

from collections import Counter
from collections.abc import Iterator

from skyfleet.preview.clusters import ClusterChange, Outcome, outcomes_of
from skyfleet.preview.concern import Level
from skyfleet.preview.effects import WEIGHT, ResourceChange
from skyfleet.preview.markdown.text import code, count, details, table

EFFECTS = {
    "create": "is created",
    "delete": "is deleted",
    "leave": "leaves the stack, stays in the cloud",
    "replace": "is replaced",
    "loses-data": "**is replaced: its data is lost**",
    "removes-nodes": "loses nodes",
    "rolls-nodes": "re-creates its nodes",
    "refused": "cannot shrink: the provider refuses",
    "new-nodes-only": "new nodes only",
    "in-place": "is changed in place",
}


def section(changes: tuple[ClusterChange, ...]) -> Iterator[str]:
    if not changes:
        return
    yield from ("### Clusters", "")
    yield from table(("cluster", "what happens", "resources", "Kubernetes objects"), map(_row, changes))
    for change in changes:
        if change.error:
            yield from ("", f"The resources of {code(change.name)} could not be compared: {code(change.error)}")
        if change.resources:
            yield ""
            yield from details(f"{count(len(change.resources), 'resource')} of {change.name}", _resources(change))
        if change.objects:
            yield ""
            yield from details(f"{count(len(change.objects), 'Kubernetes object')} of {change.name}", _objects(change))
    yield ""


def _row(change: ClusterChange) -> tuple[str, ...]:
    resources = Counter(_group(resource) for resource in change.resources)
    objects = Counter(f"{each.change.removesuffix('e')}ed" for each in change.objects)
    return code(change.name), ", ".join(map(_bold, change.outcomes)), _counts(resources), _counts(objects)


def _bold(outcome: Outcome) -> str:
    return f"**{outcome}**" if outcome.level is Level.DESTROYS else str(outcome)


def _group(resource: ResourceChange) -> str:
    groups = {
        "create": "created",
        "delete": "deleted",
        "leave": "left",
        "replace": "replaced",
        "loses-data": "replaced",
    }
    return groups.get(resource.effect, "changed")


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{number} {what}" for what, number in sorted(counter.items())) or "-"


def _resources(change: ClusterChange) -> list[str]:
    rows = [row for resource in change.resources for row in _rows(resource)]
    sources = sorted({each.source for each in change.resources if each.source and outcomes_of(each)})
    lines = table(("resource", "what happens", "input", "before", "after"), rows)
    return (
        [*lines, "", f"What each input does: `skyfleet/data/effects.yaml`, from {'; '.join(sources)}."]
        if sources
        else lines
    )


def _rows(resource: ResourceChange) -> Iterator[tuple[str, ...]]:
    """A row for each input, the heaviest first; one for a resource without any that differs."""
    name, more = code(f"{resource.type.rpartition(':')[2]} {resource.name}"), _more(resource)
    if not resource.inputs:
        lost = resource.effect == "delete" and resource.role == "data"
        yield name, f"{'**is deleted: its data is lost**' if lost else EFFECTS[resource.effect]}{more}", "", "", ""
    for number, each in enumerate(sorted(resource.inputs, key=lambda each: -WEIGHT[each.effect])):
        what = EFFECTS[each.effect]
        yield (
            "" if number else name,
            what if number else what + more,
            code(each.path),
            _value(each.before),
            _value(each.after),
        )


def _more(resource: ResourceChange) -> str:
    with_whom = f" with {code(resource.because_of)}" if resource.because_of else ""
    return f"{with_whom}; protected, so Pulumi refuses until that is lifted" if resource.protected else with_whom


def _value(value: object) -> str:
    return "" if value is None else code(value)


def _objects(change: ClusterChange) -> list[str]:
    return table(("object", "change"), ((code(f"{each.kind} {each.name}"), each.change) for each in change.objects))
