"""Writes a first health test for `celvet test --new`."""
