"""Runs the real controllers, and compares their answers with the recorded ones."""
