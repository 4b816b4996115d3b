"""The command line: `skyfleet check | generate | schema | explain | sim`."""

import sys

from skyfleet.cli.app import app
from skyfleet.cli.output import UnusableInput, complain


def main() -> None:
    """Run the command line; input that cannot be used ends in a sentence and exit code 2, never in a traceback."""
    try:
        app()
    except UnusableInput as error:
        complain(str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        complain("interrupted; run the same command again")
        sys.exit(130)
