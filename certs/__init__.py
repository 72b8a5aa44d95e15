"""Certificates of the webhook: authority, leaf, rotation."""
