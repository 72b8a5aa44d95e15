"""Finds the fields that expressions read, and the values that they are compared with."""
