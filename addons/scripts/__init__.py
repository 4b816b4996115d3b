"""Scripts that run on clusters: standard library only, shipped in a ConfigMap."""
