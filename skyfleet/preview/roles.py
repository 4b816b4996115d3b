"""What resources are to the people whose work runs there, from data/roles.yaml."""

from functools import cache
from importlib import resources
from typing import Literal

import yaml

from skyfleet.model.base import Frozen, Model

Role = Literal["cluster", "nodes", "data"]
Shrink = Literal["removes-nodes", "refused"]


class Size(Model):
    paths: tuple[str, ...]
    """Inputs of which the largest is the size."""
    when_less: Shrink


class Roles(Model):
    roles: Frozen[str, Role]
    sizes: Frozen[Role, Size]
    accelerator_taint: str
    provider_inputs: tuple[str, ...]
    sources: Frozen[str, str]

    def of(self, pulumi_type: str) -> Role | None:
        return self.roles.get(pulumi_type)

    def source(self, pulumi_type: str) -> str | None:
        return self.sources.get(pulumi_type.partition(":")[0])


@cache
def roles() -> Roles:
    text = resources.files("skyfleet.preview").joinpath("data/roles.yaml").read_text(encoding="utf-8")
    return Roles.model_validate(yaml.safe_load(text), strict=False)
