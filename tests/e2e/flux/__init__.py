"""The real controllers beside the API server: what they say of each recorded case again."""
