"""What every model of the definition has in common: frozen, strict, no unknown keys."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer

K = TypeVar("K")
V = TypeVar("V")


class Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Frozen = Annotated[
    Mapping[K, V],
    AfterValidator(lambda mapping: MappingProxyType(dict(mapping))),
    PlainSerializer(dict),
]
"""A mapping that cannot be changed, in the order of the file."""

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Weight = Annotated[
    int, Field(ge=1, description="fair-sharing weight: twice the weight, twice the share of what is borrowed")
]
