"""Simulated clusters: real control planes with a real Kueue, on this machine, whose nodes run nothing."""
