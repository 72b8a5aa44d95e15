"""Options, arguments and help that several subcommands share."""
