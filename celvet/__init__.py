"""celvet."""
