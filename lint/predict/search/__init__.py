"""Searches for an object on which expressions are true or false."""
