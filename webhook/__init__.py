"""Admission over HTTPS: lints each object with an expression before the cluster takes it."""
