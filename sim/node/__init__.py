"""One real node beside the simulated ones: a kubelet that runs what is scheduled to it, in namespaces of its own."""
