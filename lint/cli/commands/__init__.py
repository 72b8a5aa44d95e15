"""The subcommands, one module each; `command` in it reads the arguments."""
