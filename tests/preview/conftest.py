"""SkyPilot writes into the home directory as soon as it is imported: it gets the one of the policy's tests."""

import tests.policy.conftest  # noqa: F401  # pyright: ignore[reportUnusedImport]
