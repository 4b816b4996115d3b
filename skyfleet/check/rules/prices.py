"""Prices: all there, of one meaning, and not too old to decide by."""

from collections import Counter
from collections.abc import Iterator

from skyfleet.check import facts
from skyfleet.check.rule import Problem, Subject, rule

_UNITS = {"cpu": "vcpu-hour", "memory": "gib-hour"}


@rule(
    "PRICE-MISSING",
    "SkyPilot takes a missing price for 0, so an unpriced cluster always looks cheapest",
    "SkyPilot 0.14.1, catalog/kubernetes_catalog.py",
)
def every_pool_is_priced(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        skus = {"cpu", "memory"} | {pool.accelerator for pool in cluster.pools if pool.accelerator}
        for sku in sorted(skus):
            if subject.fleet.prices.usd(provider=cluster.provider, region=cluster.region, sku=sku) is None:
                message = f"{sku} on {cluster.name} has no price"
                remedy = f"add provider {cluster.provider}, region {cluster.region}, sku {sku} to prices.yaml"
                yield Problem(("clusters", cluster.name), message, remedy, "warning")


@rule(
    "PRICE-OLD",
    "list prices change a few times a year: older ones mislead whoever compares clusters",
    "clouds' price pages",
)
def prices_are_recent(subject: Subject) -> Iterator[Problem]:
    limit = facts.clouds().price_days
    for index, price in enumerate(subject.fleet.prices.prices):
        age = (subject.today - price.as_of).days
        if age > limit:
            message = f"the price of {price.sku} in {price.region} is {age} days old, as of {price.as_of}"
            remedy = f"look it up again ({price.source}) and set as_of"
            yield Problem(("prices", "prices", index, "as_of"), message, remedy, "warning")


@rule(
    "PRICE-FUTURE",
    "a price as of a day that has not come is a slip of the pen, and would never grow old",
    "the calendar",
)
def prices_are_not_from_the_future(subject: Subject) -> Iterator[Problem]:
    for index, price in enumerate(subject.fleet.prices.prices):
        if price.as_of > subject.today:
            message = f"the price of {price.sku} in {price.region} is as of {price.as_of}, which is to come"
            yield Problem(("prices", "prices", index, "as_of"), message, "write the day it was looked up", "warning")


@rule(
    "PRICE-ONCE",
    "of two prices for one thing the first is taken, and the reader may look at the second",
    "skyfleet/model/price.py",
)
def prices_stand_once(subject: Subject) -> Iterator[Problem]:
    seen: Counter[tuple[str, str, str, bool]] = Counter()
    for index, price in enumerate(subject.fleet.prices.prices):
        key = (price.provider, price.region, price.sku, price.kind == "spot")
        seen[key] += 1
        if seen[key] > 1:
            message = f"{price.sku} of {price.provider} in {price.region} has a second {price.kind} price"
            yield Problem(("prices", "prices", index), message, "keep one of them")


@rule(
    "PRICE-UNIT",
    "a price in another unit is multiplied with the wrong number",
    "SkyPilot 0.14.1, utils/schemas.py (pricing)",
)
def units_fit(subject: Subject) -> Iterator[Problem]:
    for index, price in enumerate(subject.fleet.prices.prices):
        unit = _UNITS.get(price.sku, "accelerator-hour")
        if price.unit != unit:
            message = f"the price of {price.sku} in {price.region} is per {price.unit}"
            yield Problem(("prices", "prices", index, "unit"), message, f"give it per {unit}")
