"""The work of the subcommands on files: find, lint in parallel, fix, write."""
