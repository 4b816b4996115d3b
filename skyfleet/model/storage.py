"""Shared volumes: what a cluster's nodes have in common."""

from typing import Annotated

from pydantic import Field

from skyfleet.model.base import Model, Positive


class Caches(Model):
    """Shared caches, one volume for every node of the cluster."""

    size_gib: Positive
    packages: Annotated[bool, Field(description="Python packages: uv and pip")] = True
    models: Annotated[bool, Field(description="model weights: the Hugging Face hub cache")] = True
    trim_to_percent: Annotated[
        Positive,
        Field(le=100, description="the clean-up leaves so much of it used; the least recently used goes first"),
    ] = 80


class Scratch(Model):
    size_gib: Positive
    retention_days: Positive
