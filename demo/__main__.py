"""`python -m demo` is `make demo`."""

from demo.cli import app

if __name__ == "__main__":
    app()
