"""Processes: supervisor, workers, and the channel between them."""
