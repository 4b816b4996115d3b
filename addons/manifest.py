"""All objects of a cluster in the order in which kubectl may apply them, after Kueue's own."""

from addons.access import access
from addons.cleanup import cleanup
from addons.controllers import controllers
from addons.guard import guard
from addons.infiniband import infiniband
from addons.namespace import namespace
from addons.objects import Manifest
from addons.volumes import volumes
from skyfleet.model import Cluster, Fleet


def manifest(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    return [
        namespace(),
        *access(fleet, cluster),
        controllers(fleet),
        *infiniband(cluster),
        *volumes(fleet, cluster),
        *cleanup(cluster),
        *guard(fleet, cluster),
    ]
