"""From the definition to Kueue objects: pure functions, one module a kind, and `manifests/<cluster>.yaml` made by them."""
