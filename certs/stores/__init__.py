"""Where bundles are kept and published: directories, Secrets, the API server."""
