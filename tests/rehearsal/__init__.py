"""Tasks that really run, on the one real node of a simulated cluster."""
