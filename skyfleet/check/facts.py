"""Facts that the rules compare with, from data/*.yaml in this room."""

from functools import cache
from importlib import resources
from typing import TypeVar

import yaml

from skyfleet.model.base import Frozen, Model, Positive

M = TypeVar("M", bound=Model)


class Clouds(Model):
    location: str
    scale_up_minutes: Positive
    image_pull_minutes: Positive
    price_days: Positive


class Versions(Model):
    oldest: Positive
    newest: Positive


class Kueue(Model):
    most: Frozen[str, int]
    preemption_strategies: tuple[tuple[str, ...], ...]
    configuration_keys: tuple[str, ...]
    system_namespaces: tuple[str, ...]
    tolerated_taints: tuple[str, ...]
    kubernetes: Versions


@cache
def clouds() -> Clouds:
    return _read("clouds", Clouds)


@cache
def kueue() -> Kueue:
    return _read("kueue", Kueue)


def _read(name: str, model: type[M]) -> M:
    text = resources.files("skyfleet.check").joinpath(f"data/{name}.yaml").read_text(encoding="utf-8")
    return model.model_validate(yaml.safe_load(text), strict=False)
