"""`python -m skyfleet` is the command line."""

from skyfleet.cli import main

if __name__ == "__main__":
    main()
