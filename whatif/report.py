"""Both outcomes side by side, as rows of a table."""

from collections.abc import Iterator, Mapping

from whatif.trial import Outcome

HEADER = ("definition", "team", "admitted", "finished", "mean wait", "90 % wait", "preempted", "accelerator hours")


def rows(outcomes: Mapping[str, Outcome]) -> Iterator[tuple[str, ...]]:
    for side, outcome in outcomes.items():
        for team in outcome.measures.teams:
            yield (
                side,
                team.team,
                f"{team.admitted} of {team.submitted}",
                str(team.finished),
                _hours(team.mean_wait_hours),
                _hours(team.ninety_percent_wait_hours),
                str(team.preemptions),
                f"{team.accelerator_hours:.0f} of {team.asked_hours:.0f}",
            )


def sentences(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    for side, outcome in outcomes.items():
        measures = outcome.measures
        yield f"{side}: {measures.utilisation:.0%} of {outcome.accelerators} accelerators in use, fairness {measures.fairness:.2f}"
        yield from (f"{side}: never submitted: {reason}" for reason in measures.impossible)


def _hours(hours: float | None) -> str:
    return "-" if hours is None else f"{hours:.1f} h"
