"""`python -m ci.engine [STACK...]`: `pulumi preview` of every stack as Markdown, from engine events and with the policies' results.

It needs the state and the clouds' credentials: for branches of people who may have them.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

import typer
from pulumi.automation import EngineEvent

from infra import repository
from infra.stacks import Outcome, Stacks
from skyfleet.preview.markdown.text import block, code, details, table

_QUIET = {"same", "read", "refresh"}


@dataclass
class Told:
    """What the engine says of one stack."""

    stack: str
    steps: list[tuple[str, str, str, tuple[str, ...]]] = field(
        default_factory=list[tuple[str, str, str, tuple[str, ...]]]
    )
    """Operation, type, name, and the inputs on account of which."""
    policies: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Level, policy and message."""
    errors: list[str] = field(default_factory=list[str])

    def hear(self, event: EngineEvent) -> None:
        if event.resource_pre_event is not None:
            step = event.resource_pre_event.metadata
            operation = getattr(step.op, "value", str(step.op))
            if operation not in _QUIET:
                because = tuple(step.keys or step.diffs or ())
                self.steps.append((operation, step.type, step.urn.rsplit("::", 1)[-1], because))
        elif event.policy_event is not None:
            policy = event.policy_event
            self.policies.append((policy.enforcement_level, policy.policy_name, policy.message))
        elif event.diagnostic_event is not None and event.diagnostic_event.severity == "error":
            self.errors.append(event.diagnostic_event.message)


def markdown(told: list[Told], outcomes: list[Outcome]) -> str:
    lines = ["## pulumi preview", ""]
    for each, outcome in zip(told, outcomes, strict=True):
        lines += _stack(each, outcome)
    return "\n".join(lines).rstrip("\n") + "\n"


def _stack(told: Told, outcome: Outcome) -> Iterator[str]:
    counts = Counter(operation for operation, *_ in told.steps)
    said = ", ".join(f"{number} {operation}" for operation, number in sorted(counts.items())) or "no change"
    yield f"### {code(told.stack)}: {'failed' if not outcome.succeeded else said}"
    yield ""
    if told.policies:
        rows = (
            (f"**{level}**" if level == "mandatory" else level, code(name), code(text))
            for level, name, text in told.policies
        )
        yield from (*table(("level", "policy", "says"), rows), "")
    errors = list(dict.fromkeys((*told.errors, outcome.error or "")))
    if any(errors):
        yield from (*block(" ".join(error.split()) for error in errors if error), "")
    if told.steps:
        rows = (
            (operation, code(f"{kind} {name}"), ", ".join(map(code, because)))
            for operation, kind, name, because in told.steps
        )
        yield from (*details("Resources", table(("operation", "resource", "because of"), rows)), "")


def main(stacks: Annotated[list[str] | None, typer.Argument(help="All clusters if left out.")] = None) -> None:
    """Preview every stack. Exit 0 if all could be previewed and no mandatory policy objects, else 1; 2 for a definition that cannot be used."""
    try:
        names = stacks or list(repository.fleet().clusters)
    except repository.NotInDefinition as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    told = [Told(name) for name in names]
    project = Stacks(repository.ROOT)
    outcomes = [project.bring(each.stack, preview=True, on_event=each.hear) for each in told]
    print(markdown(told, outcomes), end="")
    objected = any(level == "mandatory" for each in told for level, *_ in each.policies)
    raise typer.Exit(0 if all(outcome.succeeded for outcome in outcomes) and not objected else 1)


if __name__ == "__main__":
    typer.run(main)
