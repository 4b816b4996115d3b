"""Kubernetes quantities as numbers."""

import re
from fractions import Fraction

_QUANTITY = re.compile(r"([+-]?\d+(?:\.\d+)?)(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|)")
_FACTORS = {"": Fraction(1), "m": Fraction(1, 1000)} | {
    f"{prefix}{binary}": Fraction((1024 if binary else 1000) ** power)
    for power, prefix in enumerate(("K", "M", "G", "T", "P"), 1)
    for binary in ("", "i")
}
_FACTORS["k"] = _FACTORS.pop("K")


class InvalidQuantity(ValueError):  # noqa: N818 - it names what was given
    """Text that is no quantity."""


def value(text: str) -> Fraction:
    """In the resource's base unit: cores, bytes, pieces.

    Raises:
        InvalidQuantity: it is none.
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise InvalidQuantity(text)
    return Fraction(match[1]) * _FACTORS[match[2]]
