"""Finds the faults of a check, each with the object that proves it."""
