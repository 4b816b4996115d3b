"""Pulumi runs this folder; the stack's name says which cluster."""

import pulumi

from infra.program import stand_up
from infra.settings import Settings

stand_up(pulumi.get_stack(), Settings.of_stack())
