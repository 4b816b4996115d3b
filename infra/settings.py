"""What a stack's configuration may say; all of it has a default, so that a stack needs no file."""

from dataclasses import dataclass

import pulumi


@dataclass(frozen=True)
class Settings:
    kubeconfig: str | None = None
    """Of a cluster that exists already: it is adopted, and nothing is ordered from a cloud."""
    kueue_chart: str | None = None
    """Folder of Kueue's chart where the registry cannot be reached."""
    protect: bool = True
    """Whether what would be lost for good is protected from deletion; a throwaway stack says false."""

    @classmethod
    def of_stack(cls) -> "Settings":
        config = pulumi.Config()
        return cls(
            kubeconfig=config.get("kubeconfig") or None,
            kueue_chart=config.get("kueueChart") or None,
            protect=config.get_bool("protect", default=True) is not False,
        )
