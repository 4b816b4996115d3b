"""Pinned command line tools, built from Go modules; see tools/tools.toml."""
