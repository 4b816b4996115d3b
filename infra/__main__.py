"""Pulumi runs this folder; the stack's name says which cluster."""

import pulumi

from infra.program import stand_up

stand_up(pulumi.get_stack(), pulumi.Config().get("kubeconfig") or None)
