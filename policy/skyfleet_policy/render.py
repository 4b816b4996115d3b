"""An explanation as text; colour only where it is asked for."""

from __future__ import annotations

import json

from skyfleet_policy.explain import Explanation, RuleExplanation, TaskExplanation

_COLORS = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}


def as_json(explanation: Explanation) -> str:
    """The explanation as JSON."""
    return json.dumps(explanation.to_dict(), indent=2, sort_keys=False)


def as_text(explanation: Explanation, *, color: bool = False) -> str:
    """The explanation for a reader: the verdict, each rule, the pods."""
    paint = _Paint(color)
    head = f"{explanation.path}, submitted with {explanation.request} by {explanation.user or 'a user not named'}"
    warnings = [f"{paint('warning', 'yellow')} {warning}" for warning in explanation.warnings]
    return "\n\n".join([head, *(_task(task, paint) for task in explanation.tasks), *warnings]) + "\n"


class _Paint:
    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, text: str, name: str) -> str:
        return f"\033[{_COLORS[name]}m{text}\033[0m" if self._color else text


def _task(task: TaskExplanation, paint: _Paint) -> str:
    verdict = paint("accepted", "green") if task.accepted else paint("rejected", "red")
    lines = [f"{paint(task.task or 'task', 'bold')}: {verdict}"]
    width = max(len(rule.rule) for rule in task.rules)
    for rule in task.rules:
        if rule.applies:
            lines.extend(_rule(rule, width, paint))
    if task.pods:
        lines.append(paint("pods", "bold"))
        lines.extend(f"  {line}" for line in _fields(task.pods))
    if task.rejection:
        lines.append(task.rejection)
    return "\n".join(lines)


def _rule(rule: RuleExplanation, width: int, paint: _Paint) -> list[str]:
    margin = " " * (width + 4)
    lines = [f"  {rule.rule:<{width}}  {paint(rule.promise, 'dim')}"]
    if rule.saw:
        lines.append(f"{margin}saw {rule.saw}")
    lines.extend(f"{margin}-> {change}" for change in rule.did)
    lines.extend(f"{margin}{paint('warning', 'yellow')} {warning}" for warning in rule.warnings)
    lines.extend(f"{margin}{paint('problem', 'red')} {problem}" for problem in rule.problems)
    return lines


def _fields(values: object, path: str = "") -> list[str]:
    """Nested plain data as `path: value` lines; `[0]` is the first of a list."""
    if isinstance(values, dict) and values:
        return [line for key, value in values.items() for line in _fields(value, _below(path, str(key)))]
    if isinstance(values, list) and any(isinstance(value, dict) for value in values):
        return [line for index, value in enumerate(values) for line in _fields(value, f"{path}[{index}]")]
    if isinstance(values, list):
        values = ", ".join(map(str, values)) or "nothing"
    return [f"{path}: {values}"]


def _below(path: str, key: str) -> str:
    name = f"[{key}]" if "." in key else key
    return f"{path}.{name}" if path and name is key else path + name
