"""The subcommands, one module each, loaded by name."""
