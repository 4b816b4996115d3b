"""Which definition decided: its digest on every pod, so that a cluster can tell pods that this policy has not seen."""

from __future__ import annotations

from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Outcome
from skyfleet_policy.nested import get
from skyfleet_policy.request import Request

ANNOTATION = "skyfleet.dev/definition"
POD_ANNOTATION = ("kubernetes", "pod_config", "metadata", "annotations", ANNOTATION)


def stamp(request: Request, routes: Routes) -> Outcome:
    """Overwrite whatever stamp the request carries."""
    return Outcome(request.with_config(POD_ANNOTATION, routes.definition), (f"definition {routes.definition}",))


def saw(request: Request, routes: Routes) -> str:
    """The stamp that the request carries."""
    del routes
    return f"{ANNOTATION}={get(request.config, POD_ANNOTATION) or 'nothing'}"
