"""Facts about clouds and what runs on them, from the files of data/ in this package."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Annotated, Any

import yaml
from pydantic import Field

from skyfleet.model.base import Frozen, Model, Positive


class RepairCondition(Model):
    type: str
    status: str
    timeout: str


class NebiusFacts(Model):
    drivers: Annotated[Frozen[str, str], Field(description="Kubernetes minor -> drivers preset")]
    fabrics: Annotated[
        Frozen[str, Frozen[str, tuple[str, ...]]], Field(description="accelerator -> region -> InfiniBand fabrics")
    ]
    accelerators_in_gpu_cluster: Positive
    nodes_in_group: Positive
    repair: tuple[RepairCondition, ...]


class FilestoreTier(Model):
    minimum_gib: Positive
    maximum_gib: Positive
    regional: bool


class GkeFacts(Model):
    accelerator_types: Annotated[Frozen[str, str], Field(description="accelerator -> Google's name for it")]
    filestore: Annotated[Frozen[str, FilestoreTier], Field(description="tier -> its sizes")]
    node_roles: tuple[str, ...]
    monitoring: tuple[str, ...]
    logging: tuple[str, ...]


class InfiniBandFacts(Model):
    packages: tuple[str, ...]
    library: str
    environment: Annotated[Frozen[str, Frozen[str, str]], Field(description="accelerator -> settings of NCCL and UCX")]


class Limit(Model):
    """What one input may be."""

    one_of: tuple[str | int, ...] | None = None
    minimum: int | None = None
    maximum: int | None = None
    pattern: Annotated[str | None, Field(description="of the whole text")] = None
    items: Annotated[int | None, Field(description="of a list, at most")] = None


class Identity(Model):
    """How a resource that exists is told by what was asked for: from the inputs alone, or by a list of the cloud's."""

    id: Annotated[str | None, Field(description="template of the id, with names of inputs")] = None
    list: Annotated[tuple[str, ...], Field(description="words of the cloud's command that lists a parent's")] = ()
    same: Annotated[tuple[str, ...], Field(description="inputs that no other of its parent has")] = ()


@cache
def nebius_facts() -> NebiusFacts:
    return NebiusFacts.model_validate(_read("nebius"), strict=False)


@cache
def gke_facts() -> GkeFacts:
    return GkeFacts.model_validate(_read("gke"), strict=False)


@cache
def effects() -> Frozen[str, Frozen[str, tuple[str, ...]]]:
    """Pulumi type -> effect -> input paths: what a change does beyond what Pulumi calls it."""
    return _read("effects")


@cache
def identities() -> Mapping[str, Identity]:
    """Pulumi type -> how one is found again."""
    return {kind: Identity.model_validate(found, strict=False) for kind, found in _read("identities").items()}


def in_answers(name: str) -> str:
    """An input of Pulumi's as the Nebius CLI writes it in its answers: `parentId` is `parent_id` there."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


@cache
def infiniband_facts() -> InfiniBandFacts:
    return InfiniBandFacts.model_validate(_read("infiniband"), strict=False)


@cache
def volume_variables() -> Mapping[str, Mapping[str, str]]:
    """Volume -> variables that make programs use it, with {path} for its mount."""
    return _read("volumes")


@cache
def limits() -> Mapping[str, Mapping[str, Limit]]:
    """Pulumi type -> input path -> what its API takes."""
    return {
        kind: {path: Limit.model_validate(limit, strict=False) for path, limit in paths.items()}
        for kind, paths in _read("limits").items()
    }


def effect(pulumi_type: str, path: str) -> str:
    """The effect of a change at a path such as `template.taints[0].key`: that of the longest path which holds it."""
    plain = ".".join(part.partition("[")[0] for part in path.split("."))
    holding = [
        (len(prefix), name)
        for name, prefixes in effects().get(pulumi_type, {}).items()
        for prefix in prefixes
        if plain == prefix or plain.startswith(f"{prefix}.")
    ]
    return max(holding)[1] if holding else "in-place"


def _read(name: str) -> Any:
    return yaml.safe_load(resources.files("skyfleet").joinpath(f"data/{name}.yaml").read_text(encoding="utf-8"))
