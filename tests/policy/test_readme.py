"""The page of the package."""

from tests.policy.readme import README, current
from tests.policy.sample import BLESS


def test_readme() -> None:
    """Rules and fields on the page are those of the code."""
    assert README.read_text() == current(), f"run `{BLESS}`"
