"""What was edited: the fields of the definition that differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from skyfleet.model import Fleet
from skyfleet.model.base import Model
from skyfleet.preview.plain import plain
from skyfleet.preview.side import Side


@dataclass(frozen=True)
class FieldChange:
    file: str
    field: str
    """Dotted, items of lists by their name."""
    before: Any
    after: Any


def changes(base: Side, head: Side) -> list[FieldChange]:
    """Every difference, in the order of the files; a file that came or went is one difference."""
    found: list[FieldChange] = []
    before, after = (_files(side.fleet) for side in (base, head))
    for file in sorted({*before, *after}):
        found.extend(FieldChange(file, *change) for change in differences(before.get(file), after.get(file)))
    return found


def _files(fleet: Fleet | None) -> dict[str, Any]:
    if fleet is None:
        return {}
    files: dict[str, Model] = {"fleet.yaml": fleet.organization, "prices.yaml": fleet.prices}
    files |= {f"clusters/{name}.yaml": cluster for name, cluster in fleet.clusters.items()}
    files |= {f"teams/{name}.yaml": team for name, team in fleet.teams.items()}
    return {file: plain(model) for file, model in files.items()}


def differences(before: Any, after: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Dotted path, before and after of everything that is not the same."""
    if before == after:
        return
    left, right = _named(before), _named(after)
    if left is None or right is None:
        yield at, before, after
        return
    for key in dict.fromkeys((*left, *right)):
        yield from differences(left.get(key), right.get(key), f"{at}.{key}" if at else str(key))


def _named(value: Any) -> dict[str, Any] | None:
    """A mapping as it is, a list of things with a name or sku by that; None for what has no parts."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return {_name(item): item for item in value}
    return None


def _name(item: dict[str, Any]) -> str:
    return (
        item["name"]
        if "name" in item
        else "/".join(str(item.get(key)) for key in ("provider", "region", "sku", "kind"))
    )
