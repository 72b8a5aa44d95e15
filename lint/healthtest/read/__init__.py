"""Reads health tests: cases, fixtures, targets, expectations."""
