"""Says what is wrong with a text that is not YAML."""
