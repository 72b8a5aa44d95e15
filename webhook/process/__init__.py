"""Processes: supervisor, workers, certificates, the status port."""
