"""Generated text: the same bytes for the same content."""

import json
from typing import Any

import yaml

from skyfleet.generate.stamp import GENERATED


class _Dumper(yaml.SafeDumper):
    """Lists indented under their key, no aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - PyYAML's signature
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True


def yaml_documents(*documents: Any) -> str:
    body = "---\n".join(
        yaml.dump(document, Dumper=_Dumper, sort_keys=False, width=120, allow_unicode=True) for document in documents
    )
    return f"# {GENERATED}\n{body}"


def json_document(content: Any) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
