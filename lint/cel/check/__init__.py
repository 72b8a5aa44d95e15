"""Errors that the controller reports before it evaluates: limits, syntax, types, program."""
