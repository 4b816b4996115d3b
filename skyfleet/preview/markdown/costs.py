"""Section: cost."""

from collections.abc import Iterable, Iterator

from skyfleet.preview.costs import HOURS_PER_MONTH, IDLE, CostChange, Costs
from skyfleet.preview.markdown.text import code, details, table, usd


def section(costs: Costs) -> Iterator[str]:
    if not costs:
        return
    yield from ("### Cost per month", "")
    total = CostChange("total", costs.before, costs.after)
    smallest = CostChange(
        "of which always on", sum(each.before for each in costs.always), sum(each.after for each in costs.always)
    )
    changed = [change for change in costs.clusters if change.difference]
    rows = [
        *(_row(change, code(change.name)) for change in changed),
        _row(total, "all clusters"),
        _row(smallest, smallest.name),
    ]
    if changed or smallest.difference:
        yield from table(("cluster", "before", "after", "difference"), rows)
    else:
        yield f"The clusters cost what they did, {usd(costs.after)}; who is guaranteed which part of it changes."
    yield ""
    for price in costs.prices:
        said = f"{_price(price.before)} → {_price(price.after)}"
        yield f"- Price of {code(price.sku)} ({code(price.provider)}, {code(price.region)}): {said} an hour, as of {price.as_of}"
    if costs.prices:
        yield ""
    yield from details("By team, at what each is guaranteed", _teams(costs.teams))
    yield from ("", _terms(costs), "")


def _row(change: CostChange, name: str) -> tuple[str, ...]:
    return name, usd(change.before), usd(change.after), usd(change.difference, signed=True)


def _teams(teams: Iterable[CostChange]) -> list[str]:
    rows = (_row(change, IDLE if change.name == IDLE else code(change.name)) for change in teams)
    return table(("team", "before", "after", "difference"), rows)


def _price(amount: float | None) -> str:
    return "none" if amount is None else f"${amount:g}"


def _terms(costs: Costs) -> str:
    said = f"List prices without tax, the oldest as of {costs.oldest_price}; {HOURS_PER_MONTH} hours with every pool at its largest."
    said += " Disks, shared volumes, network and control planes are not priced."
    if costs.unpriced:
        said += f" Without a price, so counted as 0: {', '.join(map(code, costs.unpriced))}."
    return said
