"""Says what is wrong with a text that is no YAML."""
