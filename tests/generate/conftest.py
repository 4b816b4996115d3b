"""SkyPilot gets a home of its own here, before a test imports it."""

import tests.policy.conftest  # noqa: F401  # pyright: ignore[reportUnusedImport]  # imports SkyPilot in its own home
