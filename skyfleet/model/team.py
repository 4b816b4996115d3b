"""Teams: one file each; the name is also the LocalQueue, the ClusterQueue and the cost label."""

from typing import Annotated

from pydantic import Field

from skyfleet.model.base import Count, Frozen, Model, Weight


class Team(Model):
    name: str
    cost_center: Annotated[str, Field(description="who pays; a label on every pod, quoted if it is a number")]
    members: Annotated[
        tuple[str, ...],
        Field(min_length=1, description="user names as the SkyPilot server knows them; * and ? match as in a shell"),
    ]
    quota: Annotated[
        Frozen[str, Frozen[str, Count]],
        Field(description="cluster -> accelerator (or cpu) -> whole accelerators (or cores) guaranteed"),
    ]
    weight: Weight = 1
    priorities: Annotated[tuple[str, ...], Field(min_length=1, description="priorities that the team may ask for")]
