"""Models as plain data, nested frozen mappings included."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from skyfleet.model.base import Model


def plain(value: Any) -> Any:
    """Dictionaries, lists, numbers and text; what is None is left out."""
    if isinstance(value, Model):
        return plain(dict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value
