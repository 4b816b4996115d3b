"""Pydantic's errors as findings: what, which line, and what would be right."""

import difflib
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from skyfleet.finding import Finding, Where
from skyfleet.load.document import Document


def findings(error: ValidationError, model: type[BaseModel], document: Document) -> list[Finding]:
    """One finding for each place; the branches of a union that all failed are one place."""
    by_place: dict[Where, list[ErrorDetails]] = {}
    for details in error.errors():
        by_place.setdefault(place(details, document.data), []).append(details)
    return [_finding(at, details, model, document) for at, details in by_place.items()]


def place(details: ErrorDetails, data: Any) -> Where:
    """The error's path without the names of union branches; a missing key stays, as its last part."""
    at: list[str | int] = []
    for part in details["loc"]:
        child = _child(data, part)
        if child is not _NOTHING:
            data = child
        elif details["type"] != "missing" or part != details["loc"][-1]:
            continue
        at.append(part)
    return tuple(at)


_NOTHING = object()


def _child(data: Any, part: str | int) -> Any:
    if isinstance(data, Mapping):
        return data.get(part, _NOTHING)
    if isinstance(data, list) and isinstance(part, int) and part < len(data):
        return data[part]
    return _NOTHING


def _finding(at: Where, errors: list[ErrorDetails], model: type[BaseModel], document: Document) -> Finding:
    message, remedy = _describe(at, errors, model)
    return Finding(document.path, document.line(at), "SCHEMA", message, remedy)


def _describe(at: Where, errors: list[ErrorDetails], model: type[BaseModel]) -> tuple[str, str]:
    first = errors[0]
    dotted = ".".join(str(part) for part in at)
    if first["type"] == "extra_forbidden":
        return f"unknown key '{dotted}'", _known_keys(str(at[-1]), model, at[:-1])
    if first["type"] == "missing":
        return f"missing key '{dotted}'", f"add it{_meaning(model, at)}"
    own = next((error["msg"].removeprefix("Value error, ") for error in errors if error["type"] == "value_error"), None)
    if own is not None:  # a validator of ours, which says message and remedy itself
        message, _, remedy = own.partition("; ")
        return f"'{dotted}': {message}", remedy
    reasons = dict.fromkeys(_sentence(error) for error in errors)
    return f"'{dotted}' is {_shown(first['input'])}", f"it should be {' or '.join(reasons)}{_meaning(model, at)}"


def _sentence(error: ErrorDetails) -> str:
    text = error["msg"].removeprefix("Input should be ")
    return text[:1].lower() + text[1:] if text[:1].isupper() and not text.startswith("1") else text


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - a line of a terminal, not a parameter


def _known_keys(key: str, model: type[BaseModel], at: Where) -> str:
    known = {name for found in _models(model, at) for name in found.model_fields}
    if not at:
        known.discard("name")  # the file's name is the name
    close = difflib.get_close_matches(key, sorted(known), n=1)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"known keys are {', '.join(sorted(known))}"


def _meaning(model: type[BaseModel], at: Where) -> str:
    for found in _models(model, at[:-1]):
        field = found.model_fields.get(str(at[-1])) if at else None
        if field is not None and field.description:
            return f" ({field.description})"
    return ""


def _models(annotation: Any, at: Where) -> Iterator[type[BaseModel]]:
    """The models that may stand at a place: fields are followed by name, items of lists and mappings by being there."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not at:
            yield annotation
        elif str(at[0]) in annotation.model_fields:
            yield from _models(annotation.model_fields[str(at[0])].annotation, at[1:])
        return
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) in {tuple, Mapping}:
        item = arguments[0] if typing.get_origin(annotation) is tuple else arguments[1]
        yield from _models(item, at[1:]) if at else ()
        return
    for argument in arguments:
        yield from _models(argument, at)
