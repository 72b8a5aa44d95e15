"""What the subcommands do with files: find, lint in parallel, fix, write."""
