"""Kubeconfigs that hold no credential: a program fetches one whenever it is needed."""

import json
from collections.abc import Sequence

import pulumi

from skyfleet.model import Cluster


def kubeconfig(
    cluster: Cluster,
    *,
    namespace: str,
    server: pulumi.Input[str],
    certificate_authority: pulumi.Input[str],
    command: str,
    arguments: Sequence[str] = (),
) -> pulumi.Output[str]:
    """One context under the name that SkyPilot needs.

    `certificate_authority` is base64 of PEM, `server` a URL.
    """
    exec_plugin = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": command,
        "args": list(arguments),
        "interactiveMode": "Never",
        "provideClusterInfo": True,
        "installHint": f"install {command}, with which users of {cluster.name} authenticate",
    }

    def document(values: Sequence[str]) -> str:
        url, authority = values
        name = cluster.context
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": {"server": url, "certificate-authority-data": authority}}],
            "users": [{"name": name, "user": {"exec": exec_plugin}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name, "namespace": namespace}}],
            "current-context": name,
        }
        return json.dumps(content, indent=2)

    return pulumi.Output.all(server, certificate_authority).apply(document)
