"""Policy and guard say the same: what one lets through, the other does not refuse."""

from skyfleet_policy import pods
from skyfleet_policy.routes import SHIPPED, load_routes
from skyfleet_policy.rules.infiniband import DEVICES
from skyfleet_policy.rules.stamp import ANNOTATION

from addons.guard.cel import STAMP
from addons.guard.containers import CAPABILITIES
from addons.guard.pods import INFINIBAND_PATH, TOLERATED, VOLUMES


def test_capabilities() -> None:
    """Containers may add the same capabilities."""
    assert frozenset(CAPABILITIES) == pods.CAPABILITIES


def test_volumes() -> None:
    """Volumes may come from the same places."""
    assert frozenset(VOLUMES) == pods.VOLUMES


def test_tolerations() -> None:
    """The same taints may be tolerated."""
    assert frozenset(TOLERATED) == pods.TOLERATED | load_routes(SHIPPED).taints


def test_infiniband_devices() -> None:
    """The path that the policy mounts is the one that the guard lets through."""
    assert INFINIBAND_PATH == DEVICES


def test_stamp() -> None:
    """The stamp has one name."""
    assert STAMP == ANNOTATION
