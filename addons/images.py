"""Images that the fleet itself runs."""

from functools import cache
from importlib import resources

import yaml


@cache
def image(name: str) -> str:
    text = resources.files("skyfleet").joinpath("data/images.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)[name]
