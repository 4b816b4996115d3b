"""What every provider hands on about its cluster."""

from dataclasses import dataclass

import pulumi


@dataclass(frozen=True)
class ClusterOutputs:
    name: str
    context: str
    kubeconfig: pulumi.Input[str]
    """Path or content; never with a token or key in it, since it is stored in the state."""
    pools: tuple[str, ...]
    resource: pulumi.Resource | None = None
    """The cluster if this stack made it: what is in it goes with it."""
    ready: tuple[pulumi.Resource, ...] = ()
    """What must be there before anything can run in the cluster."""
    identities: tuple[tuple[str, pulumi.Input[str]], ...] = ()
    """Cloud identities made for others, by what they are for: "skypilot", "ci"."""

    def export(self) -> None:
        for field, value in (
            ("name", self.name),
            ("context", self.context),
            ("kubeconfig", self.kubeconfig),
            ("pools", list(self.pools)),
            ("identities", dict(self.identities)),
        ):
            pulumi.export(field, value)
