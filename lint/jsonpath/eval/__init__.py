"""Evaluates a template on a value, and prints the results."""
