"""Charts of a place: how long each team waited, and who held what over time, for base and head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whatif import svg
from whatif.comparison import Comparison
from whatif.measures import Place, PlaceMeasures, in_use
from whatif.table import hours
from whatif.trace import History

WIDTH, LEFT, RIGHT = 900.0, 130.0, 80.0
BAR, GAP = 16.0, 22.0
AREA_HEIGHT, AREA_TOP = 120.0, 24.0
STEPS = 336
"""Points of a curve: every half hour of a week."""
MINUTES_PER_DAY = 24 * 60


def waits(comparison: Comparison, place: Place) -> str:
    """Bars: the median dark, the 90th percentile light; a team's colour is the same everywhere."""
    by_side = comparison.measures[place]
    longest = max((_p90(of, team) for of in by_side.values() for team in of.teams), default=0.0) or 1.0
    parts: list[str] = []
    y = 4.0
    for number, team in enumerate(teams(comparison, place)):
        parts.append(svg.text(0, y + BAR - 4, team, bold=True))
        for side, name in zip(comparison.sides, ("base", "head"), strict=True):
            own = by_side[side].teams.get(team) if side in by_side else None
            if own is None:
                continue
            parts.append(svg.text(LEFT - 8, y + BAR - 4, name, anchor="end"))
            told = f"{team}, {side}: median {hours(own.median_wait_hours)}, 90 % {hours(own.p90_wait_hours)}"
            for wait, opacity in ((own.p90_wait_hours, 0.4), (own.median_wait_hours, 1)):
                length = (wait or 0) / longest * (WIDTH - LEFT - RIGHT)
                parts.append(svg.bar(LEFT, y, length, BAR - 2, _colour(number), opacity=opacity, told=told))
            end = LEFT + (own.p90_wait_hours or 0) / longest * (WIDTH - LEFT - RIGHT)
            parts.append(svg.text(end + 6, y + BAR - 4, hours(own.p90_wait_hours)))
            y += BAR
        y += GAP - BAR
    return svg.drawing(WIDTH, y + 2, parts, f"Waiting time on {place}")


def use(comparison: Comparison, place: Place) -> str:
    """Stacked areas of what each team holds, one band for each definition."""
    parts: list[str] = []
    top = AREA_TOP
    shown = [side for side in comparison.sides if side in comparison.histories[place]]
    for side in shown[:1] if place.cluster in comparison.alike else shown:
        histories, units = comparison.histories[place][side], comparison.measures[place][side].units
        parts += _band(histories, teams(comparison, place), units, comparison.horizon_minutes, top)
        parts.append(svg.text(LEFT, top - 6, "both" if place.cluster in comparison.alike else side, bold=True))
        top += AREA_HEIGHT + AREA_TOP + 14
    return svg.drawing(WIDTH, top - AREA_TOP + 4, parts, f"Use of {place}")


def legend(names: Sequence[str]) -> str:
    parts: list[str] = []
    for number, name in enumerate(names):
        parts += [
            svg.bar(LEFT + number * 130, 2, 12, 12, _colour(number)),
            svg.text(LEFT + number * 130 + 18, 12, name),
        ]
    return svg.drawing(WIDTH, 18, parts, "Colours of the teams")


def teams(comparison: Comparison, place: Place) -> list[str]:
    return sorted({team for of in comparison.measures[place].values() for team in of.teams})


def _band(histories: Sequence[History], names: Sequence[str], units: int, horizon: int, top: float) -> Iterator[str]:
    bottom = top + AREA_HEIGHT
    minutes = [horizon * step // STEPS for step in range(STEPS + 1)]
    below = [0] * len(minutes)
    most = max(units, 1)
    for number, name in enumerate(names):
        own = [history for history in histories if history.workload.team == name]
        above = [low + in_use(own, minute) for low, minute in zip(below, minutes, strict=True)]
        upper = [
            (_x(minute, horizon), bottom - high / most * AREA_HEIGHT)
            for minute, high in zip(minutes, above, strict=True)
        ]
        lower = [
            (_x(minute, horizon), bottom - low / most * AREA_HEIGHT) for minute, low in zip(minutes, below, strict=True)
        ]
        yield svg.area([*upper, *reversed(lower)], _colour(number))
        below = above
    yield svg.line(LEFT, top, WIDTH - RIGHT, top, dashed=True)
    yield svg.line(LEFT, bottom, WIDTH - RIGHT, bottom)
    yield svg.text(LEFT - 8, top + 5, str(units), anchor="end")
    yield svg.text(LEFT - 8, bottom, "0", anchor="end")
    for day in range(horizon // MINUTES_PER_DAY + 1):
        yield svg.line(_x(day * MINUTES_PER_DAY, horizon), bottom, _x(day * MINUTES_PER_DAY, horizon), bottom + 4)
        yield svg.text(_x(day * MINUTES_PER_DAY, horizon) + 2, bottom + 14, f"day {day + 1}")


def _x(minute: int, horizon: int) -> float:
    return LEFT + minute / max(horizon, 1) * (WIDTH - LEFT - RIGHT)


def _p90(of: PlaceMeasures, team: str) -> float:
    return of.teams[team].p90_wait_hours or 0.0


def _colour(number: int) -> str:
    return svg.COLOURS[number % len(svg.COLOURS)]
