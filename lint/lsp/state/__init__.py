"""The open files, their configuration, and the engine's results for their documents."""
