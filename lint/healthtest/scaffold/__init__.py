"""Writes the beginning of a health test."""
