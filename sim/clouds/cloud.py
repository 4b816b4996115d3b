"""A simulated cloud as its API: make, read, change and delete resources, or be refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sim.clouds import projects
from sim.clouds.errors import Refused
from sim.clouds.kinds import Inputs, Kind
from sim.clouds.ledger import Ledger, Record
from sim.clouds.structs import UNKNOWN
from sim.errors import SimulationError
from sim.machines import Project
from sim.state import State
from skyfleet.refusals import refusals

T = TypeVar("T")


@dataclass(frozen=True)
class Description:
    """Which cloud."""

    name: str
    kinds: Mapping[str, Kind]
    project_setting: str
    """Setting of Pulumi's provider that names the project."""
    checks_early: bool
    """Whether it is asked in previews already whether it would accept (Nebius' preflight checks)."""


@dataclass(frozen=True)
class Cloud:
    """One account's view of it."""

    state: State
    description: Description
    project: Project

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.state, self.description.name)

    def kind(self, pulumi_type: str) -> Kind:
        kind = self.description.kinds.get(pulumi_type)
        if kind is None:
            raise Refused("invalid", f"the simulated {self.description.name} does not know {pulumi_type}")
        return kind

    def objections(self, pulumi_type: str, inputs: Inputs) -> list[str]:
        """Every reason to refuse what is asked for, whatever exists."""
        return refusals(pulumi_type, inputs, region=self.project.region, fabric_of=self._fabric_of)

    def expected(self, pulumi_type: str, inputs: Inputs) -> dict[str, Any]:
        """Outputs as far as they are known before it is made."""
        return dict(inputs) | dict.fromkeys(self.kind(pulumi_type).unknown, UNKNOWN)

    def create(self, pulumi_type: str, inputs: Inputs) -> Record:
        """Raises Refused; nothing exists then."""
        kind = self.kind(pulumi_type)
        self._refuse_invalid(pulumi_type, inputs)
        record = Record(kind.identify(self.project.name, inputs), pulumi_type, self.project.name, dict(inputs))
        with self.ledger.open() as records:
            self._refuse_second(kind, record, records)
            self._refuse_beyond_quota(kind, record, records)
            records[record.id] = record
        try:
            outputs = kind.computed(record) | self._carry_out(kind.effect.create, record)
        except BaseException:
            with self.ledger.open() as records:
                del records[record.id]
            raise
        return self._keep(replace(record, outputs=outputs))

    def update(self, identifier: str, inputs: Inputs) -> Record:
        """Raises Refused; it is as before then."""
        before = self.ledger.get(identifier)
        if before is None:
            raise Refused("not-found", f"{identifier} does not exist")
        kind = self.kind(before.type)
        self._refuse_invalid(before.type, inputs)
        record = before.changed(dict(inputs))
        with self.ledger.open() as records:
            self._refuse_beyond_quota(kind, record, records)
            records[record.id] = record
        outputs = kind.computed(record) | self._carry_out(kind.effect.update, record)
        return self._keep(replace(record, outputs=outputs))

    def delete(self, identifier: str, *, by_force: bool = False) -> None:
        """What does not exist is gone already. `by_force` is for an administrator who lifted its protection."""
        record = self.ledger.get(identifier)
        if record is None:
            return
        kind = self.kind(record.type)
        if kind.protected_by and record.inputs.get(kind.protected_by) and not by_force:
            raise Refused("protected", f"{identifier} cannot be deleted while {kind.protected_by} is true")
        self._carry_out(kind.effect.delete, record)
        with self.ledger.open() as records:
            del records[identifier]

    def _keep(self, record: Record) -> Record:
        with self.ledger.open() as records:
            records[record.id] = record
        return record

    def _refuse_invalid(self, pulumi_type: str, inputs: Inputs) -> None:
        if found := self.objections(pulumi_type, inputs):
            raise Refused("invalid", f"{inputs.get('name', pulumi_type)}: {'; '.join(found)}")

    def _refuse_second(self, kind: Kind, record: Record, records: Mapping[str, Record]) -> None:
        scope = kind.scope
        same = (
            other
            for other in records.values()
            if other.id == record.id
            or (
                scope is not None
                and other.type == record.type
                and all(other.inputs.get(key) == record.inputs.get(key) for key in scope)
            )
        )
        if (other := next(same, None)) is not None:
            raise Refused("already-exists", f"{other.id} exists already")

    def _refuse_beyond_quota(self, kind: Kind, record: Record, records: Mapping[str, Record]) -> None:
        limits = projects.quotas(self.state, self.project.name)
        others = [other for other in records.values() if other.id != record.id and other.project == record.project]
        for quota, asked in kind.usage(record.inputs).items():
            used = sum(self.kind(other.type).usage(other.inputs).get(quota, 0) for other in others)
            limit = limits.get(quota)
            if limit is not None and used + asked > limit:
                raise Refused(
                    "quota",
                    f"{record.name}: quota {quota} of {self.project.name} exceeded: "
                    f"limit {limit}, in use {used}, asked for {asked}",
                )

    def _carry_out(self, deed: Callable[[Cloud, Record], T], record: Record) -> T:
        try:
            return deed(self, record)
        except (SimulationError, OSError) as error:
            raise Refused("internal", f"{record.name}: {error}") from error

    def _fabric_of(self, identifier: str) -> str | None:
        record = self.ledger.get(identifier)
        return record.inputs.get("infinibandFabric") if record else None
