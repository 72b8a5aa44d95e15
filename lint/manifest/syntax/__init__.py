"""Explains why a text is not YAML."""
