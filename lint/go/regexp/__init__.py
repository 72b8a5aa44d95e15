"""Regular expressions as Go's `regexp` (Go 1.26) parses and matches them, without backtracking."""
