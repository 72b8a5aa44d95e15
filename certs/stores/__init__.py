"""The store for bundles, a Secret, and their publication to the API server."""
