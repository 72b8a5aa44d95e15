"""The stock states: objects at the moments of their lives."""
