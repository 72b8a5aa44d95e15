"""Lints the objects of a file's ResourceSets, and maps the findings back to the templates."""
