"""`skyfleet check --explain RULE`: what a rule is about, why it is one, and where that is known from."""

from skyfleet.check import guide
from skyfleet.cli.output import UnusableInput


def print_rule(name: str) -> None:
    """Print one rule.

    Raises:
        UnusableInput: there is none of this name.
    """
    try:
        print(guide.explain(name), end="")
    except guide.UnknownRule as error:
        raise UnusableInput(str(error)) from None
