"""Lints objects in child processes: pool, queue, cache."""
