"""The admission guard: what holds inside a cluster whoever asks, while the launcher's policy is a convenience.

One module for each kind of request; each is a list of rules, and a rule is an expression with the sentence that a refused user reads.
Who comes through SkyPilot and its policy never meets one.
"""

from addons.guard.pods import created_pods
from addons.guard.policy import policy
from addons.guard.subresources import debugged_pods, resized_pods
from addons.guard.updates import updated_pods
from addons.guard.workloads import workloads
from addons.objects import Manifest
from skyfleet.model import Cluster, Fleet


def guard(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    rules = (
        created_pods(fleet, cluster),
        updated_pods(fleet),
        debugged_pods(),
        resized_pods(),
        workloads(),
    )
    return [manifest for rule in rules for manifest in policy(rule)]
