"""The object behind a wait: what its state is, what decides it, and whether it recovers."""
