"""What a change of the definition would have meant for a list of workloads: replayed against the real Kueue, both ways."""
