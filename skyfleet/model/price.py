"""Prices: dated data with a source, never numbers in code."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from skyfleet.model.base import Model

Unit = Literal["accelerator-hour", "vcpu-hour", "gib-hour"]


class Price(Model):
    provider: str
    region: str
    sku: Annotated[str, Field(description="accelerator name, or cpu, or memory")]
    unit: Unit
    usd: Annotated[float, Field(ge=0, strict=False)]
    kind: Literal["list", "spot", "contract"] = "list"
    source: str
    as_of: date


class Prices(Model):
    prices: tuple[Price, ...]

    def usd(self, *, provider: str, region: str, sku: str) -> float | None:
        """The list or contract price in USD per hour, None where the file has none."""
        return next(
            (
                price.usd
                for price in self.prices
                if (price.provider, price.region, price.sku) == (provider, region, sku) and price.kind != "spot"
            ),
            None,
        )
