"""Simulated clouds: what answers `pulumi up` in place of Google Cloud and Nebius, refuses what they refuse, and makes clusters that work."""
