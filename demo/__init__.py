"""The main job on simulated clusters: one definition, `pulumi up`, plain `sky launch`, and what the clusters say of it."""
