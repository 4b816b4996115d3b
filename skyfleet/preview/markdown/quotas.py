"""Section: quotas."""

from collections.abc import Iterator

from skyfleet.preview.markdown.text import change, code, details, table
from skyfleet.preview.quotas import GrantChange, Quotas


def section(quotas: Quotas) -> Iterator[str]:
    if not quotas:
        return
    yield from ("### Quotas", "")
    granted = [each for each in quotas.grants if each.before.guaranteed != each.after.guaranteed]
    others = [each for each in quotas.grants if each not in granted]
    if granted:
        yield from _table(granted)
        yield ""
    for queue in quotas.queues:
        does = "gets a queue" if queue.appears else "loses its queue"
        yield f"- {code(queue.team)} {does} on {code(queue.cluster)}"
    for team, before, after in quotas.weights:
        yield f"- {code(team)} has fair-sharing weight {before} → {after}: its part of what is borrowed"
    for left in quotas.unassigned:
        yield f"- Unassigned {code(left.accelerator)} on {code(left.cluster)}: {left.before} → {left.after}"
    if quotas.queues or quotas.weights or quotas.unassigned:
        yield ""
    if others:
        yield from details("Teams whose guarantee stays, while what they can reach changes", _table(others))
        yield ""


def _table(grants: list[GrantChange]) -> list[str]:
    header = ("cluster", "accelerator", "team", "guaranteed", "with borrowing", "share of the pool")
    return table(header, map(_row, grants))


def _row(each: GrantChange) -> tuple[str, ...]:
    before, after = each.before, each.after
    shares = change(f"{before.share:.0%}", f"{after.share:.0%}")
    guaranteed = change(before.guaranteed, after.guaranteed)
    if after.guaranteed < before.guaranteed:
        guaranteed = f"**{guaranteed}**"
    borrowing = change(before.with_borrowing, after.with_borrowing)
    return code(each.cluster), code(each.accelerator), code(each.team), guaranteed, borrowing, shares
