"""The words that messages share."""

import pytest
from skyfleet_policy.text import closest, counted, listed


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], "nothing"),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (
            [f"team-{i}" for i in range(1000)],
            "team-0, team-1, team-2, team-3, team-4, team-5, team-6, team-7, team-8, team-9 and 990 more",
        ),
    ],
)
def test_listed(names: list[str], text: str) -> None:
    """Names stand in a row as one writes them; of very many only a few."""
    assert listed(names) == text


def test_closest() -> None:
    """A near name is proposed, a far one is not."""
    assert closest("serch", ["research", "search"]) == "did you mean `search`? "
    assert closest("zzz", ["search"]) == ""


def test_counted() -> None:
    """One is not many."""
    assert [counted(1, "node"), counted(2, "node"), counted(0.5, "node")] == ["1 node", "2 nodes", "0.5 nodes"]
