"""One YAML file as plain data, with the line of every key. Data only: no anchors, no tags, no code."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from skyfleet.finding import Finding, Where

_TOO_DEEP = 40
"""No definition nests deeper; a file that does is an attack or an accident."""


class _Scalars(yaml.SafeLoader):
    """Scalars as YAML 1.1 reads them, but dates stay text: the model parses them."""


_Scalars.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True)
class Document:
    path: str
    data: Any = None
    lines: Mapping[Where, int] = field(default_factory=dict[Where, int])
    findings: tuple[Finding, ...] = ()

    def line(self, at: Where) -> int:
        """The line of the innermost key of `at` that the file has."""
        for length in range(len(at), -1, -1):
            if at[:length] in self.lines:
                return self.lines[at[:length]]
        return 1


class _Builder:
    def __init__(self, path: str) -> None:
        self.path = path
        self.lines: dict[Where, int] = {}
        self.findings: list[Finding] = []
        self._loader = _Scalars("")

    def build(self, node: yaml.Node, at: Where = ()) -> Any:
        self.lines.setdefault(at, node.start_mark.line + 1)
        if len(at) > _TOO_DEEP:
            self._find(node, f"is nested more than {_TOO_DEEP} deep", "flatten it")
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*at, index)) for index, item in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, at: Where) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            if key is None:
                self._find(key_node, "has a key that is not text", "write keys as plain words")
            elif key in mapping:
                self._find(key_node, f"has the key '{key}' twice", "keep one of them")
            else:
                self.lines[(*at, key)] = key_node.start_mark.line + 1
                mapping[key] = self.build(value_node, (*at, key))
        return mapping

    def _scalar(self, node: yaml.Node) -> Any:
        try:
            return self._loader.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            reason = getattr(error, "problem", None) or str(error)
            self._find(node, f"has a value that cannot be read ({reason})", "write it as plain text or a number")
            return None

    def _find(self, node: yaml.Node, message: str, remedy: str) -> None:
        self.findings.append(Finding(self.path, node.start_mark.line + 1, "YAML", message, remedy))


def parse(path: str, text: str) -> Document:
    """Parse one file; what is wrong with it comes back as findings, never as an exception."""
    problems = [*_aliases(path, text)] if "*" in text or "&" in text else []
    if problems:
        return Document(path, findings=tuple(problems))
    try:
        node = yaml.compose(text, Loader=_Scalars)
    except yaml.YAMLError as error:
        return Document(path, findings=(_syntax(path, error),))
    except RecursionError:
        return Document(path, findings=(Finding(path, 1, "YAML", "is nested too deep to read", "flatten it"),))
    if not isinstance(node, yaml.MappingNode):
        return Document(
            path, findings=(Finding(path, 1, "YAML", "is not a mapping of keys", "start with `key: value`"),)
        )
    builder = _Builder(path)
    data = builder.build(node)
    return Document(path, data, builder.lines, tuple(builder.findings))


def _aliases(path: str, text: str) -> Iterator[Finding]:
    """Anchors hide where a value comes from, and nested ones grow without bound."""
    try:
        for event in yaml.parse(text, Loader=_Scalars):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1
                yield Finding(path, line, "YAML", f"uses the alias '*{event.anchor}'", "write the value out")
    except (yaml.YAMLError, RecursionError):
        return  # compose reports it, with its line


def _syntax(path: str, error: yaml.YAMLError) -> Finding:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark is not None else 1
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return Finding(path, line, "YAML", f"is not valid YAML ({problem})", "check indentation, quotes and brackets")
