"""`python -m tests.infra.bless`: accept the graphs that the program now makes; review them with git diff."""

from tests.infra.captured import GOLDEN, STACKS, golden, rendered

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for stack in STACKS.values():
        golden(stack).write_text(rendered(stack), encoding="utf-8")
