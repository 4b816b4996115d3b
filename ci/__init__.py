"""What CI does beyond the make targets that a person runs: it posts reports on pull requests."""
