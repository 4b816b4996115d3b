"""What a workload's history comes to."""

from tests.whatif import lists
from whatif.trace import History, Run


def test_waiting_is_counted_before_every_run() -> None:
    """From arrival to start, and from a preemption to the next start."""
    history = History(lists.workload(arrival_minutes=10, duration_minutes=60))

    assert history.start(30) == 90
    history.preempt(50)
    assert history.start(100) == 160
    history.finish(160)

    assert history.runs == [Run(30, 50, preempted=True), Run(100, 160, preempted=False)]
    assert (history.waiting_minutes, history.preemptions, history.lost_minutes) == (20 + 50, 1, 20)


def test_work_of_whole_checkpoints_survives_a_preemption() -> None:
    """The rest of it is lost, and done again."""
    history = History(lists.workload(duration_minutes=100, checkpoint_minutes=30))

    history.start(0)
    history.preempt(70)
    assert history.start(80) == 80 + 40
    history.finish(120)

    assert history.lost_minutes == 10


def test_a_run_that_saved_everything_still_takes_a_minute() -> None:
    """To be admitted and to end cannot be the same moment."""
    history = History(lists.workload(duration_minutes=60, checkpoint_minutes=30))

    history.start(0)
    history.preempt(60)

    assert history.start(70) == 71
