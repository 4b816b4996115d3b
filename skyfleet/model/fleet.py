"""The whole definition: `fleet.yaml` and what stands beside it."""

from typing import Annotated, Literal

from pydantic import Field

from skyfleet.model.base import Frozen, Model, Positive
from skyfleet.model.cluster import Cluster
from skyfleet.model.price import Prices
from skyfleet.model.team import Team

RequestKind = Literal["launch-without-run", "launch", "managed-job", "service"]
"""How a request reaches SkyPilot; a launch without `run` is somebody who wants a machine to work on."""


class LabelKeys(Model):
    """Label keys that engineers write in their task files."""

    team: str = "team"
    workload: str = "workload"
    provider: str = "force_provider_selection"
    cost_center: str = "cost-center"


class Profile(Model):
    """What kind of work a request is."""

    priority: str
    priority_fixed: Annotated[
        bool, Field(description="whether its work keeps the profile's priority, whatever a task asks for")
    ] = False
    max_accelerators: Annotated[Positive | None, Field(description="in all: count x nodes")] = None
    autostop_minutes: Positive | None = None
    admission_timeout_minutes: Annotated[
        Positive | None, Field(description="how long a request waits in the queue before it gives up; none: for ever")
    ] = None
    default_for: tuple[RequestKind, ...] = ()


class Routing(Model):
    prefer: Annotated[tuple[str, ...], Field(description="order where several clusters offer an accelerator")] = ()
    cpu: Annotated[
        tuple[str, ...], Field(min_length=1, description="homes of CPU-only tasks and of controllers, in order")
    ]


class Queueing(Model):
    """Parameters of Kueue's own configuration."""

    pods_ready_timeout_minutes: Annotated[
        Positive, Field(description="an admitted gang not ready by then is evicted: above scale-up and image pull")
    ] = 60
    exclude_resource_prefixes: Annotated[
        tuple[str, ...], Field(description="resources that pods request and no quota counts")
    ] = ("ephemeral-storage", "smarter-devices/", "rdma/")


class Organization(Model):
    """`fleet.yaml`: what holds for every cluster and every team."""

    organization: Annotated[str, Field(description="also the name of the Cohort on every cluster")]
    namespace: Annotated[str, Field(description="where SkyPilot's pods live, on every cluster")] = "skyfleet"
    labels: LabelKeys = LabelKeys()
    priorities: Annotated[
        Frozen[str, int], Field(min_length=1, description="name -> value of the WorkloadPriorityClass")
    ]
    profiles: Annotated[Frozen[str, Profile], Field(min_length=1)]
    routing: Routing
    queueing: Queueing = Queueing()


class Fleet(Model):
    organization: Organization
    clusters: Frozen[str, Cluster]
    teams: Frozen[str, Team]
    prices: Prices = Prices(prices=())
