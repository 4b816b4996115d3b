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

    def export(self) -> None:
        for field, value in (
            ("name", self.name),
            ("context", self.context),
            ("kubeconfig", self.kubeconfig),
            ("pools", list(self.pools)),
        ):
            pulumi.export(field, value)
