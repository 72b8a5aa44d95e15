"""How Go writes and reads numbers and strings, for code that mirrors a Go program."""
