"""What is known of objects in a running cluster: who waits, and what recovers by itself."""
