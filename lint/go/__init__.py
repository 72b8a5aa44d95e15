"""How Go writes and reads numbers and texts, for all that mirrors a program in Go."""
