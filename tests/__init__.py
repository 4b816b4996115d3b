"""Tests by room; `tests.toy` builds the small definition that most of them change in one place."""
