"""Runs health tests and collects their results."""
