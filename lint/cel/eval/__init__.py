"""Evaluates an expression within a budget of time and memory."""
