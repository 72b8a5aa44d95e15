"""Regular expressions of Go's `regexp` (Go 1.26), matched without backtracking."""
