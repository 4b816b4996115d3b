"""What a change of quotas would have meant: a list of workloads is replayed on real Kueue under both definitions, in compressed time."""
