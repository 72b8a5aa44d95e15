"""Stores for bundles, and their publication: directories, Secrets, the API server."""
