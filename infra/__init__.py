"""The Pulumi program: the only room that imports pulumi. Stack = cluster; it applies the committed manifests."""
