"""Options, arguments and help pages of the subcommands."""
