"""Rehearsals of a stack's life on simulated clouds."""
