"""What a simulated cloud must know of each type of resource."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sim.clouds.cloud import Cloud
    from sim.clouds.ledger import Record

Inputs = Mapping[str, Any]
Outputs = dict[str, Any]


class Effect(Protocol):
    """What happens in the world when a resource is made, changed or deleted; `create` and `update` return computed outputs."""

    def create(self, cloud: Cloud, record: Record) -> Outputs: ...

    def update(self, cloud: Cloud, record: Record) -> Outputs: ...

    def delete(self, cloud: Cloud, record: Record) -> None: ...


class Nothing:
    """Most resources only exist."""

    def create(self, cloud: Cloud, record: Record) -> Outputs:
        del cloud, record
        return {}

    def update(self, cloud: Cloud, record: Record) -> Outputs:
        del cloud
        return record.outputs

    def delete(self, cloud: Cloud, record: Record) -> None:
        del cloud, record


def _none(_: Record) -> Outputs:
    return {}


def _no_usage(_: Inputs) -> dict[str, int]:
    return {}


@dataclass(frozen=True)
class Kind:
    """One type of resource."""

    identify: Callable[[str, Inputs], str]
    """From project and inputs to the id: derived on Google Cloud, new for each resource on Nebius."""
    scope: tuple[str, ...] | None = None
    """Inputs within which a name is unique; None where the id says it."""
    computed: Callable[[Record], Outputs] = _none
    """Outputs that follow from the inputs once it is made."""
    unknown: tuple[str, ...] = ()
    """Outputs that nobody knows before it is made."""
    usage: Callable[[Inputs], dict[str, int]] = _no_usage
    """Quota -> how much of it one takes."""
    protected_by: str | None = None
    """Input that, while true, keeps it from being deleted."""
    effect: Effect = field(default_factory=Nothing)
