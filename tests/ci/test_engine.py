"""The engine's own preview as Markdown, from events as the engine emits them."""

from typing import Any

from pulumi.automation import EngineEvent

from ci.engine import Told, markdown
from infra.stacks import Outcome

URN = "urn:pulumi:north::skyfleet::nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup::north-h200"


def event(**content: Any) -> EngineEvent:
    return EngineEvent.from_json({"sequence": 1, "timestamp": 1, **content})


def step(operation: str, **more: Any) -> EngineEvent:
    kind = "nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup"
    metadata = {"op": operation, "urn": URN, "type": kind, "provider": "", **more}
    return event(resourcePreEvent={"metadata": metadata, "planning": True})


def test_steps_policies_and_errors_are_told() -> None:
    """What stays the same is not; a mandatory policy stands out."""
    told = Told("north")
    for each in (
        step("same"),
        step("update", diffs=["template", "version"]),
        step("replace", keys=["parentId"]),
        event(
            policyEvent={"policyName": "no-public-endpoint", "message": "is `open`", "enforcementLevel": "mandatory"}
        ),
        event(diagnosticEvent={"message": "quota exceeded\nfor H200", "severity": "error"}),
        event(diagnosticEvent={"message": "by the way", "severity": "info"}),
    ):
        told.hear(each)

    assert markdown([told], [Outcome("north")]) == (
        "## pulumi preview\n"
        "\n"
        "### `north`: 1 replace, 1 update\n"
        "\n"
        "| level | policy | says |\n"
        "| --- | --- | --- |\n"
        "| **mandatory** | `no-public-endpoint` | `` is `open` `` |\n"
        "\n"
        "```text\n"
        "quota exceeded for H200\n"
        "```\n"
        "\n"
        "<details><summary>Resources</summary>\n"
        "\n"
        "| operation | resource | because of |\n"
        "| --- | --- | --- |\n"
        "| update | `nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup north-h200` | `template`, `version` |\n"
        "| replace | `nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup north-h200` | `parentId` |\n"
        "\n"
        "</details>\n"
    )


def test_a_stack_that_cannot_be_previewed_says_why() -> None:
    """The other stacks are told all the same."""
    text = markdown([Told("north"), Told("central")], [Outcome("north", error="no credentials"), Outcome("central")])

    assert (
        text == "## pulumi preview\n\n### `north`: failed\n\n```text\nno credentials\n```\n\n### `central`: no change\n"
    )
