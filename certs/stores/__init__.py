"""Stores that keep bundles, and publish them: directories, Secrets, the API server."""
